import CairnPostgres
import CairnStorage
import CairnSystem
import CairnTestSupport
import Foundation
import Testing

/// Tables whose rows are in partitions, on one server and on several: databases of the same cluster,
/// one of which has the whole table too. The store that was pushed is the oracle.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct PartitionTests {
  /// The databases that keep partitions.
  private static let databases = ["whole", "shard_a", "shard_b"]
  /// The address of the whole tables.
  private static let whole = Cluster.url(database: "whole")
  private static let servers = databases.map { Cluster.url(database: $0) }

  @discardableResult
  private static func psql(_ sql: String, database: String = "whole") throws -> [String] {
    try Cluster.psql(sql, database: database)
  }

  private static let pushed = Result { try Pushed() }

  /// A store with places and roads, and tables of them: `near` in partitions of one database, `far` on
  /// servers.
  private struct Pushed {
    let folder: TemporaryFolder
    let store: String

    init() throws {
      folder = try TemporaryFolder()
      store = folder.file()
      for database in databases {
        try Cluster.psql("CREATE DATABASE \(database)")
        try psql("CREATE EXTENSION postgis", database: database)
      }
      try psql(
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
        try succeed("pull", whole, name, store, "--quiet")
        try psql("DROP TABLE \(name)")
      }
      for name in ["places", "roads"] {
        try succeed(
          "push", store, name, whole, "--table", "near \(name)", "--partitions", "16",
          "--quiet")
        try succeed(
          ["push", store, name, whole, "--table", "far \(name)", "--partitions", "16"]
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
        let there = try run(Self.whole, table)
        #expect(there.code == 0 && there.output == here.output, "\(table): \(there.errors)")
      }
    }
  }

  @Test(arguments: ["near", "far"]) func aSmallShapeReadsOnePartitionOfSixteen(place: String) throws
  {
    _ = try Self.pushed.get()
    for name in ["places", "roads"] {
      let plan = try Self.succeed(
        "query", Self.whole, "\(place) \(name)", "--near", "10.4,20.3", "--radius", "10km",
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
        try Self.succeed("pull", Self.whole, table, back, "--class", table, "--quiet")
        let rows = try Self.succeed(
          "query", back, table, "--sort", "id", "--limit", "9999", "--format", "jsonl"
        ).output
        #expect(rows == wanted && rows.split(separator: "\n").count == 4000)
      }
    }
    let schema = try Self.succeed("schema", back, "far places", "--json").output
    #expect(schema.replacing(" ", with: "").contains(#""primaryKey":"id""#), "\(schema)")
    let listed = try Self.succeed("schema", Self.whole).output
    #expect(listed.contains("far places") && !listed.contains("_p0_"), "\(listed)")
  }

  // MARK: Replacing

  /// The tables of partitions of a table in all databases.
  private static func partitions(of table: String) throws -> Int {
    try databases.reduce(0) { count, database in
      let found = try psql(
        "SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'f') AND starts_with(relname, '\(table)_p')",
        database: database)
      return count + (found.first.flatMap { Int($0) } ?? 0)
    }
  }

  @Test func aTableWithPartitionsIsReplacedAsAWhole() throws {
    let pushed = try Self.pushed.get()
    let push = [
      "push", pushed.store, "places", Self.whole, "--table", "odd \"é\" name", "--quiet",
    ]
    let far = push + ["--partitions", "4"] + Self.servers.flatMap { ["--server", $0] }
    try Self.succeed(far)
    for arguments in [push, far, push + ["--partitions", "2"]] {
      let refused = try Command.run(arguments)
      #expect(
        refused.code == 64 && refused.errors.contains("replaced as a whole"), "\(refused.errors)")
    }
    // Each form replaces each other form. A push without servers does not reach the four partitions
    // there; the next one with servers drops them.
    let forms: [([String], Int)] = [
      (far, 4 + 4), (push + ["--partitions", "3"], 3 + 4), (far, 4 + 4), (push, 4), (far, 8),
    ]
    for (arguments, count) in forms {
      try Self.succeed(arguments + ["--replace"])
      #expect(try Self.partitions(of: "odd \"é\" name") == count, "\(arguments)")
      let rows = try Self.succeed("count", Self.whole, "odd \"é\" name").output
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
        table, of: snapshot, to: PostgresConnection(PostgresAddress(Self.whole)),
        name: "lost", existing: .replace,
        partitioning: Partitioning(servers: Self.servers.map(PostgresAddress.init))
      ).run(progress: progress)
    }
    #expect(try push { _ in }.partitions == 12)
    // A lock on the server's catalogue keeps its load waiting until the connection ends.
    let blocker = try PostgresConnection(PostgresAddress(Cluster.url(database: "shard_b")))
    try blocker.execute("BEGIN")
    try blocker.execute("LOCK pg_description IN ACCESS EXCLUSIVE MODE")
    let ending = Threads.startJoinable {
      do {
        try eventually("a load waits for the lock") {
          // A transaction sees the activity of its first look otherwise.
          try blocker.execute("SELECT pg_stat_clear_snapshot()")
          return try blocker.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = 'shard_b' AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'
            """)
        } until: {
          !$0.isEmpty
        }
      } catch { Issue.record(error) }
      _ = try? blocker.execute("ROLLBACK")
    }
    let error = #expect(throws: PostgresError.self) { try push { _ in } }
    ending.join()
    #expect(error?.description.contains("shard_b") == true, "\(error?.description ?? "none")")
    #expect(try Self.partitions(of: "lost") == 24)
    #expect(try Self.succeed("count", Self.whole, "lost").output.hasPrefix("4000"))
    // The next push succeeds, and drops what was there.
    #expect(try push { _ in }.leftovers == [])
    #expect(try Self.partitions(of: "lost") == 24)
  }

  @Test func tablesOfAKilledPushAreDroppedByTheNext() throws {
    let pushed = try Self.pushed.get()
    let push =
      ["push", pushed.store, "places", Self.whole, "--table", "killed", "--replace", "--quiet"]
      + Self.servers.flatMap { ["--server", $0] }
    try Self.succeed(push)
    // A push that was killed between its servers and its publication leaves tables like this one.
    try Self.psql(
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

  @Test func aRenamedTableKeepsItsPartitions() throws {
    let pushed = try Self.pushed.get()
    let push =
      ["push", pushed.store, "places", Self.whole, "--table", "blue", "--quiet"]
      + Self.servers.flatMap { ["--server", $0] }
    try Self.succeed(push)
    try Self.psql("ALTER TABLE blue RENAME TO green")
    try Self.succeed(push)
    try Self.succeed(push + ["--replace"])
    for table in ["blue", "green"] {
      #expect(try Self.succeed("count", Self.whole, table).output.hasPrefix("4000"))
    }
  }

  @Test(arguments: ["near places", "far places"]) func aRowCannotLeaveTheBoundsOfItsPartition(
    table: String
  ) throws {
    _ = try Self.pushed.get()
    // The row is chosen first: PostgreSQL ends an update with "another command is already in progress" if
    // a limit stops an asynchronous scan of the same servers.
    let rows = try Self.psql("SELECT min(id) FROM \"\(table)\" WHERE ST_X(location) < 0")
    let error = #expect(throws: Command.Failure.self) {
      try Self.psql(
        "UPDATE \"\(table)\" SET location = ST_Point(179.5, 85, 4326) WHERE id = \(rows[0])")
    }
    #expect(error?.description.contains("bounds") == true, "\(error?.description ?? "none")")
  }

  @Test func aTableThatSomebodyMakesDuringThePushStays() throws {
    let pushed = try Self.pushed.get()
    let store = try Store.open(pushed.store, mode: .readOnly)
    let snapshot = try store.snapshot()
    let table = try #require(snapshot.table("places"))
    let push = try PostgresPush(
      table, of: snapshot, to: PostgresConnection(PostgresAddress(Self.whole)), name: "precious",
      partitioning: Partitioning(servers: [PostgresAddress(Self.servers[1])]))
    // A lock on the server keeps the load waiting until the table exists.
    let blocker = try PostgresConnection(PostgresAddress(Self.servers[1]))
    try blocker.execute("BEGIN")
    try blocker.execute("LOCK pg_description IN ACCESS EXCLUSIVE MODE")
    var isMade = false
    let error = #expect(throws: PostgresError.self) {
      try push.run { _ in
        guard !isMade else { return }
        isMade = true
        _ = try? Self.psql("CREATE TABLE precious AS SELECT 7 AS n")
        _ = try? blocker.execute("ROLLBACK")
      }
    }
    #expect(
      error?.description.contains("somebody has made a table") == true,
      "\(error?.description ?? "none")")
    #expect(try Self.psql("SELECT n FROM precious") == ["7"])
    #expect(try Self.partitions(of: "precious") == 0)
  }

  /// Readers lock a table before its partitions, and so does a push that replaces it.
  @Test func replacingWaitsForReaders() throws {
    let pushed = try Self.pushed.get()
    let push = [
      "push", pushed.store, "places", Self.whole, "--table", "busy", "--partitions", "2",
      "--quiet",
    ]
    try Self.succeed(push)
    let readers = try (0..<2).map { _ in try PostgresConnection(PostgresAddress(Self.whole)) }
    try readers[0].execute("BEGIN")
    try readers[0].execute("SELECT count(*) FROM busy")
    let outcome = Mutex<Command.Outcome?>(nil)
    let replacing = Threads.startJoinable {
      let result = try? Command.run(push + ["--replace"])
      outcome.withLock { $0 = result }
    }
    func waitUntilWaiting(for mode: String) throws {
      try eventually("somebody waits for \(mode)") {
        try Self.psql("SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = '\(mode)'")
      } until: {
        $0 != ["0"]
      }
    }
    try waitUntilWaiting(for: "AccessExclusiveLock")
    let second = Threads.startJoinable { _ = try? readers[1].execute("SELECT count(*) FROM busy") }
    try waitUntilWaiting(for: "AccessShareLock")
    try readers[0].execute("COMMIT")
    second.join()
    replacing.join()
    #expect(outcome.withLock { $0?.code } == 0, "\(outcome.withLock { $0?.errors } ?? "")")
  }

  @Test func anotherUserOfAServerLeavesEarlierTablesReadable() throws {
    let pushed = try Self.pushed.get()
    try Self.psql("CREATE ROLE bob LOGIN")
    try Self.psql("GRANT CREATE ON SCHEMA public TO bob", database: "shard_a")
    let push = ["push", pushed.store, "places", Self.whole, "--quiet", "--table"]
    let bob = Self.servers[1].replacing("user=postgres", with: "user=bob")
    try Self.succeed(push + ["first", "--server", Self.servers[1]])
    try Self.succeed(push + ["second", "--server", bob])
    for table in ["first", "second"] {
      #expect(try Self.succeed("count", Self.whole, table).output.hasPrefix("4000"))
    }
    // Bob may not use servers without a password, which shows before anything is loaded.
    try Self.psql(
      "GRANT CREATE ON SCHEMA public TO bob; GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO bob"
    )
    let refused = try Command.run([
      "push", pushed.store, "places", Self.whole.replacing("user=postgres", with: "user=bob"),
      "--table", "third", "--server", bob,
    ])
    #expect(
      refused.code != 0 && refused.errors.contains("foreign server")
        || refused.errors.contains("cannot read"), "\(refused.errors)")
    #expect(try Self.partitions(of: "third") == 0)
  }

  // MARK: Misuse

  @Test func misuseIsNamed() throws {
    let pushed = try Self.pushed.get()
    let push = ["push", pushed.store, "places", Self.whole, "--table", "refused"]
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
      #expect(try Self.psql("SELECT to_regclass('refused') IS NULL") == ["t"])
    }
    #expect(try Self.partitions(of: "refused") == 0)
  }

  @Test func twoPushesToOneTableTakeTurns() throws {
    let pushed = try Self.pushed.get()
    let holder = try PostgresConnection(PostgresAddress(Self.whole))
    try holder.execute("SELECT pg_advisory_lock(hashtextextended('cairn push public.turns', 0))")
    let outcome = try Command.run([
      "push", pushed.store, "places", Self.whole, "--table", "turns", "--server",
      Self.servers[1],
    ])
    #expect(outcome.code == 64 && outcome.errors.contains("another push"), "\(outcome.errors)")
  }
}
