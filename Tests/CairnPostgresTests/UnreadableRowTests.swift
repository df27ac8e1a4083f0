import CairnPostgres
import CairnQuery
import CairnTestSupport
import Foundation
import Testing

/// Rows with a value that Cairn cannot read. A view without these rows is the oracle: with
/// `--on-error skip`, the table gives the answers of the view.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct UnreadableRowTests {
  private static let folder = Result { () throws -> TemporaryFolder in
    // The rows that cannot be read have the greatest sizes, and are the nearest to 47° N 8° E.
    try Cluster.psql(
      """
      CREATE TABLE odd (id int PRIMARY KEY, name text, day date, at timestamp, size int, price numeric,
        area geometry(Polygon,4326), spot geometry(Point,4326));
      INSERT INTO odd SELECT n, (ARRAY['Bern', 'bern', 'Thun'])[1 + n % 3], date '2020-01-01' + n, now(), n, n / 7.0,
        ST_MakeEnvelope(n, 0, n + 1, 1, 4326), ST_Point(n, 10, 4326) FROM generate_series(1, 60) AS n;
      UPDATE odd SET size = 1000 + id, spot = ST_Point(8, 47, 4326) WHERE id IN (3, 7, 11, 13, 17, 19, 23);
      UPDATE odd SET day = 'infinity' WHERE id = 3;
      UPDATE odd SET day = '-infinity' WHERE id = 7;
      UPDATE odd SET area = ST_GeomFromText('POLYGON((0 0,4 4,4 0,0 4,0 0))', 4326) WHERE id = 11;
      UPDATE odd SET price = 1234567890123456789012345678901234567890.5 WHERE id = 13;
      UPDATE odd SET spot = ST_Point(8, 97, 4326) WHERE id = 17;
      UPDATE odd SET at = 'infinity' WHERE id = 19;
      UPDATE odd SET price = '1e9000' WHERE id = 23;
      CREATE VIEW even AS SELECT * FROM odd WHERE id NOT IN (3, 7, 11, 13, 17, 19, 23)
      """)
    return try TemporaryFolder()
  }

  /// The beginnings of the messages about the rows.
  private static let messages = [
    "left out: table 'odd', id 3, column 'day': 'infinity' is not a date\n",
    "left out: table 'odd', id 7, column 'day': '-infinity' is not a date\n",
    "left out: table 'odd', id 11, column 'area': a geometry is invalid: ",
    "left out: table 'odd', id 13, column 'price': 1234567890123456789012345678901234567890… has more than",
    "left out: table 'odd', id 17, column 'spot': (8.0, 97.0) is not a longitude and a latitude",
    "left out: table 'odd', id 19, column 'at': 'infinity' is not a date\n",
    "left out: table 'odd', id 23, column 'price': 1E9000 is beyond the range of a decimal128\n",
  ]

  @Test(arguments: [
    ["query", "--sort", "id"], ["query", "--select", "name", "--sort", "id"],
    ["query", "--sort", "size:desc", "--limit", "5", "--select", "id,size"],
    ["query", "--sort", "day:desc", "--limit", "9", "--offset", "4", "--select", "id,day"],
    ["query", "--sort", "size:desc", "--limit", "500", "--select", "id"],
    ["query", "--near", "47,8", "--geometry", "spot", "--limit", "4", "--select", "id,distance"],
    ["query", "name ==[c] 'BERN'", "--sort", "size:desc", "--limit", "3", "--select", "id"],
    ["query", "--distinct", "name", "--sort", "name,id", "--select", "name"],
    ["count"], ["count", "size > 5"], ["count", "name ==[c] 'BERN'"], ["count", "--by", "name"],
    ["stats", "--of", "size"], ["stats", "--of", "size", "--by", "name"],
    ["stats", "--of", "price", "--figures", "median"],
    ["export", "--sort", "id", "--output", "-"],
  ])
  func aTableGivesTheAnswerOfItsOtherRows(arguments: [String]) throws {
    _ = try Self.folder.get()
    let isNumber = arguments[0] == "count" && !arguments.contains("--by")
    func run(_ table: String, _ options: [String]) throws -> Command.Outcome {
      try Command.run(
        [arguments[0], Cluster.url(), table] + arguments.dropFirst()
          + (isNumber ? [] : ["--format", "csv"]) + options)
    }
    let (wanted, found) = (try run("even", []), try run("odd", ["--on-error", "skip"]))
    #expect(wanted.code == 0 && !wanted.output.isEmpty, "\(wanted.errors)")
    #expect(found.code == 0 && found.output == wanted.output, "\(found.errors)")
    #expect(found.errors.contains(#/ of odd (was|were) left out\.\n/#), "\(found.errors)")
  }

  @Test func aJoinLeavesThemOutOfBothSides() throws {
    _ = try Self.folder.get()
    func run(_ table: String, _ options: [String]) throws -> Command.Outcome {
      try Command.run(
        [
          "join", Cluster.url(), table, table, "--on", "intersects", "--as", "a,b", "a.id < b.id",
          "--geometry", "a.area,b.area", "--select", "a.id,b.id", "--sort", "a.id,b.id",
          "--format", "csv",
        ] + options)
    }
    let (wanted, found) = (try run("even", []), try run("odd", ["--on-error", "skip"]))
    #expect(wanted.lines.count > 30 && found.output == wanted.output, "\(found.errors)")
  }

  @Test func theRowsAreNamed() throws {
    _ = try Self.folder.get()
    let found = try Command.run("count", Cluster.url(), "odd", "--on-error", "skip")
    #expect(found.output == "53\n")
    for message in Self.messages { #expect(found.errors.contains(message), "\(found.errors)") }
    #expect(found.errors.hasSuffix("Note: 7 rows of odd were left out.\n"), "\(found.errors)")
    #expect(!found.errors.contains("in all"))
  }

  @Test func withoutTheOptionTheRowIsAnErrorThatNamesIt() throws {
    let folder = try Self.folder.get()
    let store = folder.file("failed.cairn")
    let lines = [
      ["query", Cluster.url(), "odd"], ["pull", Cluster.url(), "odd", store, "--on-error", "fail"],
      ["stats", Cluster.url(), "odd", "--of", "day"],
    ]
    for line in lines {
      let outcome = try Command.run(line)
      #expect(outcome.code == 65 && outcome.output.isEmpty)
      #expect(
        outcome.errors.contains("column 'day': 'infinity' is not a date; --on-error skip of"),
        "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: store))
    // The server reads no value for these.
    #expect(try Command.run("count", Cluster.url(), "odd").output == "60\n")
    #expect(
      try Command.run("query", Cluster.url(), "odd", "--select", "id", "-n", "0", "--format", "csv")
        .code == 0)
  }

  @Test func aPullLeavesThemOut() throws {
    let folder = try Self.folder.get()
    let store = folder.file("pulled.cairn")
    let first = try Command.run(
      "pull", Cluster.url(), "odd", store, "--class", "rows", "--on-error", "skip")
    #expect(first.code == 0 && first.errors.contains("53 rows copied to rows"), "\(first.errors)")
    #expect(first.errors.contains(", 7 left out in "), "\(first.errors)")
    for message in Self.messages { #expect(first.errors.contains(message), "\(first.errors)") }
    let again = try Command.run(
      "pull", Cluster.url(), "odd", store, "--class", "rows", "--on-error", "skip", "--progress",
      "json")
    #expect(again.errors.contains(#""leftOut":7"#), "\(again.errors)")
    #expect(again.errors.contains(#"{"reason":"'day': infinity is not a date","rows":2}"#))
    let options = ["--sort", "id", "--format", "csv", "--limit", "99"]
    let rows = try Command.run(["query", store, "rows"] + options)
    let wanted = try Command.run(["query", Cluster.url(), "even"] + options)
    #expect(rows.output == wanted.output && rows.lines.count == 54)
    // A repaired geometry can be read.
    let repaired = try Command.run(
      "pull", Cluster.url(), "odd", store, "--class", "repaired", "--on-error", "skip", "--repair")
    #expect(repaired.errors.contains("54 rows") && repaired.errors.contains("6 left out"))
    // Columns that are not copied are not read.
    let narrow = try Command.run(
      "pull", Cluster.url(), "odd", store, "--class", "narrow", "--select", "id,size", "--on-error",
      "skip")
    #expect(narrow.errors.contains("60 rows copied") && !narrow.errors.contains("left out"))
  }

  @Test func manyRowsAreCountedByReason() throws {
    try Cluster.psql(
      """
      CREATE TABLE endless_days AS SELECT CASE WHEN n % 3 = 0 THEN date 'infinity' ELSE date '2020-01-01' END AS day,
        n AS size FROM generate_series(1, 9000) AS n
      """)
    defer { _ = try? Cluster.psql("DROP TABLE endless_days") }
    let found = try Command.run("count", Cluster.url(), "endless_days", "--on-error", "skip")
    #expect(found.output == "6000\n")
    #expect(found.errors.contains("left out in all: 3 000 × 'day': infinity is not a date\n"))
    #expect(found.errors.contains("left out: table 'endless_days', row 30, column 'day'"))
    #expect(found.errors.split(separator: "left out: table").count == 10)
    let limited = try Command.run(
      "query", Cluster.url(), "endless_days", "--sort", "day:desc,size", "--limit", "2500",
      "--on-error", "skip", "--format", "csv", "--select", "size")
    let wanted = (1...9000).filter { $0 % 3 != 0 }.prefix(2500).map { "\($0)" }
    #expect(Array(limited.lines.dropFirst()) == wanted, "\(limited.errors)")
  }

  @Test(arguments: [
    (["count", "STORE", "rows"], "every row of"),
    (["query", "FILE"], "--on-error skip`"),
    (["join", "FILE", "FILE", "--on", "within"], "applies to a database"),
  ])
  func otherRowsCanBeRead(arguments: [String], words: String) throws {
    let folder = try Self.folder.get()
    let file = try folder.file("towns.csv", "name,latitude,longitude\na,1,2\n")
    let store = folder.file("towns.cairn")
    if !FileManager.default.fileExists(atPath: store) {
      #expect(try Command.run("import", store, file.path, "--class", "rows").code == 0)
    }
    let outcome = try Command.run(
      arguments.map { $0 == "STORE" ? store : $0 == "FILE" ? file.path : $0 }
        + ["--on-error", "skip"])
    #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func aRowIsNamedByAllColumnsOfItsKey() throws {
    try Cluster.psql(
      """
      CREATE TABLE paired (day date, town text, year int, PRIMARY KEY (year, town));
      INSERT INTO paired VALUES ('2020-01-01', 'Bern', 2020), ('infinity', 'Thun', 2021)
      """)
    let found = try Command.run("count", Cluster.url(), "paired", "--on-error", "skip")
    #expect(
      found.errors.hasPrefix("left out: table 'paired', town Thun, year 2021, column 'day': "),
      "\(found.errors)")
    try Cluster.psql("DROP TABLE paired")
  }

  /// The number of a row is that of the whole result.
  @Test func aRowWithoutAKeyHasItsNumber() async throws {
    try Cluster.psql(
      """
      CREATE VIEW late AS
        SELECT CASE WHEN n = 9001 THEN timestamp 'infinity' ELSE timestamp '2020-01-01' END AS at
        FROM generate_series(1, 10000) AS n
      """)
    let error = await #expect(throws: PostgresError.self) {
      for try await _ in PostgresStore(PostgresAddress(Cluster.url())).rows(of: "late") {}
    }
    #expect(
      error?.description == "table 'late', row 9001, column 'at': 'infinity' is not a date",
      "\(error?.description ?? "none")")
    try Cluster.psql("DROP VIEW late")
  }
}
