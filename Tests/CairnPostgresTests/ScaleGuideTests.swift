import Cairn
import CairnFormats
import CairnPostgres
import CairnTestSupport
import Testing

/// The Swift code of docs/scale.md, with the address of the tests' server.
@Suite(.serialized, .enabled(if: Cluster.isInstalled, "\(Cluster.reason)"))
struct ScaleGuideTests {
  @Test func thePageRunsAsShown() async throws {
    let code = try DocumentedCode(of: ["docs/scale.md"])
    let shown = code.shown.replacing(
      "\"postgres://db.example.com/world\"", with: "Cluster.url(database: \"postgres\")")
    #expect(code.run == Self.declarations + shown)
    try Cluster.psql(
      """
      CREATE TABLE cities AS SELECT * FROM (VALUES ('Bern', 134000, ST_Point(7.45, 46.95, 4326)),
        ('Lagos', 15000000, ST_Point(3.4, 6.5, 4326)), ('Lima', 10000000, ST_Point(-77, -12, 4326)))
        AS v (name, population, location)
      """)
    defer { _ = try? Cluster.psql("DROP TABLE cities") }
    #expect(try await run() == code.expected + ["Lagos 6.5", "Lima -12.0"])
  }

  private static let declarations = "// Nothing is declared.\n\n\n"
}

// The guide begins
// Nothing is declared.

// The guide ends

/// Runs the code of the page and returns the lines that it prints.
private func run() async throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  // The guide begins
  let address = PostgresAddress(Cluster.url(database: "postgres"))
  let store = PostgresStore(address)
  let large = try Predicate("population > %@", 1_000_000)
  print(try await store.count(of: "cities", where: large))  // 2
  for try await row in store.rows(of: "cities", where: large, columns: ["name", "location"]) {
    print(row["name"].string ?? "", row["location"].location?.latitude ?? 0)
  }
  // The guide ends
  return printed
}
