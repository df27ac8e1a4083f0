import CairnPostgres
import CairnSystem
import CairnTestSupport
import Testing

/// Addresses need no server.
@Suite struct AddressTests {
  @Test(arguments: [
    ("postgres://me:secret@host:5432/db?sslmode=require", "postgres://me@host:5432/db"),
    ("postgresql://me:se@cret@host/db", "postgresql://me@host/db"),
    ("postgres:///db?host=/tmp&password=secret", "postgres:///db"),
    ("postgres://host/db", "postgres://host/db"),
    ("host=a password=secret", "the database"),
    ("postgres://me:secret@/db?host=/tmp", "postgres://me@/db"),
    ("postgres://me:se/secret@host/db", "the database"),
    ("postgres://me:se?secret@host/db", "the database"),
    ("postgres://a:1,[::1]:2,[::1]/db", "postgres://a:1,[::1]:2,[::1]/db"),
  ])
  func aDescriptionHasNoPassword(text: String, description: String) {
    #expect("\(PostgresAddress(text))" == description)
  }

  @Test(arguments: [
    "postgres://me:secret@host:port/db?nonsense=secret", "postgres://me:secret@[host/db",
    "postgres://host:port:secret@/db?x", "postgres://me:secret/x@host/db",
  ])
  func anUnreadableAddressIsNotQuoted(text: String) throws {
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection(PostgresAddress(text))
    }
    let known = try #require(error)
    if known.kind == .library { return }
    #expect(known.kind == .usage || known.kind == .connection)
    #expect(!known.description.contains("secret"), "\(known)")
  }

  @Test func aServerThatIsMissingIsAnErrorOfTheConnection() throws {
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection(PostgresAddress("postgres:///db?host=/nonexistent&password=secret"))
    }
    let known = try #require(error)
    if known.kind == .library { return }
    #expect(known.kind == .connection && known.sqlState == nil)
    #expect(known.description.contains("/nonexistent") && !known.description.contains("\n"))
    #expect(!known.description.contains("secret"))
  }
}

@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct ConnectionTests {
  private let connection: PostgresConnection

  init() throws { connection = try PostgresConnection(PostgresAddress(Cluster.url())) }

  @Test func anErrorHasTheServersWords() throws {
    try connection.execute("CREATE TEMPORARY TABLE keyed (id int PRIMARY KEY)")
    try connection.execute("INSERT INTO keyed VALUES (1)")
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("INSERT INTO keyed VALUES (1)")
    }
    #expect(error?.kind == .server && error?.severity == "ERROR" && error?.sqlState == "23505")
    #expect(error?.detail == "Key (id)=(1) already exists.")
    #expect(
      error?.description
        == "duplicate key value violates unique constraint \"keyed_pkey\" (SQLSTATE 23505); "
        + "Key (id)=(1) already exists")
    let unknown = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT nonsense(1)")
    }
    #expect(unknown?.hint?.isEmpty == false)
    // The connection can be used again.
    #expect(try connection.execute("SELECT 1, NULL") == [["1", nil]])
  }

  @Test func parametersAreValuesAndNotText() throws {
    let texts: [String?] = ["", "it's; DROP TABLE x --", nil, "ü"]
    for text in texts {
      let rows = try connection.execute("SELECT $1::text", [PostgresParameter(text: text)])
      #expect(rows == [[text]])
    }
    let bytes: [UInt8] = [0, 1, 255]
    let rows = try connection.execute(
      "SELECT length($1), $2::int", [PostgresParameter(data: bytes), PostgresParameter(text: "7")])
    #expect(rows == [["3", "7"]])
    #expect(try connection.execute("SELECT length($1)", [PostgresParameter(data: [])]) == [["0"]])
  }

  @Test func rowsArriveOneByOne() throws {
    var (count, sum) = (0, 0)
    try connection.forEachRow("SELECT n FROM generate_series(1, 50000) AS n") { row in
      count += 1
      sum += row.bytes(0).map { Int(Int32(bigEndian: $0.loadUnaligned(as: Int32.self))) } ?? 0
    }
    #expect(count == 50000 && sum == 50000 * 50001 / 2)
  }

  @Test func anErrorOfTheReaderStopsTheServer() throws {
    let error = #expect(throws: PostgresError.self) {
      try connection.forEachRow("SELECT generate_series(1, 1000000000) AS n") {
        row throws(PostgresError) in
        try PostgresConnectionProbe.fail()
      }
    }
    #expect(error?.kind == .data)
    #expect(try connection.execute("SELECT 1") == [["1"]])
  }

  @Test func anotherThreadCancelsAStatement() throws {
    var isCancelled = false
    let connection = connection
    let error = #expect(throws: PostgresError.self) {
      try connection.forEachRow("SELECT generate_series(1, 1000000000) AS n") { _ in
        guard !isCancelled else { return }
        isCancelled = true
        Threads.startJoinable { connection.cancel() }.join()
      }
    }
    #expect(error?.kind == .cancelled && error?.sqlState == "57014")
    #expect(try connection.execute("SELECT 1") == [["1"]])
  }

  @Test func aConnectionThatTheServerEndsIsBroken() throws {
    let error = #expect(throws: PostgresError.self) {
      try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    }
    #expect(error?.kind == .connection && error?.sqlState == "57P01")
    #expect(!connection.isAlive)
    let next = #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }
    #expect(next?.kind == .connection)
  }

  @Test func aCopyThatFailsLeavesNoRow() throws {
    try connection.execute("CREATE TEMPORARY TABLE copied (n int)")
    let bad = #expect(throws: PostgresError.self) {
      try connection.copyIn("COPY copied FROM STDIN") { input throws(PostgresError) in
        try PostgresConnectionProbe.send("1\nx\n", to: input)
      }
    }
    #expect(bad?.kind == .server && bad?.sqlState == "22P02")
    let stopped = #expect(throws: PostgresError.self) {
      try connection.copyIn("COPY copied FROM STDIN") { input throws(PostgresError) in
        try PostgresConnectionProbe.send("1\n", to: input)
        try PostgresConnectionProbe.fail()
      }
    }
    #expect(stopped?.kind == .data)
    #expect(try connection.execute("SELECT count(*) FROM copied") == [["0"]])
    #expect(throws: PostgresError.self) { try connection.copyIn("SELECT 1") { _ in } }
    var lines = ""
    try connection.copyOut("COPY (VALUES (1), (2)) TO STDOUT") {
      lines += String(decoding: $0, as: UTF8.self)
    }
    #expect(lines == "1\n2\n")
  }
}

/// The parts of a test that throw a typed error.
private enum PostgresConnectionProbe {
  static func fail() throws(PostgresError) {
    throw PostgresError(.data, message: "the reader has failed")
  }

  static func send(_ text: String, to input: CopyInput) throws(PostgresError) {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { bytes -> Result<Void, PostgresError> in
      do throws(PostgresError) { return .success(try input.send(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
