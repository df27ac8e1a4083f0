import CairnQuery
import CairnSQL
import CairnStorage
import CairnValues
import Testing

/// The text of conditions, and the parts that an engine does not decide.
@Suite struct CompilerTests {
  private static let table = SQLTable(
    name: "people", schema: "public",
    columns: [
      SQLColumn("age", type: .int), SQLColumn("height", type: .double),
      SQLColumn("width", type: .double),
      SQLColumn("name", type: .text), SQLColumn("born", type: .date(.timestamp(hasZone: true))),
      SQLColumn("home", type: .location(.geometry(srid: 4326))),
      SQLColumn("grid", type: .location(.geometry(srid: 3857))), SQLColumn("tags", type: .other),
      SQLColumn("upper", type: .text, expression: "upper(\"name\")"),
    ], key: ["age"])

  private func condition(
    _ text: String, _ dialect: SQLDialect = .postgis
  ) throws -> SQLCondition {
    try Predicate(parsing: text).sql(dialect, table: Self.table)
  }

  @Test(arguments: [
    ("age > 5", #""age" > 5"#),
    ("age > 5.5", #""age" > 5"#),
    ("age < 1e30", #""age" IS NOT NULL"#),
    ("age == 5.5", "FALSE"),
    ("NOT age > 5", #"(("age" > 5) IS NOT TRUE)"#),
    ("age != 5", #"("age" IS DISTINCT FROM 5)"#),
    ("age != nil", #"(("age" IS NULL) IS NOT TRUE)"#),
    ("age IN {1, 2, nil}", #"("age" IN (1, 2) OR "age" IS NULL)"#),
    ("height > 1.5", #"("height" > '1.5'::float8 AND "height" <= 'Infinity'::float8)"#),
    ("height < width", #"("height" < "width" AND "width" <= 'Infinity'::float8)"#),
    (
      "height >= width",
      #"(("height" >= "width" AND "height" <= 'Infinity'::float8) OR ("height" IS NULL AND "width" IS NULL))"#
    ),
    ("name > 'O''".replacing("''", with: "\\'") + "'", #""name" COLLATE "C" > 'O'''"#),
    ("name BEGINSWITH '50%'", #""name" LIKE '50!%%' ESCAPE '!'"#),
    ("name LIKE 'a?b*'", #""name" LIKE 'a_b%' ESCAPE '!'"#),
    ("upper == 'A'", #"upper("name") = 'A'"#),
    ("born == 2001-01-01", #""born" = '2001-01-01 00:00:00.000000+00'::timestamptz"#),
    ("born < date(1e-7)", #""born" < '2001-01-01 00:00:00.000001+00'::timestamptz"#),
    ("TRUEPREDICATE", "TRUE"),
  ])
  func exactConditions(_ text: String, sql: String) throws {
    let condition = try condition(text)
    #expect(condition.isExact && condition.undecided.isEmpty)
    #expect(condition.possible.text(.postgis) == sql)
  }

  @Test(arguments: [
    ("name ==[c] 'a'", "the folding of texts differs: [c]"),
    ("name MATCHES 'a'", "MATCHES is decided here"),
    ("name.@count > 2", "characters are counted here, because engines count code points"),
    (
      "home GEOWITHIN geoPolygon({[0,0],[1,0],[1,1],[0,0]})",
      "'home' is compared with a geodesic polygon here"
    ),
    ("grid GEOWITHIN geoBox([0.0,0],[1,1])", "'grid' is in another coordinate system"),
    ("tags == 'a'", "'tags' is more than the value of a column"),
  ])
  func undecidedConditions(_ text: String, reason: String) throws {
    let condition = try condition(text)
    #expect(!condition.isExact)
    #expect(condition.certain.text(.postgis) == "FALSE")
    #expect(condition.undecided == [reason])
    // The negation is as undecided, and a condition beside it is still sent.
    #expect(try self.condition("NOT \(text)").possible.text(.postgis) == "TRUE")
    #expect(try self.condition("age == 1 OR \(text)").certain.text(.postgis) == "\"age\" = 1")
  }

  @Test func aSupersetOfOneSideKeepsTheOther() throws {
    let condition = try condition("age > 5 AND name MATCHES 'a'")
    #expect(condition.possible.text(.postgis) == "\"age\" > 5")
    #expect(condition.doubtful.text(.postgis) == "\"age\" > 5")
  }

  @Test func propertiesWithoutColumnsAreErrors() throws {
    let schema = TableSchema(
      id: 1, name: "people",
      columns: [ColumnSchema(id: 1, name: "weight", type: .double, position: 0)])
    let bound = try Predicate(parsing: "weight > 5").bound(to: schema)
    let error = try #require(throws: SQLError.self) {
      try SQLCompiler(Self.table, dialect: .postgis).condition(bound)
    }
    #expect(error.description == "table 'people' has no column for property 'weight'")
    #expect(throws: PredicateError.self) { try condition("weight > 5") }
  }

  @Test func theDialectsDiffer() throws {
    let box = "home GEOWITHIN geoBox([170.0, -10], [-170, 10])"
    let postgis = try condition(box).possible.text(.postgis)
    #expect(postgis.contains(#""home" && ST_MakeEnvelope('170.0'::float8"#))
    #expect(postgis.contains(" OR "))
    #expect(try condition(box, .duckdb).possible.text(.duckdb).contains("ST_Intersects(\"home\""))
    #expect(try condition(box, .sedona).possible.text(.sedona).contains("ST_X(`home`) BETWEEN"))
    #expect(
      try condition("height == 0", .sedona).possible.text(.sedona)
        == "`height` IN (CAST('0.0' AS DOUBLE), CAST('-0.0' AS DOUBLE))")
    #expect(
      try condition("name == 'a\\\\b'", .sedona).possible.text(.sedona)
        == "`name` = concat('a', chr(92), 'b')")
    #expect(try !condition("name CONTAINS '50%'", .sedona).isExact)
  }

  @Test func limitsAreSentOnlyWithExactConditions() throws {
    let compiler = SQLCompiler(Self.table, dialect: .postgis)
    let exact = try compiler.select(
      condition("age > 5"), columns: ["name"], sort: [.property("name", ascending: false)],
      offset: 2, limit: 3)
    #expect(
      exact.fragment.statement(.postgis).text
        == #"SELECT "name" FROM "public"."people" WHERE "age" > $1::bigint "#
        + #"ORDER BY "name" COLLATE "C" DESC NULLS LAST, "age" ASC NULLS FIRST LIMIT 3 OFFSET 2"#)
    let superset = try compiler.select(
      condition("name MATCHES 'a'"), columns: ["age"], limit: 3)
    #expect(superset.fragment.text(.postgis) == #"SELECT "age" FROM "public"."people""#)
    #expect(
      superset.undecided
        == ["MATCHES is decided here", "the limit applies to the rows that are left here"])
    #expect(throws: SQLError.self) { try compiler.select(columns: ["weight"]) }
  }

  @Test func figuresNeedExactConditions() throws {
    let compiler = SQLCompiler(Self.table, dialect: .postgis)
    #expect(throws: SQLError.self) {
      try compiler.aggregate([.count], condition: condition("name MATCHES 'a'"))
    }
    #expect(throws: SQLError.self) {
      try compiler.aggregate([.sum(of: "height")], condition: .everyRow)
    }
    #expect(throws: SQLError.self) {
      try compiler.aggregate([.count], condition: .everyRow, grouping: ["home"])
    }
  }

  @Test func datesConvertBothWays() {
    #expect(SQLDate.seconds(microseconds: 978_307_200_000_000) == 0)
    #expect(SQLDate.seconds(microseconds: .max) == .infinity)
    #expect(SQLDate.seconds(days: 11_323) == 0)
    let times: [(Int64, String)] = [
      (0, "1970-01-01 00:00:00.000000+00"), (-1, "1969-12-31 23:59:59.999999+00"),
      (-62_135_596_800_000_001, "0001-12-31 23:59:59.999999+00 BC"), (.max, "infinity"),
      (.min, "-infinity"),
    ]
    for (time, text) in times {
      #expect(SQLValue.timestamp(time, hasZone: true).parameterText == text)
    }
    #expect(SQLValue.day(-1).parameterText == "1969-12-31")
  }
}
