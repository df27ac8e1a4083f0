import CairnPostgres
import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// Tables whose rows are in partitions, on one server and on several: databases of the same cluster,
/// one of which has the whole table too. The store that was pushed is the oracle.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct PartitionTests {
  /// The databases that keep partitions.
  private static let databases = ["postgres", "shard_a", "shard_b"]
  private static let servers = databases.map { Cluster.url(database: $0) }

  private static let pushed = Result { try Pushed() }

  /// A store with places and roads, and tables of them: `near` in partitions of one database, `far` on
  /// servers.
  private struct Pushed {
    let folder: TemporaryFolder
    let store: String

    init() throws {
      folder = try TemporaryFolder()
      store = folder.file()
      for database in databases.dropFirst() {
        try Cluster.psql("CREATE DATABASE \(database)")
        try Cluster.psql("CREATE EXTENSION postgis", database: database)
      }
      try Cluster.psql(
        """
        SELECT setseed(0.23);
        CREATE TABLE points AS SELECT n AS id, (random() * 1000)::int8 AS size,
          (ARRAY['Bern', 'bern', 'Thun', ''])[1 + n % 4] AS name,
          round((random() * 360 - 180)::numeric, 4)::float8 AS x,
          round((random() * 180 - 90)::numeric, 4)::float8 AS y FROM generate_series(1, 4000) AS n;
        CREATE TABLE places (id int8 PRIMARY KEY, name text, size int8, location geometry(Point,4326));
        INSERT INTO places SELECT id, name, size, CASE WHEN id % 50 > 0 THEN ST_Point(x, y, 4326) END FROM points;
        CREATE TABLE roads (id int8 PRIMARY KEY, name text, size int8, way geometry(LineString,4326));
        INSERT INTO roads SELECT id, name, size, CASE WHEN id % 70 > 0 THEN ST_SetSRID(ST_MakeLine(
          ST_MakePoint(x, y), ST_MakePoint(least(x + id % 9 / 10.0, 180), least(y + 0.3, 90))), 4326) END
          FROM points;
        DROP TABLE points;
        CREATE INDEX ON places (size)
        """)
      for name in ["places", "roads"] {
        try succeed("pull", Cluster.url(), name, store, "--quiet")
        try Cluster.psql("DROP TABLE \(name)")
      }
      for name in ["places", "roads"] {
        try succeed(
          "push", store, name, Cluster.url(), "--table", "near \(name)", "--partitions", "16",
          "--quiet")
        try succeed(
          ["push", store, name, Cluster.url(), "--table", "far \(name)", "--partitions", "16"]
            + servers.flatMap { ["--server", $0] } + ["--quiet"])
      }
    }
  }

  @discardableResult
  private static func succeed(_ arguments: [String]) throws -> Command.Outcome {
    let outcome = try Command.run(arguments)
    guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
    return outcome
  }

  @discardableResult
  private static func succeed(_ arguments: String...) throws -> Command.Outcome {
    try succeed(arguments)
  }

  /// Questions with random shapes, some over the antimeridian and the poles.
  private static let questions: [[String]] = {
    var random = SplitMix64(seed: 41)
    func degrees(_ limit: Int) -> Double {
      Double(random.below(limit * 2000) - limit * 1000) / 1000
    }
    var questions: [[String]] = [
      ["count", "--bbox", "175,-40,-170,40"], ["count", "--near", "89,10", "--radius", "900km"],
      ["count", "--near", "0,179.9", "--radius", "700km"], ["count", "size BETWEEN {100, 200}"],
      ["query", "--near", "10,-179.8", "--limit", "7"], ["query", "id == 77"],
      ["query", "name ==[c] 'BERN' AND size > 900", "--sort", "size:desc,id", "--limit", "20"],
    ]
    for _ in 0..<4 {
      let (south, west) = (degrees(80), degrees(180))
      let box = "\(west),\(south),\(min(180, west + 25)),\(south + 9)"
      questions.append(["count", "--bbox", box])
      questions.append(["query", "--bbox", box, "--sort", "id"])
      questions.append(["count", "--near", "\(south),\(west)", "--radius", "1200km"])
      questions.append(["query", "size > 300", "--near", "\(south),\(west)", "--limit", "5"])
      let area =
        "POLYGON((\(west) \(south),\(west + 9) \(south + 1),\(west + 4) \(south + 8),\(west) \(south)))"
      if west < 170 { questions.append(["count", "--within", area]) }
    }
    return questions
  }()

  @Test(arguments: questions)
  func aTableInPartitionsAnswersLikeItsStore(question: [String]) throws {
    let pushed = try Self.pushed.get()
    func run(_ source: String, _ table: String) throws -> Command.Outcome {
      let format = question[0] == "count" ? [] : ["--format", "csv"]
      return try Command.run([question[0], source, table] + question.dropFirst() + format)
    }
    let names =
      question.contains { $0.contains("size") || $0.contains("name") }
      ? ["places"] : ["places", "roads"]
    for name in names {
      let here = try run(pushed.store, name)
      #expect(here.code == 0 && !here.output.isEmpty, "\(here.errors)")
      for table in ["near \(name)", "far \(name)"] {
        let there = try run(Cluster.url(), table)
        #expect(there.code == 0 && there.output == here.output, "\(table): \(there.errors)")
      }
    }
  }

  @Test(arguments: ["near", "far"]) func aSmallShapeReadsOnePartitionOfSixteen(place: String) throws
  {
    _ = try Self.pushed.get()
    for name in ["places", "roads"] {
      let plan = try Self.succeed(
        "query", Cluster.url(), "\(place) \(name)", "--near", "10.4,20.3", "--radius", "10km",
        "--explain"
      ).output
      let scans = plan.matches(of: /(Index|Seq|Foreign|Bitmap Heap) Scan [^\n]*_p\d+_/)
      #expect((1...2).contains(scans.count), "\(plan)")
    }
  }

  @Test func theRowsComeBackUnchanged() throws {
    let pushed = try Self.pushed.get()
    let back = pushed.folder.file("back.cairn")
    for name in ["places", "roads"] {
      let wanted = try Self.succeed(
        "query", pushed.store, name, "--sort", "id", "--limit", "9999", "--format", "jsonl"
      ).output
      for table in ["near \(name)", "far \(name)"] {
        try Self.succeed("pull", Cluster.url(), table, back, "--class", table, "--quiet")
        let rows = try Self.succeed(
          "query", back, table, "--sort", "id", "--limit", "9999", "--format", "jsonl"
        ).output
        #expect(rows == wanted && rows.split(separator: "\n").count == 4000)
      }
    }
    let schema = try Self.succeed("schema", back, "far places", "--json").output
    #expect(schema.replacing(" ", with: "").contains(#""primaryKey":"id""#), "\(schema)")
    let listed = try Self.succeed("schema", Cluster.url()).output
    #expect(listed.contains("far places") && !listed.contains("_p0_"), "\(listed)")
  }

  // MARK: Replacing

  /// The tables of partitions of a table in all databases.
  private static func partitions(of table: String) throws -> Int {
    try databases.reduce(0) { count, database in
      let found = try Cluster.psql(
        "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'f') AND starts_with(relname, '\(table)_p')",
        database: database)
      return count + (found.first.flatMap { Int($0) } ?? 0)
    }
  }

  @Test func aTableWithPartitionsIsReplacedAsAWhole() throws {
    let pushed = try Self.pushed.get()
    let push = [
      "push", pushed.store, "places", Cluster.url(), "--table", "odd \"é\" name", "--quiet",
    ]
    let far = push + ["--partitions", "4"] + Self.servers.flatMap { ["--server", $0] }
    try Self.succeed(far)
    for arguments in [push, far, push + ["--partitions", "2"]] {
      let refused = try Command.run(arguments)
      #expect(
        refused.code == 64 && refused.errors.contains("replaced as a whole"), "\(refused.errors)")
    }
    // Each form replaces each other form, and leaves no partition behind.
    let forms: [([String], Int)] = [
      (far, 4 + 4), (push + ["--partitions", "3"], 3 + 4), (far, 4 + 4), (push, 4), (far, 8),
    ]
    for (arguments, count) in forms {
      try Self.succeed(arguments + ["--replace"])
      #expect(try Self.partitions(of: "odd \"é\" name") == count, "\(arguments)")
      let rows = try Self.succeed("count", Cluster.url(), "odd \"é\" name").output
      #expect(rows.hasPrefix("4000"), "\(rows)")
    }
  }

  @Test func aPushThatLosesAServerPublishesNothing() throws {
    let pushed = try Self.pushed.get()
    let store = try Store.open(pushed.store, mode: .readOnly)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("places"))
    func push(progress: (Int) -> Void) throws -> PostgresPush.Summary {
      try PostgresPush(
        table, of: snapshot, to: PostgresConnection(PostgresAddress(Cluster.url())),
        name: "lost", existing: .replace,
        partitioning: Partitioning(servers: Self.servers.map(PostgresAddress.init))
      ).run(progress: progress)
    }
    #expect(try push { _ in }.partitions == 12)
    // A lock on the server's catalogue keeps its load waiting until the connection ends.
    let blocker = try PostgresConnection(PostgresAddress(Cluster.url(database: "shard_b")))
    try blocker.execute("BEGIN")
    try blocker.execute("LOCK pg_description IN ACCESS EXCLUSIVE MODE")
    var isEnded = false
    let error = #expect(throws: PostgresError.self) {
      try push { _ in
        guard !isEnded else { return }
        let ended = try? blocker.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = 'shard_b' AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'
          """)
        isEnded = ended?.isEmpty == false
        if isEnded { _ = try? blocker.execute("ROLLBACK") }
      }
    }
    #expect(error?.description.contains("shard_b") == true, "\(error?.description ?? "none")")
    #expect(try Self.partitions(of: "lost") == 24)
    #expect(try Self.succeed("count", Cluster.url(), "lost").output.hasPrefix("4000"))
    // The next push succeeds, and drops what was there.
    #expect(try push { _ in }.leftovers == [])
    #expect(try Self.partitions(of: "lost") == 24)
  }

  @Test func tablesOfAKilledPushAreDroppedByTheNext() throws {
    let pushed = try Self.pushed.get()
    let push =
      ["push", pushed.store, "places", Cluster.url(), "--table", "killed", "--replace", "--quiet"]
      + Self.servers.flatMap { ["--server", $0] }
    try Self.succeed(push)
    // A push that was killed between its servers and its publication leaves tables like this one.
    try Cluster.psql(
      """
      CREATE TABLE killed_p0_00000000 (); DO $$ DECLARE words text; BEGIN
        SELECT obj_description(oid, 'pg_class') INTO words FROM pg_class
          WHERE relkind = 'r' AND starts_with(relname, 'killed_p') AND obj_description(oid, 'pg_class') <> '' LIMIT 1;
        EXECUTE format('COMMENT ON TABLE killed_p0_00000000 IS %L', left(words, -8) || '00000000');
      END $$
      """, database: "shard_a")
    #expect(try Self.partitions(of: "killed") == 25)
    try Self.succeed(push)
    #expect(try Self.partitions(of: "killed") == 24)
  }

  // MARK: Misuse

  @Test func misuseIsNamed() throws {
    let pushed = try Self.pushed.get()
    let push = ["push", pushed.store, "places", Cluster.url(), "--table", "refused"]
    let cases: [([String], Int32, String)] = [
      (["--partitions", "0"], 64, "--partitions must be between 1 and 1024"),
      (["--partitions", "1025"], 64, "--partitions must be between 1 and 1024"),
      (["--partitions", "1"] + Self.servers.flatMap { ["--server", $0] }, 64, "at least as many"),
      (
        ["--server", Self.servers[1], "--server", Self.servers[1] + "&port=5432"], 64, "same server"
      ),
      (["--server", "host=a"], 64, "not an address"),
      (["--server", "postgres:///a?host=/nonexistent"], 74, "/nonexistent"),
      (["--server", Cluster.url(database: "template1")], 64, "has no PostGIS"),
    ]
    for (options, code, words) in cases {
      let outcome = try Command.run(push + options)
      #expect(
        outcome.code == code && outcome.errors.contains(words), "\(options): \(outcome.errors)")
      #expect(try Cluster.psql("SELECT to_regclass('refused') IS NULL") == ["t"])
    }
    #expect(try Self.partitions(of: "refused") == 0)
  }

  @Test func twoPushesToOneTableTakeTurns() throws {
    let pushed = try Self.pushed.get()
    let holder = try PostgresConnection(PostgresAddress(Cluster.url()))
    try holder.execute("SELECT pg_advisory_lock(hashtextextended('cairn push public.turns', 0))")
    let outcome = try Command.run([
      "push", pushed.store, "places", Cluster.url(), "--table", "turns", "--server",
      Self.servers[1],
    ])
    #expect(outcome.code == 64 && outcome.errors.contains("another push"), "\(outcome.errors)")
  }
}
