import CairnFormats
import CairnGeometry
import CairnPostgres
import CairnQuery
import CairnStorage
import CairnSystem
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// The asynchronous store.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"), .tags(.threads))
struct PostgresStoreTests {
  private let store = PostgresStore(PostgresAddress(Cluster.url()))

  @Test func rowsAndCountsAreThoseThatMeetTheCondition() async throws {
    try Cluster.psql(
      """
      CREATE TABLE towns AS SELECT n AS id, CASE n % 3 WHEN 0 THEN 'Bern' WHEN 1 THEN 'BERN' END AS name,
        ST_Point((n % 360) - 180, (n % 180) - 90, 4326)::geometry(Point,4326) AS place
        FROM generate_series(1, 20000) AS n
      """)
    let exact = try Predicate(parsing: "id > 19000")
    let folded = try Predicate(parsing: "name ==[c] 'bern' AND id <= 9000")
    #expect(try await store.count(of: "towns") == 20000)
    #expect(try await store.count(of: "towns", where: exact) == 1000)
    #expect(try await store.count(of: "towns", where: folded) == 6000)
    var ids: Set<Int> = []
    for try await row in store.rows(of: "towns", where: folded, columns: ["id"]) {
      ids.insert(try #require(row["id"].int))
      #expect(row["place"].isNull && row.names == ["id", "name"])
    }
    #expect(ids == Set((1...9000).filter { $0 % 3 < 2 }))
    var first: RecordValue?
    for try await row in store.rows(of: "towns", where: try Predicate(parsing: "id == 200")) {
      first = row["place"]
    }
    #expect(first?.location?.longitude == 20 && first?.location?.latitude == -70)
    #expect(try await store.tables().contains("towns"))
    try Cluster.psql("DROP TABLE towns")
  }

  @Test func theEndOfAnIterationEndsTheQuery() async throws {
    try Cluster.psql("CREATE VIEW endless AS SELECT generate_series(1, 2000000000) AS n")
    for try await row in store.rows(of: "endless") {
      #expect(row["n"].int == 1)
      break
    }
    let task = Task {
      var count = 0
      for try await _ in store.rows(of: "endless") {
        count += 1
        if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try Cluster.psql("DROP VIEW endless")
  }

  @Test func errorsAreThoseOfTheServer() async throws {
    await #expect(throws: PostgresError.self) { try await store.count(of: "missing") }
    await #expect(throws: PostgresError.self) {
      for try await _ in store.rows(of: "missing") {}
    }
    try Cluster.psql(
      "CREATE VIEW failing AS SELECT 1 / (n - 5000) AS n FROM generate_series(1, 9000) AS n")
    let error = await #expect(throws: PostgresError.self) {
      for try await _ in store.rows(of: "failing") {}
    }
    #expect(error?.sqlState == "22012")
    try Cluster.psql("DROP VIEW failing")
  }
}

/// A server that ends a connection.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"), .tags(.threads))
struct EndedConnectionTests {
  @Test func anEndedConnectionEndsTheQuery() throws {
    let reader = try PostgresConnection(PostgresAddress(Cluster.url()))
    let end = try Self.statement(ending: reader)
    var rows = 0
    let error = #expect(throws: PostgresError.self) {
      try reader.forEachRow("SELECT generate_series(1, 100000000) AS n") { _ in
        if rows == 0 { Self.run(end) }
        rows += 1
      }
    }
    #expect(error?.kind == .connection, "\(error?.description ?? "")")
    #expect(rows < 100_000_000 && !reader.isAlive)
  }

  @Test func anEndedPushPublishesNothing() throws {
    let store = try Store.openInMemory(identifier: "ended push")
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable(
      "half",
      columns: [ColumnSchema(id: 0, name: "t", type: .string, isOptional: true, position: 0)])
    let text = String(repeating: "x", count: 1000)
    for _ in 0..<4000 { try writer.insert([.string(text)]) }
    try transaction.commit()
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("half"))
    let sender = try PostgresConnection(PostgresAddress(Cluster.url()))
    let end = try Self.statement(ending: sender)
    var isEnded = false
    let failed = #expect(throws: PostgresError.self) {
      try PostgresPush(table, of: snapshot, to: sender).run { _ in
        guard !isEnded else { return }
        isEnded = true
        Self.run(end)
      }
    }
    #expect(isEnded && failed?.kind == .connection, "\(failed?.description ?? "")")
    let tables =
      "SELECT count(*) FROM pg_class WHERE relname LIKE 'half%' OR relkind = 'r' AND relname LIKE 'cairn_load%'"
    #expect(try Cluster.psql(tables) == ["0"])
  }

  private static func run(_ statement: String) {
    do { try Cluster.psql(statement) } catch { Issue.record(error) }
  }

  /// The statement that ends a connection, for another connection.
  private static func statement(ending connection: PostgresConnection) throws -> String {
    let process = try #require(try connection.execute("SELECT pg_backend_pid()")[0][0])
    return "SELECT pg_terminate_backend(\(process), 10000)"
  }
}
