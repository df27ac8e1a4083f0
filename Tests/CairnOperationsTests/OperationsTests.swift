#if Operations
import Cairn
import CairnOperations
import CairnSystem
import Foundation
import Logging
import Metrics
import MetricsTestKit
import Testing

/// The events and slow queries of realms in swift-log and swift-metrics.
@Suite(.serialized) struct OperationsTests {
  final class Ship: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
  }

  /// The metrics of this process, which can be bootstrapped once.
  private static let metrics: TestMetrics = {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }()

  private let log = Log()
  private let folder: URL
  private var file: URL { folder.appendingPathComponent("ships.cairn") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "operations-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func configuration(version: UInt64 = 0) -> Realm.Configuration {
    _ = Self.metrics
    var configuration = Realm.Configuration(
      fileURL: file, schemaVersion: version, objectTypes: [Ship.self])
    let log = log
    var logger = Logging.Logger(label: "test") { _ in log }
    logger.logLevel = .trace
    configuration.observe(with: logger, slowQueriesOver: .zero)
    return configuration
  }

  private func count(_ label: String) -> Int64 {
    Self.metrics.counters(label: label).reduce(0) { $0 + $1.totalValue }
  }

  @Test func theLifeOfARealmIsLoggedAndCounted() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = configuration()
    let before = (count("cairn_opened_total"), count("cairn_commits_total"))
    try withRealm(configuration) { realm in
      try realm.write {
        for id in 0..<100 { realm.add(Ship(value: ["id": id, "name": "ship \(id)"])) }
      }
      #expect(realm.objects(Ship.self).where { $0.name == "ship 7" }.count == 1)
    }
    #expect(
      log.messages == ["opened a realm", "committed a write", "slow query", "closed a realm"])
    #expect(log.levels == [.debug, .debug, .warning, .debug])
    #expect(log.entries[0].metadata["store"] == "\(file.path)")
    let query = log.entries[2].metadata
    #expect(query["class"] == "Ship" && query["objects"] == "1")
    #expect(query["plan"].map { "\($0)".contains("name == 'ship 7'") } == true, "\(query)")
    #expect(count("cairn_opened_total") == before.0 + 1)
    #expect(count("cairn_commits_total") == before.1 + 1)
    let slow = Self.metrics.counters(label: "cairn_slow_queries_total")
    #expect(slow.first?.dimensions.first?.1 == "Ship")
  }

  @Test func migrationsAndCompactionsAreLogged() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try withRealm(configuration()) { realm in
      try realm.write { realm.add(Ship(value: ["id": 1, "name": "first"])) }
    }
    log.removeAll()
    var configuration = configuration(version: 3)
    configuration.shouldCompactOnLaunch = { _, _ in true }
    try withRealm(configuration) { realm in #expect(realm.objects(Ship.self).count == 1) }
    let entries = log.entries.filter { $0.level == .info }
    #expect(entries.map(\.message) == ["compacted a store", "migrated a store"])
    #expect(entries.first?.metadata["before"] != nil)
    #expect(entries.last?.metadata["from"] == "0" && entries.last?.metadata["to"] == "3")
  }

  /// Handlers that were there before are called as well.
  @Test func earlierHandlersRemain() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seen = Mutex((events: 0, queries: 0))
    var configuration = Realm.Configuration(fileURL: file, objectTypes: [Ship.self])
    configuration.events = { _ in seen.withLock { $0.events += 1 } }
    configuration.slowQueries = .init(over: .zero) { _ in seen.withLock { $0.queries += 1 } }
    let log = log
    configuration.observe(
      with: Logging.Logger(label: "test") { _ in log }, slowQueriesOver: .seconds(1000))
    try withRealm(configuration) { realm in
      #expect(realm.objects(Ship.self).where { $0.name == "none" }.isEmpty)
    }
    #expect(seen.withLock { $0.events } == 2, "opened and closed")
    #expect(seen.withLock { $0.queries } >= 1)
    #expect(!log.messages.contains("slow query"))
  }

  private func withRealm(
    _ configuration: Realm.Configuration, _ body: (Realm) throws -> Void
  ) throws {
    try body(Realm(configuration: configuration))
  }
}

/// A log in memory.
private final class Log: LogHandler {
  struct Entry {
    let level: Logging.Logger.Level
    let message: String
    let metadata: Logging.Logger.Metadata
  }

  private let content = Mutex<[Entry]>([])

  var entries: [Entry] { content.withLock { $0 } }
  var messages: [String] { entries.map(\.message) }
  var levels: [Logging.Logger.Level] { entries.map(\.level) }

  func removeAll() { content.withLock { $0 = [] } }

  var metadata: Logging.Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logging.Logger.Level {
    get { .trace }
    set {}
  }
  subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    content.withLock {
      $0.append(
        Entry(
          level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
    }
  }
}
#endif
