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
    let lines = try sql("name MATCHES 'a.*' AND id > 5", "--select", "id", "--limit", "2")
    #expect(
      lines == [
        "-- superset: MATCHES is decided here",
        "-- superset: the limit applies to the rows that are left here",
        #"SELECT "id" FROM "places" WHERE "id" > 5;"#,
      ])
  }

  @Test func nearestRowsAndAreas() throws {
    let nearest = try sql("--near", "48.85,2.35", "--limit", "2", "--select", "id")
    #expect(nearest.last?.hasPrefix("WITH nearest AS (SELECT") == true)
    let near = try sql("--near", "48.85,2.35", "--radius", "20km", "--count")
    #expect(near.last?.hasPrefix("SELECT count(*) FROM \"places\" WHERE") == true)
    let box = try sql("--bbox", "0,40,10,50", "--count")
    #expect(box.count == 1)
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
