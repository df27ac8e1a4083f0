import Cairn
import CairnModelTestSupport
import CairnSQL
import CairnTestSupport
import Testing

final class SQLTown: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var population: Int
  @Persisted var home: GeoPoint?
  @Persisted var twin: SQLTown?
  @Persisted var twins: List<SQLTown>
}

/// Results as SQL.
@Suite struct ResultsTests {
  @Test func theQueryOfResultsIsAStatement() throws {
    let realm = try TestRealm().realm
    let towns = realm.objects(SQLTown.self).where { $0.population > 10_000 }
    let query = try towns.sorted(byKeyPath: "name").sql(.postgis)
    #expect(query.isExact)
    let statement = query.fragment.statement(.postgis)
    #expect(statement.text.contains(#"FROM "SQLTown" WHERE "population" > $1::bigint ORDER BY"#))
    #expect(statement.parameters == [.int(10_000)])
    let near = realm.objects(SQLTown.self).filter("home IN geoCircle([8, 47], 20km)")
    #expect(try !near.sql(.duckdb).isExact)
    #expect(try !near.sql(.duckdb).undecided.isEmpty)
  }

  /// The example of docs/sql.md is the beginning of the test above.
  @Test func theExampleOfThePageRuns() throws {
    let page = try Repository.text("docs/sql.md")
    let code = try #require(page.firstMatch(of: /```swift\n((?:.|\n)*?)```/)?.1)
    let source = try Repository.text("Tests/CairnSQLTests/ResultsTests.swift")
    for line in code.split(separator: "\n") { #expect(source.contains(line), "\(line)") }
  }

  @Test func linksAndCollectionsAreDecidedHere() throws {
    let realm = try TestRealm().realm
    let twins = realm.objects(SQLTown.self).filter("twin.name == 'Bern' AND population > 5")
    let query = try twins.sql(.postgis)
    #expect(!query.isExact)
    #expect(query.fragment.text(.postgis).hasSuffix(#"WHERE "population" > 5"#))
    let town = SQLTown(value: ["id": 1])
    try realm.write { realm.add(town) }
    #expect(throws: SQLError.self) { try town.twins.filter("id > 0").sql(.postgis) }
  }
}
