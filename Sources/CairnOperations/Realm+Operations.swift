// Without the trait `Operations`, Swift fetches neither swift-log nor swift-metrics, and this module
// is empty.
#if Operations
import CairnObjects
import Logging
import Metrics

extension Realm.Configuration {
  /// Sends the events and the slow queries of the realm to a logger of swift-log, and counts them
  /// with swift-metrics. Handlers that the configuration has already are called as well.
  ///
  ///     var configuration = Realm.Configuration.defaultConfiguration
  ///     configuration.observe(with: Logger(label: "cities"))
  ///
  /// | message | level | metadata |
  /// |---|---|---|
  /// | slow query | warning | `class`, `milliseconds`, `objects`, `plan` |
  /// | failed commit | error | `store`, `milliseconds` |
  /// | migration, compaction | info | `store`, `milliseconds`; versions or bytes |
  /// | opening, closing, commit | debug | `store`, `milliseconds` |
  ///
  /// The counters are `cairn_opened_total`, `cairn_closed_total`, `cairn_migrations_total`,
  /// `cairn_compactions_total`, `cairn_commits_total`, `cairn_failed_commits_total`, and
  /// `cairn_slow_queries_total` with the dimension `class`. The timers are `cairn_opening`,
  /// `cairn_commit`, and `cairn_slow_query`. Bootstrap `MetricsSystem` before this call.
  ///
  /// - Parameters:
  ///   - logger: Receives the messages.
  ///   - threshold: The duration from which on a query is slow; nil for no report of queries.
  public mutating func observe(
    with logger: Logging.Logger, slowQueriesOver threshold: Duration? = .milliseconds(100)
  ) {
    let reporter = EventReporter(logger)
    let events = events
    self.events = { event in
      events?(event)
      reporter.report(event)
    }
    guard let threshold else { return }
    let known = slowQueries
    slowQueries = Realm.SlowQueryReport(over: min(threshold, known?.threshold ?? threshold)) {
      query in
      if let known, query.duration >= known.threshold { known.handler(query) }
      if query.duration >= threshold { reporter.report(query) }
    }
  }
}

/// The logger and the metrics of one configuration.
private struct EventReporter: Sendable {
  private let logger: Logging.Logger
  private let opened = Counter(label: "cairn_opened_total")
  private let closed = Counter(label: "cairn_closed_total")
  private let migrations = Counter(label: "cairn_migrations_total")
  private let compactions = Counter(label: "cairn_compactions_total")
  private let commits = Counter(label: "cairn_commits_total")
  private let failedCommits = Counter(label: "cairn_failed_commits_total")
  private let held = Gauge(label: "cairn_held_bytes")
  private let opening = Metrics.Timer(label: "cairn_opening")
  private let commit = Metrics.Timer(label: "cairn_commit")
  private let slowQuery = Metrics.Timer(label: "cairn_slow_query")

  init(_ logger: Logging.Logger) { self.logger = logger }

  func report(_ event: Realm.Event) {
    var metadata: Logging.Logger.Metadata = ["store": "\(event.store)"]
    if event.kind != .closed { metadata["milliseconds"] = "\(event.duration.milliseconds)" }
    switch event.kind {
    case .opened:
      opened.increment()
      opening.recordNanoseconds(event.duration.nanoseconds)
      logger.debug("opened a realm", metadata: metadata)
    case .closed:
      closed.increment()
      logger.debug("closed a realm", metadata: metadata)
    case .migrated(let old, let new):
      migrations.increment()
      metadata["from"] = "\(old)"
      metadata["to"] = "\(new)"
      logger.info("migrated a store", metadata: metadata)
    case .compacted(let before, let after):
      compactions.increment()
      metadata["before"] = "\(before)"
      metadata["after"] = "\(after)"
      logger.info("compacted a store", metadata: metadata)
    case .committed:
      commits.increment()
      commit.recordNanoseconds(event.duration.nanoseconds)
      logger.debug("committed a write", metadata: metadata)
    case .failedCommit:
      failedCommits.increment()
      logger.error("failed to commit a write", metadata: metadata)
    case .growing(let growth):
      held.record(growth.bytes)
      metadata["bytes"] = "\(growth.bytes)"
      metadata["commits"] = "\(growth.commits)"
      metadata["holders"] = "\(growth.holders.joined(separator: ", "))"
      logger.warning("a reader keeps a store from reusing space", metadata: metadata)
    }
  }

  func report(_ query: Realm.SlowQuery) {
    Counter(label: "cairn_slow_queries_total", dimensions: [("class", query.className)])
      .increment()
    slowQuery.recordNanoseconds(query.duration.nanoseconds)
    var metadata: Logging.Logger.Metadata = [
      "class": "\(query.className)", "milliseconds": "\(query.duration.milliseconds)",
      "plan": "\(query.plan)",
    ]
    if let count = query.count { metadata["objects"] = "\(count)" }
    logger.warning("slow query", metadata: metadata)
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
#endif
