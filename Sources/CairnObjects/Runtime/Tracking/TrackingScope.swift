import CairnSystem
import Observation

/// The closures of `withObservationTracking` that run on the calling thread.
///
/// Every read of a property asks whether one does. Swift answers only through a call into the
/// Observation library, which takes longer than the read. The library keeps the answer in a word of
/// thread-local memory, so with glibc the first question finds that word with a tracking of its own,
/// and the later ones read it. Elsewhere, and if the word is not found, each read makes the call.
@usableFromInline
enum TrackingScope {
  #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
  /// The location of the word: its distance from the thread's pointer. 0 as long as it is not known,
  /// which is the distance of a word that is never 0.
  @exclusivity(unchecked) nonisolated(unsafe) private static var location = 0

  /// Whether a closure of `withObservationTracking` runs on the calling thread, or the word is not
  /// known.
  ///
  /// - Parameter thread: `Caller.thread`.
  @inline(__always)
  static func mayBeActive(on thread: UInt) -> Bool {
    ThreadWord.value(at: location, of: thread) != 0
  }

  /// Whether a closure of `withObservationTracking` runs on the calling thread.
  @inline(never)
  static var isActive: Bool {
    guard mayBeActive(on: Caller.thread) else { return false }
    guard location == 0 else { return true }
    guard let found = foundLocation else { return AccessProbe.isRecorded }
    location = found
    return mayBeActive(on: Caller.thread)
  }
  #else
  /// Always true: only `isActive` knows.
  @inline(__always)
  static func mayBeActive(on thread: UInt) -> Bool { true }

  /// Whether a closure of `withObservationTracking` runs on the calling thread.
  static var isActive: Bool { AccessProbe.isRecorded }
  #endif

  /// Whether a closure of `withObservationTracking` runs on the calling thread.
  ///
  /// - Parameter thread: `Caller.thread`.
  @inline(__always)
  static func isActive(on thread: UInt) -> Bool { mayBeActive(on: thread) && isActive }

  /// Whether the calling function runs within a closure of `withObservationTracking`.
  ///
  /// `readnone` is true because the answer is the same throughout a function: the closure is a
  /// function of its own. It lets the compiler check once per loop.
  @_effects(readnone)
  @usableFromInline
  static func isTracking() -> Bool { isActive(on: Caller.thread) }
}

#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
extension TrackingScope {
  /// The location of the word; nil where it cannot be found.
  private static let foundLocation: Int? = {
    ThreadWord.candidates().first { $0 != 0 && isLocation($0) && isLocationElsewhere($0) }
  }()

  /// Whether the word behaves as the one that holds the current tracking: within each tracking it is
  /// an address on the caller's stack, another one in a nested tracking, and it is the old one
  /// again afterwards.
  private static func isLocation(_ location: Int) -> Bool {
    var outer: UInt = 0
    var inner: UInt = 0
    var again: UInt = 0
    func value() -> UInt { ThreadWord.value(at: location, of: Caller.thread) }
    let before = value()
    withObservationTracking {
      outer = value()
      withObservationTracking {
        inner = value()
      } onChange: {
      }
      again = value()
    } onChange: {
    }
    let isNested = outer != before && inner != outer && again == outer && value() == before
    return isNested && [outer, inner].allSatisfy(isOnStack)
  }

  private static func isOnStack(_ address: UInt) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: 1) { here in
      let here = UInt(bitPattern: here.baseAddress)
      return max(here, address) - min(here, address) < 1 << 16
    }
  }

  /// Whether the location holds on a thread that has not tracked anything yet, and so on all.
  private static func isLocationElsewhere(_ location: Int) -> Bool {
    let outcome = Mutex(false)
    let thread = Threads.startIfPossible {
      let isThere = ThreadWord.candidates().contains(location) && isLocation(location)
      outcome.withLock { $0 = isThere }
    }
    guard let thread else { return false }
    thread.join()
    return outcome.withLock { $0 }
  }
}
#endif
