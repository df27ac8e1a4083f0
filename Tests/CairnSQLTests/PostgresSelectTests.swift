import CairnGeometry
import CairnQuery
import CairnSQL
import CairnStorage
import CairnTestSupport
import CairnValues
import Testing

/// Sorts, limits, nearest rows and figures of PostGIS, next to those of the store.
@Suite(.enabled(if: PostgresCluster.isInstalled, "\(PostgresCluster.reason)"))
struct PostgresSelectTests {
  private static let sortable = [
    "flag", "n", "big", "f", "d", "born", "day", "seconds", "kind", "blob", "uid", "oid", "dec",
  ]

  @Test func sortsAndLimitsAgreeWithTheStore() throws {
    try compare(seed: 17) { comparison, random in
      let sort = (0..<1 + random.below(2)).map { _ in
        SortKey.property(random.pick(Self.sortable), ascending: random.chance(0.5))
      }
      let (offset, limit) = (random.below(5), random.chance(0.7) ? random.below(40) : nil)
      let select = try comparison.compiler.select(
        columns: ["id"], sort: sort, offset: offset, limit: limit)
      #expect(select.isExact && select.isSorted)
      // Rows that are equal in the sort are in the order of the key.
      let query = TableQuery(
        table: SQLWorld.name, sort: sort + [.property("id", ascending: true)], offset: offset,
        limit: limit)
      return (select, try Execution(query, on: comparison.table).keys())
    }
  }

  @Test func nearestRowsAreAmongThoseOfTheStatement() throws {
    try compare(seed: 18) { comparison, random in
      let query = Self.nearestQuery(&random)
      let select = try comparison.compiler.select(
        query, condition: try comparison.condition(query.predicate), columns: ["id"])
      #expect(!select.isExact && !select.isSorted)
      return (select, try Execution(query, on: comparison.table).keys())
    }
  }

  /// The rows nearest to a point: many are equally far away, some have no location, and the limit may
  /// be greater than the number of rows.
  private static func nearestQuery(_ random: inout SplitMix64) -> TableQuery {
    let point = random.point()
    let key = SortKey.distance(
      random.pick(SQLWorld.locations), longitude: point.longitude, latitude: point.latitude,
      ascending: true)
    let condition = PredicateNode.compare(
      .property("n"), .less, .value(.int(Int64(random.below(10)))), [])
    return TableQuery(
      table: SQLWorld.name, predicate: random.chance(0.5) ? Predicate(condition) : .true,
      sort: [key], limit: random.chance(0.1) ? 150 + random.below(100) : 1 + random.below(20))
  }

  @Test func nearestRowsAreAmongThoseOfTwoStatements() throws {
    let seed = Soak.seed(19)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 200, random: &random)
    let comparison = try StoreComparison(world, dialect: .postgis)
    let queries = (0..<100).map { _ in Self.nearestQuery(&random) }
    let schema = "two_statements_\(seed)"
    let bounds = try server.run(
      world.postgres(schema: schema)
        + queries.map { query in
          let bound = try comparison.compiler.nearestBound(
            comparison.condition(query.predicate), sort: query.sort, count: query.limit ?? 0)
          return "SELECT coalesce((\(try #require(bound).text(.postgis)))::text, 'none');\n"
        }.joined())
    #expect(bounds.count == queries.count && bounds.contains("none") && Set(bounds).count > 50)
    let answers = try server.run(
      "SET search_path = \"\(schema)\", public;\n"
        + zip(queries, bounds).map { query, bound in
          let rows = try comparison.compiler.nearestRows(
            comparison.condition(query.predicate), columns: ["id"], sort: query.sort,
            haversine: Double(bound))
          let text = try #require(rows).fragment.text(.postgis)
          return "SELECT coalesce(string_agg(id::text, ','), '') FROM (\(text)) AS r;\n"
        }.joined())
    var excess = 0
    for (query, line) in zip(queries, answers) {
      let keys = line.split(separator: ",").compactMap { Int($0) }
      let expected = try Execution(query, on: comparison.table).keys()
      let message: Comment = "seed \(seed): \(query)"
      #expect(Set(expected).subtracting(keys) == [] && Set(keys).count == keys.count, message)
      excess += keys.count - expected.count
    }
    #expect(answers.count == queries.count && excess < 50 * queries.count, "seed \(seed)")
  }

  @Test(arguments: ["geometry(Point, 4326)", "geography(Point, 4326)"])
  func nearestRowsComeFromTheIndex(type: String) throws {
    let server = try #require(PostgresCluster.shared)
    let name = type.hasPrefix("geometry") ? "planar" : "round"
    let storage: SQLLocationStorage =
      name == "planar" ? .geometry(srid: 4326) : .geography
    let compiler = SQLCompiler(
      SQLTable(
        name: "nearest", schema: name,
        columns: [SQLColumn("id", type: .int), SQLColumn("home", type: .location(storage))],
        key: ["id"]), dialect: .postgis)
    let sort = [SortKey.distance("home", longitude: 8, latitude: 47, ascending: true)]
    let bound = try #require(try compiler.nearestBound(.everyRow, sort: sort, count: 5))
    let rows = try #require(
      try compiler.nearestRows(.everyRow, sort: sort, haversine: 1e-8))
    let single = try compiler.select(sort: sort, limit: 5)
    let lines = try server.run(
      """
      CREATE SCHEMA \(name);
      CREATE TABLE \(name).nearest (id bigint PRIMARY KEY, home \(type));
      INSERT INTO \(name).nearest SELECT i, ST_Point(i * 7919 % 36000 / 100.0 - 180,
        i * 104729 % 18000 / 100.0 - 90, 4326) FROM generate_series(1, 20000) AS i;
      CREATE INDEX ON \(name).nearest USING gist (home);
      ANALYZE \(name).nearest;
      \([bound, rows.fragment, single.fragment].map { "EXPLAIN \($0.text(.postgis));\nSELECT 'end';\n" }.joined())
      """)
    let plans = lines.split(separator: "end").map { $0.joined(separator: "\n") }
    #expect(plans.count == 3)
    #expect(plans[1].contains("nearest_home_idx") && !plans[1].contains("Seq Scan"), "\(plans)")
    #expect(plans[0].contains("nearest_home_idx") && !plans[0].contains("Seq Scan"), "\(plans)")
    #expect(plans[2].contains("nearest_home_idx"), "\(plans[2])")
    // The scan of the second part, which runs only if there are fewer rows.
    #expect(plans[2].contains("One-Time Filter"), "\(plans[2])")
    #expect(plans[2].split(separator: "Seq Scan").count <= 2, "\(plans[2])")
  }

  @Test func noRowsAreNearestToNothing() throws {
    let compiler = SQLCompiler(SQLWorld.table, dialect: .postgis)
    let sort = [SortKey.distance("home", longitude: 8, latitude: 47, ascending: true)]
    #expect(try compiler.nearestBound(.everyRow, sort: sort, count: 0) == nil)
    #expect(try compiler.select(sort: sort, limit: 0).fragment.text(.postgis).hasSuffix("FALSE"))
    #expect(try compiler.nearestRows(.everyRow, sort: [], haversine: nil) == nil)
  }

  /// Compares 100 random queries in one session of the server.
  private func compare(
    seed: UInt64, _ make: (StoreComparison, inout SplitMix64) throws -> (SQLSelect, expected: [Int])
  ) throws {
    let seed = Soak.seed(seed)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 200, random: &random)
    let comparison = try StoreComparison(world, dialect: .postgis)
    let queries = try (0..<100).map { _ in try make(comparison, &random) }
    let table = "rows_\(seed)"
    let script = queries.map { select, _ in
      "SELECT coalesce(string_agg(id::text, ','), '') FROM (\(select.fragment.text(.postgis))) AS r;\n"
    }
    let answers = try server.run(world.postgres(schema: table) + script.joined())
    #expect(answers.count == queries.count)
    var excess = 0
    for (line, (select, expected)) in zip(answers, queries) {
      let keys = line.split(separator: ",").compactMap { Int($0) }
      let message: Comment = "seed \(seed): \(select.fragment.text(.postgis))"
      if select.isExact {
        #expect(keys == expected, message)
      } else {
        #expect(Set(expected).subtracting(keys) == [], message)
        excess += keys.count - expected.count
      }
    }
    // At the antimeridian and the poles, the nearest rows in the plane bound the distance loosely.
    #expect(excess < 50 * queries.count, "seed \(seed)")
  }

  @Test func figuresAgreeWithTheValuesOfTheRows() throws {
    let seed = Soak.seed(18)
    var random = SplitMix64(seed: seed)
    let server = try #require(PostgresCluster.shared)
    let world = SQLWorld(rows: 200, random: &random)
    let compiler = SQLCompiler(SQLWorld.table, dialect: .postgis)
    let names = ["n", "big", "f", "d", "kind", "dec"]
    let figures = names.flatMap {
      [SQLAggregate.values(of: $0), .minimum(of: $0), .maximum(of: $0)]
    }
    let statement = try compiler.aggregate(
      [.count, .sum(of: "n")] + figures,
      condition: try compiler.condition(try Predicate(parsing: "id >= 0")))
    let select =
      "SELECT row_to_json(r) FROM (\(statement.text(.postgis))) AS r(\(columns(2 + figures.count)));\n"
    let groups = try compiler.aggregate([.count], condition: .everyRow, grouping: ["kind"])
    let count = "SELECT count(*), sum(c) FROM (\(groups.text(.postgis))) AS r(k, c);\n"
    let answers = try server.run(world.postgres(schema: "figures_\(seed)") + select + count)
    let rows = world.rows.map { row in
      Dictionary(uniqueKeysWithValues: zip(SQLWorld.columns.map(\.name), row))
    }
    let kinds = Set(rows.compactMap { $0["kind"] })
    #expect(answers.last == "\(kinds.count)\t200", "seed \(seed)")
    let values = rows.compactMap { row -> Int64? in
      if case .int(let number)? = row["n"] { number } else { nil }
    }
    let first = try #require(answers.first)
    #expect(first.hasPrefix(#"{"c0":200,"c1":\#(values.reduce(0, +)),"#), "seed \(seed): \(first)")
    let texts = rows.compactMap { row -> String? in
      if case .string(let text)? = row["kind"] { text } else { nil }
    }
    let last = texts.max { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    let expected = try #require(last).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n")
    #expect(first.contains("\"\(expected)\""), "seed \(seed): \(first)")
  }

  private func columns(_ count: Int) -> String {
    (0..<count).map { "c\($0)" }.joined(separator: ", ")
  }
}
