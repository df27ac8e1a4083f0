import CairnModelTestSupport
import CairnObjects
import CairnSystem
import Testing

private class SlowRow: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0
}

/// The report of slow queries: which runs it receives, and what it tells about them.
@Suite struct SlowQueryTests {
  private let world = TemporaryStore()

  /// The reported queries. The handler and the test are on one thread.
  private final class Log: Sendable {
    private let entries = Mutex<[Realm.SlowQuery]>([])

    func add(_ query: Realm.SlowQuery) { entries.withLock { $0.append(query) } }

    /// Removes the entries and returns them.
    func take() -> [Realm.SlowQuery] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  private func realm(_ log: Log, over threshold: Duration) throws -> Realm {
    var configuration = Realm.Configuration(fileURL: world.url)
    configuration.objectTypes = [SlowRow.self]
    configuration.slowQueries = .init(over: threshold) { log.add($0) }
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<10_000 { realm.add(SlowRow(value: ["id": id, "number": id % 7])) }
    }
    return realm
  }

  @Test func everyRunIsReportedOnce() throws {
    let log = Log()
    let realm = try realm(log, over: .zero)
    let rows = realm.objects(SlowRow.self)
    let some = rows.where { $0.number == 3 }
    _ = log.take()
    #expect(some.count == 1429)
    let counted = log.take()
    #expect(counted.count == 1)
    let query = try #require(counted.first)
    #expect(query.className == "SlowRow" && query.count == 1429 && query.duration >= .zero)
    #expect(query.plan.hasPrefix("SlowRow: number == 3\n└─ keep those where number == 3\n"))
    #expect(query.plan.contains("matches     1429"))
    func withoutTime(_ plan: String) -> [Substring] {
      plan.split(separator: "\n").filter { !$0.hasPrefix("time") }
    }
    #expect(withoutTime(query.plan) == withoutTime(some.explain()))
    #expect(log.take().isEmpty, "explain is not a query of the program")
    #expect(rows.where { $0.number == 4 }.reduce(0) { sum, _ in sum + 1 } == 1428)
    #expect(log.take().count == 1, "a loop is one query")
    #expect(rows.sorted(by: \.number).first?.number == 0)
    #expect(log.take().count == 1)
    #expect(rows.where { $0.number == 5 }.max(of: \.id) == 9_994)
    let figures = log.take()
    #expect(figures.map(\.count) == [nil] && !figures[0].plan.contains("matches"))
  }

  @Test func fastQueriesAreNotReported() throws {
    let log = Log()
    let realm = try realm(log, over: .seconds(1000))
    #expect(realm.objects(SlowRow.self).where { $0.number == 3 }.count == 1429)
    #expect(log.take().isEmpty)
  }
}
