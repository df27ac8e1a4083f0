import CairnGeometry
import CairnQuery
import CairnSQL
import CairnValues
import Testing

/// The text of statements for BigQuery, Snowflake and Databricks, as their references describe it.
@Suite struct CloudDialectTests {
  private func text(
    _ text: String, _ dialect: SQLDialect, style: SQLStyle = .idiomatic
  ) throws -> String {
    try SQLCompiler(IdiomTests.table, dialect: dialect, style: style)
      .condition(Predicate(parsing: text)).possible.text(dialect)
  }

  @Test func namesAreQuoted() {
    #expect(SQLDialect.bigquery.quoted(#"a`b\c"#) == #"`a\`b\\c`"#)
    #expect(SQLDialect.snowflake.quoted(#"a"b"#) == #""a""b""#)
    #expect(SQLDialect.databricks.quoted("a`b") == "`a``b`")
    #expect(SQLDialect.allCases.filter(\.hasParameters) == [.postgis, .duckdb])
  }

  @Test(arguments: [SQLDialect.bigquery, .snowflake, .databricks])
  func textsHaveEscapes(dialect: SQLDialect) {
    let value: SQLFragment = "\(value: .text("O'Hare \\ a\nb"))"
    #expect(value.text(dialect) == #"'O\'Hare \\ a\nb'"#)
  }

  @Test(arguments: [
    (SQLDialect.bigquery, "CAST('2001-01-01 00:00:00.000000+00:00' AS TIMESTAMP)"),
    (.snowflake, "CAST('2001-01-01 00:00:00.000000+00:00' AS TIMESTAMP_TZ)"),
    (.databricks, "CAST('2001-01-01 00:00:00.000000+00:00' AS TIMESTAMP)"),
  ])
  func timesHaveTheirZone(dialect: SQLDialect, sql: String) throws {
    #expect(try text("born >= 2001-01-01", dialect).hasSuffix(" >= \(sql)"))
  }

  @Test(arguments: [
    (
      SQLValue.double(1.5),
      ["CAST('1.5' AS FLOAT64)", "CAST('1.5' AS FLOAT)", "CAST('1.5' AS DOUBLE)"]
    ),
    (
      .double(-.infinity),
      ["CAST('-inf' AS FLOAT64)", "CAST('-inf' AS FLOAT)", "CAST('-Infinity' AS DOUBLE)"]
    ),
    (
      .decimal("1.25"),
      [
        "CAST('1.25' AS BIGNUMERIC)", "CAST('1.25' AS DECIMAL(38, 2))",
        "CAST('1.25' AS DECIMAL(38, 2))",
      ]
    ),
    (.data([1, 255]), ["FROM_HEX('01FF')", "TO_BINARY('01FF', 'HEX')", "X'01FF'"]),
    (.bool(true), ["TRUE", "TRUE", "TRUE"]),
    (
      .day(0),
      ["CAST('1970-01-01' AS DATE)", "CAST('1970-01-01' AS DATE)", "CAST('1970-01-01' AS DATE)"]
    ),
    (
      .timestamp(0, hasZone: false),
      [
        "CAST('1970-01-01 00:00:00.000000' AS DATETIME)",
        "CAST('1970-01-01 00:00:00.000000' AS TIMESTAMP_NTZ)",
        "CAST('1970-01-01 00:00:00.000000' AS TIMESTAMP_NTZ)",
      ]
    ),
  ])
  func valuesAreLiterals(value: SQLValue, sql: [String]) {
    let fragment: SQLFragment = "\(value: value)"
    for (dialect, text) in zip([SQLDialect.bigquery, .snowflake, .databricks], sql) {
      #expect(fragment.text(dialect) == text)
      #expect(fragment.statement(dialect).parameters.isEmpty)
    }
  }

  @Test(arguments: [
    (
      "name CONTAINS '50%'",
      [
        #"`name` LIKE '%50\\%%'"#, #""name" LIKE '%50!%%' ESCAPE '!'"#,
        "`name` LIKE '%50!%%' ESCAPE '!'",
      ]
    ),
    (
      "name CONTAINS[c] 'bern'",
      ["lower(`name`) LIKE lower('%bern%')", #""name" ILIKE '%bern%'"#, "`name` ILIKE '%bern%'"]
    ),
    (
      #"name MATCHES 'a\\d'"#,
      [
        #"REGEXP_CONTAINS(`name`, '^(?:a\\d)$')"#, #"REGEXP_LIKE("name", 'a\\d', 'c')"#,
        #"`name` RLIKE '^(?:a\\d)$'"#,
      ]
    ),
    (
      "NOT people > 5",
      [
        "((`people` > 5) IS NOT TRUE)", #"(("people" > 5) IS DISTINCT FROM TRUE)"#,
        "((`people` > 5) IS NOT TRUE)",
      ]
    ),
    (
      "name.@count == 2",
      ["char_length(`name`) = 2", #"length("name") = 2"#, "char_length(`name`) = 2"]
    ),
  ])
  func conditions(_ condition: String, sql: [String]) throws {
    for (dialect, expected) in zip([SQLDialect.bigquery, .snowflake, .databricks], sql) {
      #expect(try text(condition, dialect) == expected)
    }
  }

  @Test func distances() throws {
    let circle = "location GEOWITHIN geoCircle([8.0, 47], 50km)"
    #expect(
      try text(circle, .bigquery)
        == "ST_DWithin(`location`, ST_GEOGFROMTEXT('POINT(8.0 47.0)'), 50000.0)")
    #expect(
      try text(circle, .snowflake)
        == #"ST_DWithin("location", TO_GEOGRAPHY('POINT(8.0 47.0)'), 50000.0)"#)
    #expect(
      try text(circle, .databricks).hasSuffix(
        "ST_DistanceSphere(`location`, ST_GeomFromText('POINT(8.0 47.0)', 4326)) <= 50000.0)"))
  }

  @Test func boxes() throws {
    let box = "location GEOWITHIN geoBox([170.0, -10], [-170, 10])"
    #expect(
      try text(box, .bigquery) == "ST_INTERSECTSBOX(`location`, 170.0, -10.0, -170.0, 10.0)")
    #expect(try text(box, .snowflake).contains(#"ST_X("location") BETWEEN CAST('170.0' AS FLOAT)"#))
    // BigQuery rounds coordinates, so that no bound is certain.
    #expect(try text(box, .bigquery, style: .exact) == "TRUE")
  }

  @Test(arguments: [
    (SQLDialect.bigquery, " LIMIT 9223372036854775807 OFFSET 3"),
    (.snowflake, " LIMIT NULL OFFSET 3"),
    (.databricks, " OFFSET 3"),
  ])
  func pages(dialect: SQLDialect, end: String) throws {
    let compiler = SQLCompiler(IdiomTests.table, dialect: dialect, style: .idiomatic)
    let rows = try compiler.select(
      columns: ["name"], sort: [.property("people", ascending: false)], offset: 3)
    #expect(rows.fragment.text(dialect).hasSuffix(" DESC NULLS LAST\(end)"))
  }

  @Test func figuresHaveTheTypesOfTheDialect() throws {
    func figures(_ dialect: SQLDialect) throws -> SQLFigures {
      try SQLCompiler(IdiomTests.table, dialect: dialect).figures(of: ["people", "name"])
    }
    let bigQuery = try figures(.bigquery)
    #expect(bigQuery.columns.first == "people_count")
    #expect(bigQuery.fragment.text(.bigquery).contains("sum(CAST(`people` AS NUMERIC))"))
    #expect(bigQuery.fragment.text(.bigquery).contains("AS FLOAT64)"))
    #expect(try figures(.snowflake).columns.first == "people.count")
    #expect(
      try figures(.databricks).fragment.text(.databricks).contains(
        "CAST(`people` AS DECIMAL(38, 0))"))
  }

  @Test func joinsAreOfGeographies() throws {
    let join = SQLJoin(
      IdiomTests.table, as: "a", IdiomTests.table, as: "b", dialect: .bigquery, style: .idiomatic)
    let near = try join.condition(.distance(try #require(.kilometers(50))), "location", "area")
    #expect(
      try join.select(near, columns: ["a.name"]).fragment.text(.bigquery)
        == "SELECT `a`.`name` AS `a_name` FROM `cities` AS `a`, `cities` AS `b` "
        + "WHERE ST_DWithin(`a`.`location`, `b`.`area`, 50000.0)")
    let error = try #require(throws: SQLError.self) {
      try join.condition(.overlaps, "area", "area")
    }
    #expect(
      error.description
        == "bigquery has no function for the relation 'overlaps' of 'area' and 'area'")
  }
}
