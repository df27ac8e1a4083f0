import CairnQuery

extension Realm {
  /// A query that took long.
  public struct SlowQuery: Sendable, CustomStringConvertible {
    /// The name of the class.
    public let className: String
    /// The time that the query has taken.
    public let duration: Duration
    /// The number of objects that the query has found; nil for figures over the objects.
    public let count: Int?
    /// The plan with the figures of the run, in lines, as `explain()` describes a query.
    public let plan: String

    /// The plan.
    public var description: String { plan }
  }

  /// The report of queries that take long. It does not include joins, and the work of notifications.
  public struct SlowQueryReport: Sendable {
    /// The duration from which on a query is reported.
    public let threshold: Duration
    /// Receives each slow query, on the thread of the query, before the query returns its result.
    public let handler: @Sendable (SlowQuery) -> Void

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - threshold: the duration from which on a query is reported.
    ///   - handler: receives each slow query, on the thread of the query. The query waits for it. If
    ///     a loop reads objects one after the other, it is called once, when the searches of the
    ///     query have taken this long.
    public init(over threshold: Duration, handler: @escaping @Sendable (SlowQuery) -> Void) {
      self.threshold = threshold
      self.handler = handler
    }

    var watch: SlowQueryWatch {
      SlowQueryWatch(threshold: threshold / .seconds(1)) { [handler] run in
        handler(
          SlowQuery(
            className: run.className, duration: .seconds(run.seconds),
            count: run.areMatchesCounted ? run.matches : nil, plan: run.description))
      }
    }
  }
}
