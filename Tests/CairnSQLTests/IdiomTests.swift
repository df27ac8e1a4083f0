import CairnGeometry
import CairnQuery
import CairnSQL
import CairnValues
import Testing

/// Conditions in the functions that people use in an engine, and the differences that they name.
@Suite struct IdiomTests {
  static let table = SQLTable(
    name: "cities",
    columns: [
      SQLColumn("name", type: .text), SQLColumn("people", type: .int),
      SQLColumn("born", type: .date(.timestamp(hasZone: true))),
      SQLColumn("location", type: .location(.geometry(srid: 4326))),
      SQLColumn("sphere", type: .location(.geography)),
      SQLColumn("area", type: .geometry(.geometry(srid: 4326))),
      SQLColumn("grid", type: .location(.geometry(srid: 3857))),
    ])

  private func condition(_ text: String, _ dialect: SQLDialect) throws -> SQLCondition {
    try SQLCompiler(Self.table, dialect: dialect, style: .idiomatic)
      .condition(Predicate(parsing: text))
  }

  @Test(arguments: [
    ("name CONTAINS[c] 'bern'", SQLDialect.postgis, #""name" ILIKE '%bern%'"#),
    ("name CONTAINS[c] 'bern'", .duckdb, #""name" ILIKE '%bern%'"#),
    ("name CONTAINS[c] 'bern'", .sedona, "lower(`name`) LIKE lower('%bern%')"),
    ("name BEGINSWITH[c] '5%'", .postgis, #""name" ILIKE '5!%%' ESCAPE '!'"#),
    ("name CONTAINS[cd] 'e'", .duckdb, #"strip_accents("name") ILIKE strip_accents('%e%')"#),
    ("name CONTAINS[d] 'e'", .postgis, #"unaccent("name") LIKE unaccent('%e%')"#),
    ("name ==[c] 'Bern'", .postgis, #"lower("name") = lower('Bern')"#),
    ("name !=[c] 'Bern'", .duckdb, #"(lower("name") IS DISTINCT FROM lower('Bern'))"#),
    (
      "name IN[c] {'a', nil}", .postgis, #"(lower("name") = lower('a') OR "name" IS NULL)"#
    ),
    ("name MATCHES 'a.*'", .postgis, #""name" ~ '^(?:a.*)$'"#),
    ("name MATCHES[c] 'a.*'", .duckdb, #"regexp_matches("name", '(?i)^(?:a.*)$')"#),
    ("name MATCHES 'a.*'", .sedona, "regexp_like(`name`, '^(?:a.*)$')"),
    ("name.@count > 2", .postgis, #"char_length("name") > 2"#),
  ])
  func texts(_ text: String, dialect: SQLDialect, sql: String) throws {
    let condition = try condition(text, dialect)
    #expect(condition.isExact && condition.undecided.isEmpty)
    #expect(!condition.differences.isEmpty)
    #expect(condition.possible.text(dialect) == sql)
  }

  private static let square = "geoPolygon({[5.0,45],[10,45],[10,48],[5,45]})"
  private static let text = "POLYGON ((5 45, 10 45, 10 48, 5 45))"

  @Test(arguments: [
    (
      SQLDialect.postgis,
      #"ST_Intersects("location"::geography, ST_GeogFromText('\#(text)'))"#
    ),
    (.duckdb, #"ST_Intersects("location", ST_GeomFromText('\#(text)'))"#),
    (.sedona, "ST_Intersects(`location`, ST_GeomFromWKT('\(text)', 4326))"),
    (.bigquery, "ST_Intersects(`location`, ST_GEOGFROMTEXT('\(text)'))"),
    (.snowflake, #"ST_Intersects("location", TO_GEOGRAPHY('\#(text)'))"#),
    (.databricks, "ST_Intersects(`location`, ST_GeomFromText('\(text)', 4326))"),
  ])
  func polygons(dialect: SQLDialect, sql: String) throws {
    let condition = try condition("location GEOWITHIN \(Self.square)", dialect)
    #expect(condition.isExact && condition.differences.count == 1)
    #expect(condition.possible.text(dialect) == sql)
  }

  @Test func areasAreCovered() throws {
    let within = try condition("area GEOWITHIN \(Self.square)", .duckdb)
    #expect(
      within.possible.text(.duckdb) == #"ST_Covers(ST_GeomFromText('\#(Self.text)'), "area")"#)
    let contains = try condition("area GEOCONTAINS \(Self.square)", .postgis)
    #expect(
      contains.possible.text(.postgis)
        == #"ST_Covers("area"::geography, ST_GeogFromText('\#(Self.text)'))"#)
    let disjoint = try condition("area GEODISJOINT \(Self.square)", .sedona)
    #expect(disjoint.possible.text(.sedona).hasPrefix("NOT ST_Intersects(`area`, "))
  }

  @Test func distancesAreInMetres() throws {
    let circle = "GEOWITHIN geoCircle([8.0, 47], 50km)"
    #expect(
      try condition("sphere \(circle)", .postgis).possible.text(.postgis)
        == #"ST_DWithin("sphere", ST_GeogFromText('POINT(8.0 47.0)'), 50000.0)"#)
    let planar = try condition("location \(circle)", .postgis).possible.text(.postgis)
    #expect(planar.hasPrefix(#"("location" && ST_MakeEnvelope("#))
    #expect(
      planar.hasSuffix(
        #"ST_DWithin("location"::geography, ST_GeogFromText('POINT(8.0 47.0)'), 50000.0))"#))
    // Neither engine has a function that means the same in every version.
    for dialect in [SQLDialect.duckdb, .sedona] {
      let text = try condition("location \(circle)", dialect).possible.text(dialect)
      #expect(text.contains(" AND 2 * 6378100.0 * asin(sqrt("))
      #expect(text.hasSuffix(" <= 50000.0)"))
    }
  }

  @Test func misreadShapesStaySupersets() throws {
    let crossing = "geoPolygon({[170.0,0],[-170,0],[-170,10],[170,0]})"
    for dialect in SQLDialect.allCases {
      #expect(try !condition("location GEOWITHIN \(crossing)", dialect).isExact)
    }
    // Planar edges leave long geodesic ones.
    let wide = "geoPolygon({[0.0,0],[30,0],[30,40],[0,0]})"
    for dialect in [SQLDialect.duckdb, .sedona, .databricks] {
      #expect(try !condition("location GEOWITHIN \(wide)", dialect).isExact)
    }
    for dialect in [SQLDialect.postgis, .bigquery, .snowflake] {
      #expect(try condition("location GEOWITHIN \(wide)", dialect).isExact)
    }
    let grid = try condition("grid GEOWITHIN \(Self.square)", .postgis)
    #expect(grid.undecided == ["'grid' is in another coordinate system"])
  }

  @Test func exactConditionsStayAsTheyAre() throws {
    for text in ["people > 5", "name CONTAINS 'a'", "location GEOWITHIN geoBox([0.0,0],[1,1])"] {
      for dialect in [SQLDialect.postgis, .duckdb, .sedona]
      where text.first != "n" || dialect != .sedona {
        let compiler = SQLCompiler(Self.table, dialect: dialect)
        let exact = try compiler.condition(Predicate(parsing: text))
        let idiomatic = try condition(text, dialect)
        #expect(exact == idiomatic && idiomatic.differences.isEmpty)
      }
    }
  }

  @Test func differencesAreNamedOnceAndPassNegations() throws {
    let both = try condition("name CONTAINS[c] 'a' OR NOT name CONTAINS[c] 'b'", .postgis)
    #expect(both.differences == ["texts are folded as postgis does: [c]"])
    #expect(
      both.possible.text(.postgis)
        == #"("name" ILIKE '%a%' OR (("name" ILIKE '%b%') IS NOT TRUE))"#)
  }

  @Test func figuresOfIdiomsAreAllowed() throws {
    let compiler = SQLCompiler(Self.table, dialect: .duckdb, style: .idiomatic)
    let figures = try compiler.figures(condition: condition("name CONTAINS[c] 'a'", .duckdb))
    #expect(
      figures.fragment.text(.duckdb)
        == #"SELECT count(*) AS "count" FROM "cities" WHERE "name" ILIKE '%a%'"#)
  }

  @Test func meansOfIntegersCountTheColumn() throws {
    let text = try SQLCompiler(Self.table, dialect: .sedona).figures(of: ["people"])
      .fragment.text(.sedona)
    #expect(text.contains("nullif(CAST(count(`people`) AS DOUBLE), 0)"))
    #expect(!text.contains("count(CAST"))
  }
}
