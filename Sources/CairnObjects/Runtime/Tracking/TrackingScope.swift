import Observation

/// The closures of `withObservationTracking` that run on a thread.
///
/// Every read of a property asks whether one does. Swift answers only through a call into the
/// Observation library, which takes longer than the read. The library keeps the answer in a
/// thread-local word: 0, or an address on the thread's stack. The first question finds that word with
/// trackings of its own, and a session keeps its address for the thread that uses the session, so
/// that a read takes two loads. Where the word is not found, each read makes the call. See
/// `docs/toolchain.md`.
enum TrackingScope {
  /// Whether a closure of `withObservationTracking` runs on a thread, or that is unknown.
  ///
  /// - Parameter address: The result of `word(of:)` for the calling thread, or `unknownWord`.
  @inline(__always)
  static func mayBeActive(wordAt address: Int) -> Bool {
    UnsafePointer<UInt>(bitPattern: address).unsafelyUnwrapped.pointee != 0
  }

  /// Whether a closure of `withObservationTracking` runs on the calling thread.
  static var isActive: Bool {
    guard let distance = ThreadFacts.trackingWord else { return AccessProbe.isRecorded }
    return ThreadWord.value(at: distance) != 0
  }

  /// The address of a word that is 0 unless a closure of `withObservationTracking` runs on a thread.
  ///
  /// - Parameter thread: `Caller.threadPointer` on that thread.
  static func word(of thread: UInt) -> Int {
    if let distance = ThreadFacts.trackingWord { return Int(bitPattern: thread) + distance }
    return isAvailable ? unknownWord : unsetWord
  }

  /// The address of a word that is never 0, for threads of which nothing is known.
  static let unknownWord = makeWord(1)
  /// The address of a word that is always 0, for systems without Observation.
  private static let unsetWord = makeWord(0)

  private static func makeWord(_ value: UInt) -> Int {
    let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    word.initialize(to: value)
    return Int(bitPattern: word)
  }

  private static var isAvailable: Bool {
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) { true } else { false }
  }
}

extension TrackingScope {
  /// Returns the distance from the thread pointer of the only word of the calling thread that behaves
  /// as the library's; nil if no word or several words do.
  ///
  /// Each tracking gives the word another value, an address near that of the enclosing tracking on the
  /// stack, and then returns it to the old one.
  static func distanceOnThisThread() -> Int? {
    guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return nil }
    let candidates = ThreadWord.candidates()
    func words() -> [UInt] { candidates.map(ThreadWord.value) }
    var outer: [UInt] = []
    var inner: [UInt] = []
    var again: [UInt] = []
    let before = words()
    withObservationTracking {
      outer = words()
      withObservationTracking {
        inner = words()
      } onChange: {
      }
      again = words()
    } onChange: {
    }
    let after = words()
    let found = candidates.indices.filter { index in
      before[index] == after[index] && outer[index] != before[index]
        && inner[index] != outer[index] && again[index] == outer[index]
        && max(inner[index], outer[index]) - min(inner[index], outer[index]) < 1 << 16
        && outer[index] > 1 << 16
    }
    return found.count == 1 ? candidates[found[0]] : nil
  }
}
