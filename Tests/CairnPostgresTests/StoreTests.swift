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
@Suite(.serialized, .enabled(if: Cluster.isRunning)) struct PostgresStoreTests {
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
    try Cluster.psql("CREATE VIEW endless AS SELECT n FROM generate_series(1, 2000000000) AS n")
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

/// A server that dies.
@Suite(.serialized, .enabled(if: Cluster.isRunning)) struct DeadServerTests {
  @Test func aServerThatDiesEndsQueriesAndPublishesNothing() throws {
    let server = try Server()
    defer { server.stop() }
    let address = PostgresAddress("postgres:///postgres?user=\(Server.user)&host=\(server.socket)")
    let reader = try PostgresConnection(address)
    let pid = try #require(
      try reader.execute("SELECT pg_backend_pid()")[0][0].flatMap { Int32($0) })
    var rows = 0
    let error = #expect(throws: PostgresError.self) {
      try reader.forEachRow("SELECT n FROM generate_series(1, 1000000000) AS n") { _ in
        if rows == 0 { kill(pid, SIGKILL) }
        rows += 1
      }
    }
    #expect(error?.kind == .connection, "\(error?.description ?? "")")

    // The server restarts after the crash of a process of it; a push then dies in the same way.
    let store = try Store.openInMemory(identifier: "dead server")
    let transaction = try store.beginWrite()
    let writer = try transaction.createTable(
      "half",
      columns: [ColumnSchema(id: 0, name: "t", type: .string, isOptional: true, position: 0)])
    let text = String(repeating: "x", count: 1000)
    for _ in 0..<4000 { try writer.insert([.string(text)]) }
    try transaction.commit()
    let table = try #require(try store.snapshot().table("half"))
    let sender = try Self.connected(address)
    let backend = try #require(
      try sender.execute("SELECT pg_backend_pid()")[0][0].flatMap { Int32($0) })
    var isDead = false
    let failed = #expect(throws: PostgresError.self) {
      try PostgresPush(table, to: sender).run { _ in
        if !isDead { kill(backend, SIGKILL) }
        isDead = true
      }
    }
    #expect(isDead && failed?.kind == .connection, "\(failed?.description ?? "")")
    let after = try Self.connected(address)
    #expect(
      try after.execute("SELECT count(*) FROM pg_class WHERE relname LIKE 'half%'") == [["0"]])
  }

  /// Connects once the server has recovered.
  private static func connected(_ address: PostgresAddress) throws -> PostgresConnection {
    for _ in 0..<2000 {
      if let connection = try? PostgresConnection(address) { return connection }
      usleep(10_000)
    }
    return try PostgresConnection(address)
  }
}
