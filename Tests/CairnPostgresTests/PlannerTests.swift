import CairnTestSupport
import Foundation
import Testing

/// The partitions that PostgreSQL reads for statements by hand, as docs/scale.md says.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct PlannerTests {
  private static let database = "planned"

  private static let pushed = Result { () throws -> TemporaryFolder in
    let folder = try TemporaryFolder()
    let store = folder.file("planned.cairn")
    try Cluster.psql("CREATE DATABASE \(database)")
    try Cluster.psql(
      """
      CREATE EXTENSION postgis; SELECT setseed(0.5);
      CREATE TABLE cities AS SELECT n AS id,
        ST_Point(random() * 358 - 179, random() * 160 - 80, 4326)::geometry(Point,4326) AS location
        FROM generate_series(1, 20000) AS n;
      CREATE TABLE roads AS SELECT id, ST_MakeLine(location, ST_Translate(location, 0.5, 0.3))
        ::geometry(LineString,4326) AS way FROM cities WHERE id <= 4000
      """, database: database)
    for table in ["cities", "roads"] {
      let url = Cluster.url(database: database)
      for line in [
        ["pull", url, table, store, "--quiet"],
        ["push", store, table, url, "--partitions", "16", "--replace", "--quiet"],
      ] {
        let outcome = try Command.run(line)
        guard outcome.code == 0 else { throw Problem(text: outcome.errors) }
      }
    }
    try Cluster.psql(function(), database: database)
    return folder
  }

  /// The function of the page.
  private static func function() throws -> String {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/scale.md"), encoding: .utf8)
    let start = try #require(page.firstRange(of: "CREATE FUNCTION in_box"))
    let rest = page[start.lowerBound...]
    return String(rest[..<(rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex)])
  }

  private static let box = "ST_MakeEnvelope(5, 45, 11, 48, 4326)"
  private static let bounds = "ST_X(location) BETWEEN 5 AND 11 AND ST_Y(location) BETWEEN 45 AND 48"
  private static let polygon = "ST_GeomFromText('POLYGON((5 45,11 45,11 48,5 45))')"

  /// The partitions that the plan of a statement reads.
  private static func partitions(_ statement: String) throws -> Int {
    _ = try pushed.get()
    let plan = try Cluster.psql(statement, database: database)
    let names = plan.flatMap { line in
      line.matches(of: /Scan (?:using \S+ )?on ((?:cities|roads)_p\d+_\S+)/).map { String($0.1) }
    }
    // The scan of a bitmap names an index, which has the name of its partition and a number.
    return Set(names.filter { !$0.contains(/_p\d+_[0-9a-f]{8}_\d+$/) }).count
  }

  @Test(arguments: [
    ("location && \(box)", 16), ("ST_Intersects(location, \(box))", 16),
    ("ST_Within(location, \(box))", 16), ("ST_DWithin(location, ST_Point(8, 47, 4326), 2)", 16),
    ("location && \(box) AND \(bounds)", 1),
    ("ST_DWithin(location, ST_Point(8, 47, 4326), 2) AND \(bounds)", 1),
    (
      "ST_X(location) BETWEEN ST_XMin(\(polygon)) AND ST_XMax(\(polygon)) AND ST_Y(location) BETWEEN 45 AND 48",
      1
    ),
    ("ST_X(location) BETWEEN (SELECT 5) AND (SELECT 11)", 16),
    ("in_box(location, 5, 45, 11, 48)", 1),
  ])
  func theComparisonsOfTheConstraintsRulePartitionsOut(condition: String, count: Int) throws {
    let statement = "EXPLAIN SELECT count(*) FROM cities WHERE \(condition)"
    let found = try Self.partitions(statement)
    #expect(count == 1 ? (1...2).contains(found) : found == 16, "\(found): \(condition)")
  }

  @Test func theNearestRowsNeedThemToo() throws {
    let order = "ORDER BY location <-> ST_Point(8, 47, 4326) LIMIT 5"
    #expect(try Self.partitions("EXPLAIN SELECT id FROM cities \(order)") == 16)
    let bounded = try Self.partitions("EXPLAIN SELECT id FROM cities WHERE \(Self.bounds) \(order)")
    #expect((1...2).contains(bounded))
  }

  @Test func aGenericPlanReadsAllPartitions() throws {
    let prepared = """
      PREPARE q(float8, float8, float8, float8) AS SELECT count(*) FROM cities
        WHERE ST_X(location) BETWEEN $1 AND $3 AND ST_Y(location) BETWEEN $2 AND $4;
      EXPLAIN EXECUTE q(5, 45, 11, 48)
      """
    #expect((1...2).contains(try Self.partitions(prepared)))
    #expect(try Self.partitions("SET plan_cache_mode = force_generic_plan; \(prepared)") == 16)
  }

  @Test func linesAreRuledOutByTheirBounds() throws {
    let bounds =
      "ST_XMin(way) <= 11 AND ST_XMax(way) >= 5 AND ST_YMin(way) <= 48 AND ST_YMax(way) >= 45"
    let statement = "EXPLAIN SELECT count(*) FROM roads WHERE way && \(Self.box)"
    #expect(try Self.partitions(statement) == 16)
    #expect((1...2).contains(try Self.partitions("\(statement) AND \(bounds)")))
  }

  /// The comparisons change no answer, and `cairn sql` writes them.
  @Test func theAnswersAreTheSame() throws {
    let folder = try Self.pushed.get()
    let store = folder.file("planned.cairn")
    let wanted = try Command.run("count", store, "cities", "--bbox", "5,45,11,48").lines
    let written = try Command.run("sql", store, "cities", "--bbox", "5,45,11,48", "--count").output
    for statement in [
      "SELECT count(*) FROM cities WHERE location && \(Self.box) AND \(Self.bounds)",
      "SELECT count(*) FROM cities WHERE in_box(location, 5, 45, 11, 48)", written,
    ] {
      #expect(try Cluster.psql(statement, database: Self.database) == wanted, "\(statement)")
    }
    #expect((1...2).contains(try Self.partitions("EXPLAIN \(written)")), "\(written)")
  }
}
