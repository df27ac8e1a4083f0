import CairnSystem

/// The report of queries that take long.
package struct SlowQueryWatch: Sendable {
  /// The least duration, in seconds, of a query that is reported.
  package let threshold: Double
  /// Receives the plan and the figures of the run, on the thread of the query.
  package let report: @Sendable (Explanation) -> Void

  /// Creates a watch.
  package init(threshold: Double, report: @escaping @Sendable (Explanation) -> Void) {
    self.threshold = threshold
    self.report = report
  }
}

extension Execution {
  /// Runs the query, and reports it if it has a watch and takes long.
  ///
  /// - Parameter rows: Returns the number of rows of a result; nil if it does not tell.
  @inline(__always)
  func watched<Result, Failure: Error>(
    rows: (Result) -> Int?, _ run: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let watch, !isWatched else { return try run() }
    return try watched(by: watch, rows: rows, run)
  }

  @inline(never)
  private func watched<Result, Failure: Error>(
    by watch: SlowQueryWatch, rows: (Result) -> Int?, _ run: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isWatched = true
    defer { isWatched = false }
    // The figures are those of this run only.
    cachedScratch = ScratchBuffers(deadline: deadline)
    let start = MonotonicClock.seconds
    let result = try run()
    let seconds = MonotonicClock.seconds - start
    if seconds >= watch.threshold {
      watch.report(explanation(matches: rows(result), seconds: seconds))
    }
    return result
  }
}
