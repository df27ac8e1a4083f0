import CairnTestSupport
import Testing

/// `cairn sql`.
@Suite struct SQLCommandTests {
  private func sql(_ words: String...) throws -> [String] {
    let outcome = try Command.run(["sql", SampleStores.placesStore(), "places"] + words)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines
  }

  @Test func theStatementRunsAsItIs() throws {
    #expect(
      try sql("kind == 'city' AND id > 5", "--select", "id,name", "--sort", "id:desc", "-n", "3")
        == [
          #"SELECT "id", "name" FROM "places" WHERE ("kind" = 'city' AND "id" > 5) "#
            + #"ORDER BY "id" DESC NULLS LAST LIMIT 3;"#
        ])
    #expect(
      try sql("id > 5", "--count", "--table", "geo.towns", "--dialect", "duckdb")
        == [#"SELECT count(*) FROM "geo"."towns" WHERE "id" > 5;"#])
    #expect(try sql("--select", "id", "--dialect", "sedona") == ["SELECT `id` FROM `places`;"])
  }

  @Test func supersetsSayWhy() throws {
    let lines = try sql(
      "name MATCHES 'a.*' AND id > 5", "--exact", "--select", "id", "--limit", "2")
    #expect(
      lines == [
        "-- superset: MATCHES is decided here",
        "-- superset: the limit applies to the rows that are left here",
        #"SELECT "id" FROM "places" WHERE "id" > 5;"#,
      ])
  }

  @Test func idiomsSayHowTheyDiffer() throws {
    #expect(
      try sql("name CONTAINS[c] 'bern'", "--select", "id", "--limit", "2") == [
        "-- differs: texts are folded as postgis does: [c]",
        #"SELECT "id" FROM "places" WHERE "name" ILIKE '%bern%' LIMIT 2;"#,
      ])
    let nearest = try sql("--near", "48.85,2.35", "-n", "2", "--sort", "distance", "--select", "id")
    #expect(
      nearest.last?.contains(
        #"ORDER BY "location"::geography <-> ST_GeogFromText('POINT(2.35 48.85)') ASC NULLS LAST"#)
        == true)
    let inSedona = try sql(
      "--near", "48.85,2.35", "-n", "2", "--sort", "distance", "--select", "id", "--dialect",
      "sedona")
    #expect(
      inSedona.last?.contains("AS cairn_distance FROM `places`) AS `places` ORDER BY") == true)
    let near = try sql(
      "--near", "48.85,2.35", "--radius", "20km", "--count", "--dialect", "bigquery")
    #expect(
      near.last
        == "SELECT count(*) FROM `places` WHERE "
        + "ST_DWithin(`location`, ST_GEOGFROMTEXT('POINT(2.35 48.85)'), 20000.0);")
    #expect(
      try sql("--by", "kind", "--near", "1,2", "--radius", "5km").first?.hasPrefix("-- differs: ")
        == true)
  }

  @Test func nearestRowsAndAreas() throws {
    let nearest = try sql("--near", "48.85,2.35", "--limit", "2", "--select", "id", "--exact")
    #expect(nearest.last?.hasPrefix("WITH cairn_nearest AS (SELECT") == true)
    let near = try sql("--near", "48.85,2.35", "--radius", "20km", "--count", "--exact")
    #expect(near.last?.hasPrefix("SELECT count(*) FROM \"places\" WHERE") == true)
    let box = try sql("--bbox", "0,40,10,50", "--count")
    #expect(box.count == 1)
  }

  @Test func groupsHaveFigures() throws {
    #expect(
      try sql("id > 5", "--by", "kind") == [
        #"SELECT "kind", count(*) AS "count" FROM "places" WHERE "id" > 5 "#
          + #"GROUP BY "kind" ORDER BY "kind" COLLATE "C" ASC NULLS FIRST;"#
      ])
    let lines = try sql("--by", "kind", "--of", "id,population", "--dialect", "duckdb")
    #expect(lines.count == 1)
    for part in [
      #"coalesce(sum("id"), 0) AS "id.sum""#, #"max("id") AS "id.max""#, #"AS "population.avg""#,
    ] {
      #expect(lines[0].contains(part), "\(lines[0])")
    }
    #expect(try sql("--of", "name").last?.contains("avg") == false)
  }

  @Test(arguments: [
    (["--by", "kind", "name MATCHES 'a.*'", "--exact"], "does not decide the condition"),
    (["--by", "kind", "--near", "1,2", "--radius", "5km", "--exact"], "within a millimetre"),
    (["--by", "kind", "--limit", "3"], "--limit does not apply to --by"),
    (["--of", "id", "--sort", "id"], "--sort does not apply to --of"),
    (["--by", "kind", "--count"], "--by does not apply to --count"),
    (["--by", "knid"], "did you mean 'kind'?"),
    (["--by", "hex(5km)"], "a statement groups by columns, not by hex(…)"),
    (["--by", "location"], "cannot group by 'location'"),
  ])
  func groupsThatCannotBeMadeAreErrors(words: [String], message: String) throws {
    let outcome = try Command.run(["sql", SampleStores.placesStore(), "places"] + words)
    #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func mistakesAreErrors() throws {
    let store = try SampleStores.placesStore()
    let limited = try Command.run("sql", store, "places", "--count", "--limit", "2")
    #expect(limited.code == 64)
    #expect(limited.errors.contains("--limit does not apply to --count"))
    #expect(try Command.run("sql", store, "places", "--dialect", "mysql").code == 64)
    #expect(try Command.run("sql", store, "places", "--select", "nothing").code == 64)
    #expect(try Command.run("sql", store, "places", "nothing == 1").code == 64)
    #expect(try Command.run("sql", store, "places", "--near", "1,2").code == 64)
  }
}
