import CairnSystem

/// The self-check of the shortcuts that depend on threads: compares the thread that asks first with a
/// new thread.
enum ThreadFacts {
  /// Whether `Caller.threadPointer` tells threads apart.
  static var havePointers: Bool { found.havePointers }

  /// The distance of the Observation library's word from the thread pointer, which is the same on all
  /// threads; nil if the word was not found.
  static var trackingWord: Int? { found.trackingWord }

  private static let found: (havePointers: Bool, trackingWord: Int?) = {
    guard Shortcuts.areAllowed else { return (false, nil) }
    let here = Sample()
    let other = Mutex<Sample?>(nil)
    // The other thread has not tracked anything yet.
    Threads.startIfPossible {
      let sample = Sample()
      other.withLock { $0 = sample }
    }?.join()
    guard let there = other.withLock({ $0 }), here.pointer != there.pointer else {
      return (false, nil)
    }
    return (true, here.trackingWord == there.trackingWord ? here.trackingWord : nil)
  }()

  /// The facts about the thread that makes the sample.
  private struct Sample {
    let pointer = Caller.threadPointer
    let trackingWord = TrackingScope.distanceOnThisThread()
  }
}
