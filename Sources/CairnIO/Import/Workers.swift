import CairnSystem

/// Runs work on threads that live as long as one call.
package enum Workers {
  /// Runs `own` on the calling thread and `other` on `others` more threads. Returns when all have
  /// returned.
  ///
  /// If the system cannot start a thread, the call does without it: the work is shared, not divided
  /// in advance.
  package static func run(others: Int, _ other: @escaping @Sendable () -> Void, own: () -> Void) {
    let threads = (0..<others).compactMap { _ in Threads.startIfPossible(other) }
    own()
    for thread in threads { thread.join() }
  }
}
