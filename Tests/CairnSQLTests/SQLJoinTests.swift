import Cairn
import CairnGeometry
import CairnQuery
import CairnSQL
import CairnTestSupport
import Testing

/// The text of joins.
@Suite struct SQLJoinTests {
  private static let cities = SQLTable(
    name: "cities",
    columns: [
      SQLColumn("id", type: .int), SQLColumn("name", type: .text),
      SQLColumn("location", type: .location(.geometry(srid: 4326))),
    ], key: ["id"])
  private static let countries = SQLTable(
    name: "countries", schema: "geo",
    columns: [
      SQLColumn("name", type: .text), SQLColumn("area", type: .geometry(.geometry(srid: 4326))),
    ])

  @Test func theExampleOfThePageRuns() throws {
    let (cities, countries) = (Self.cities, Self.countries)
    let join = SQLJoin(cities, as: "city", countries, as: "country", dialect: .postgis)
    let isIn = try join.condition(.within, "location", "area")
    let isLarge = try join.left.condition(Predicate("name BEGINSWITH 'S'"))
    let pairs = try join.select(isIn, isLarge, columns: ["city.name", "country.name"])
    let text = pairs.fragment.text(.postgis)
    #expect(
      text == #"SELECT "city"."name" AS "city.name", "country"."name" AS "country.name" "#
        + #"FROM "cities" AS "city", "geo"."countries" AS "country" "#
        + #"WHERE (ST_DWithin("city"."location", "country"."area", '1e-09'::float8) "#
        + #"AND "city"."name" LIKE 'S%' ESCAPE '!')"#)
    #expect(!pairs.isExact && pairs.undecided.count == 1)
    let page = try Repository.text("docs/sql.md")
    let code = try #require(
      page.matches(of: /```swift\n((?:.|\n)*?)```/).first { $0.1.contains("SQLJoin(") }?.1)
    let source = try Repository.text("Tests/CairnSQLTests/SQLJoinTests.swift")
    for line in code.split(separator: "\n") { #expect(source.contains(line), "\(line)") }
  }

  @Test func locationsAreEqualExactly() throws {
    let join = SQLJoin(Self.cities, as: "a", Self.cities, as: "b", dialect: .duckdb)
    let condition = try join.condition(.intersects, "location", "location")
    #expect(condition.isExact)
    #expect(
      join.count(condition).text(.duckdb)
        == #"SELECT count(*) FROM "cities" AS "a", "cities" AS "b" WHERE "#
        + #"(ST_X("a"."location") = ST_X("b"."location") AND ST_Y("a"."location") = ST_Y("b"."location"))"#
    )
  }

  @Test(arguments: [SQLDialect.postgis, .duckdb, .sedona, .databricks])
  func distancesHaveTwoBounds(dialect: SQLDialect) throws {
    let join = SQLJoin(Self.cities, as: "a", Self.cities, as: "b", dialect: dialect)
    let near = try join.condition(
      .distance(try #require(.kilometers(50))), "location", "location")
    #expect(!near.isExact && near.undecided.count == 1)
    for bound in [near.possible, near.certain] {
      #expect(bound.text(dialect).contains("power(sin(radians("))
    }
    let all = try join.select(near)
    #expect(all.fragment.text(dialect).contains("b.location"))
  }

  @Test func expressionsAreReadThroughASelect() throws {
    let table = SQLTable(
      name: "t",
      columns: [
        SQLColumn("n", type: .text, expression: "upper(\"n\")"),
        SQLColumn("p", type: .location(.coordinates(longitude: "\"x\"", latitude: "\"y\""))),
      ])
    let join = SQLJoin(table, as: "l", Self.countries, as: "r", dialect: .postgis)
    let text = try join.select(
      join.left.condition(Predicate("n == 'A'")), columns: ["l.p", "r.name"]
    ).fragment.text(.postgis)
    #expect(
      text.contains(
        #"FROM (SELECT upper("n") AS "n", "x" AS "p.longitude", "y" AS "p.latitude" FROM "t") AS "l""#
      ))
    #expect(text.contains(#"SELECT "l"."p.longitude" AS "l.p.longitude""#))
    #expect(text.hasSuffix(#"WHERE "l"."n" = 'A'"#))
  }

  @Test func mistakesAreErrors() throws {
    let join = SQLJoin(Self.cities, as: "a", Self.countries, as: "b", dialect: .postgis)
    for (left, right) in [("place", "area"), ("name", "area"), ("location", "name")] {
      #expect(throws: SQLError.self) { try join.condition(.within, left, right) }
    }
    for name in ["name", "c.name", "a.area"] {
      #expect(throws: SQLError.self) { try join.select(columns: [name]) }
    }
  }

  @Test func otherCoordinateSystemsAreDecidedHere() throws {
    let grid = SQLTable(
      name: "g", columns: [SQLColumn("p", type: .location(.geometry(srid: 2056)))])
    let join = SQLJoin(Self.cities, as: "a", grid, as: "b", dialect: .postgis)
    let condition = try join.condition(.within, "location", "p")
    #expect(condition.undecided == ["'p' is in another coordinate system"])
    #expect(condition.possible.text(.postgis) == "TRUE")
  }
}
