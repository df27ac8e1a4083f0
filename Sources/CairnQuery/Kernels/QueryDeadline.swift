import CairnSystem

/// The time at which queries end, whether or not they are complete.
///
/// Scans look at the clock for every chunk of 4096 rows. A query that missed its deadline returns a
/// part of its result, so call ``check()`` before you use the result. Any thread may use a deadline.
package final class QueryDeadline: Sendable {
  /// A query has ended before it was complete.
  package struct Missed: Error, Equatable {
    /// The time that the query had, in seconds.
    package let seconds: Double
  }

  private let seconds: Double
  private let end: Int
  private let missed = Mutex(false)

  /// Creates a deadline that many seconds from now.
  package init(after seconds: Double) {
    self.seconds = seconds
    // More than a century is forever.
    end =
      seconds < 4e9 ? MonotonicClock.nanoseconds + Int(max(0, seconds) * 1e9) : .max
  }

  /// Whether a query has to end now.
  var isPassed: Bool {
    guard MonotonicClock.nanoseconds >= end else { return false }
    missed.withLock { $0 = true }
    return true
  }

  /// Throws if a query has ended before it was complete.
  package func check() throws(Missed) {
    if missed.withLock({ $0 }) { throw Missed(seconds: seconds) }
  }

  /// Throws if the time is over. Call this between the steps of other work.
  package func checkNow() throws(Missed) {
    _ = isPassed
    try check()
  }
}
