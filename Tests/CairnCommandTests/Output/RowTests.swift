import CairnTestSupport
import Foundation
import Testing

/// The order, the limits, the columns and the format of rows.
@Suite struct RowTests {
  private func ids(_ options: String...) throws -> String {
    let outcome = try Command.run(
      ["query", SampleStores.placesStore(), "places", "--select", "id", "--format", "csv"] + options
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines.dropFirst().joined(separator: " ")
  }

  @Test func sorting() throws {
    #expect(try ids("--sort", "id") == "1 2 3 4 5 6 7 8")
    #expect(try ids("--sort", "id:desc") == "8 7 6 5 4 3 2 1")
    #expect(try ids("--sort", "kind:desc,population:asc") == "3 5 8 7 6 2 4 1")
    #expect(try ids("--sort", "odd name, really:desc,id") == "4 6 7 2 1 3 5 8")
  }

  @Test func limitsAndOffsets() throws {
    #expect(try ids("--sort", "id", "--limit", "2", "--offset", "3") == "4 5")
    #expect(try ids("--sort", "id", "--offset", "6") == "7 8")
    #expect(try ids("--limit", "0") == "")
    #expect(try ids("--sort", "id", "--offset", "100") == "")
  }

  @Test func nearest() throws {
    #expect(try ids("--near", "-27.5,153", "--limit", "3") == "1 2 3")
    #expect(try ids("--near", "-15,179", "--sort", "distance", "--limit", "2") == "6 7")
    #expect(try ids("--near", "48,2", "--radius", "200km", "--sort", "distance:desc") == "4 5")
    #expect(try ids("kind == 'town'", "--near", "-27.5,153", "--sort", "distance") == "3 5")
  }

  @Test func distinct() throws {
    #expect(try ids("--sort", "id", "--distinct", "kind") == "1 3 8")
    #expect(try ids("--sort", "id", "--distinct", "kind,open") == "1 3 5 6 8")
  }

  @Test func csv() throws {
    #expect(
      try queryPlaces("id >= 7", "--sort", "id", "--format", "csv") == [
        "id,name,kind,latitude,longitude,population,founded,open,\"odd name, really\"",
        "7,Apia,city,-13.8333,-171.7667,37391,,true,c",
        "8,Pole,station,-90.0,0.0,,1957-01-23,false,",
      ])
  }

  @Test func selectedColumnsInTheirOrder() throws {
    #expect(
      try queryPlaces("id == 1", "--select", "odd name, really,population, name", "--format", "csv")
        == [
          "\"odd name, really\",population,name", "a,2560720,Brisbane",
        ])
  }

  @Test func json() throws {
    let text = try queryPlaces("id >= 7", "--sort", "id", "--format", "json").joined(
      separator: "\n")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(rows.count == 2)
    #expect(rows[0]["name"] as? String == "Apia")
    #expect((rows[0]["location"] as? [String: Double])?["longitude"] == -171.7667)
    #expect(rows[1]["population"] is NSNull)
    #expect(try queryPlaces("id >= 7", "--format", "jsonl").count == 2)
  }

  @Test func geoJSON() throws {
    let text = try queryPlaces("id == 7", "--format", "geojson", "--select", "name").joined(
      separator: "\n")
    let top = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(top["type"] as? String == "FeatureCollection")
    let feature = try #require((top["features"] as? [[String: Any]])?.first)
    #expect(
      (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [-171.7667, -13.8333])
    #expect((feature["properties"] as? [String: Any])?["name"] as? String == "Apia")
    #expect(try queryPlaces("id == 7", "--format", "geojsonl")[0].contains(#""id":7"#))
  }

  @Test func tables() throws {
    let lines = try queryPlaces("id <= 2", "--sort", "id", "--select", "name,population")
    #expect(
      lines == [
        "name      population", "--------  ----------", "Brisbane     2560720",
        "Ipswich       229208",
      ])
  }

  @Test func noRows() throws {
    #expect(try queryPlaces("FALSEPREDICATE", "--format", "csv", "--select", "id") == ["id"])
    #expect(try queryPlaces("FALSEPREDICATE", "--format", "jsonl").isEmpty)
    let text = try queryPlaces("FALSEPREDICATE", "--format", "geojson").joined()
    #expect(text.contains(#""features":[]"#))
  }

  @Test func theExtensionSelectsTheFormat() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    for (name, start) in [
      ("a.csv", "id,name"), ("a.json", "["), ("a.jsonl", "{\"id\""), ("a.ndjson", "{\"id\""),
      ("a.geojson", "{\"type\":\"FeatureCollection\""), ("a.geojsonl", "{\"type\":\"Feature\""),
      ("a.txt", "id"),
    ] {
      for command in ["query", "export"] {
        let outcome = try Command.run(command, store, "places", "--output", scratch[name])
        #expect(
          outcome.code == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)"
        )
        #expect(try scratch.text(name).hasPrefix(start), "\(command) \(name)")
      }
    }
    #expect(
      try Command.run("query", store, "places", "--output", scratch["a.csv"], "--format", "json")
        .code
        == 0)
    #expect(try scratch.text("a.csv").hasPrefix("["))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 7)
  }

  @Test func explainIsATree() throws {
    let lines = try queryPlaces(
      "kind == 'city' AND population > 3", "--near", "48.85,2.35", "--radius", "50km", "--sort",
      "id",
      "--limit", "4", "--explain")
    #expect(
      lines[0].hasPrefix(
        "places: kind == 'city' AND population > 3 AND location within 50.0 km of 48.85, 2.35"))
    #expect(lines[1] == "└─ the first 4")
    #expect(lines[2] == "   └─ order by id")
    #expect(
      lines[3].hasPrefix("      └─ keep those where ") && lines[4].hasPrefix("            and "))
    #expect(lines[5].hasPrefix("         └─ R-tree of location, 1 base and 0 delta runs"))
    let figures = lines[6...].map { String($0.prefix(11).reversed().drop { $0 == " " }.reversed()) }
    #expect(figures == ["candidates", "exact tests", "matches", "chunks", "time"], "\(lines)")
    #expect(lines.contains("matches     1"))
    #expect(lines.contains { $0.contains(/^chunks +\d+ read, \d+ skipped$/) })
  }

  @Test func explainNamesTheAccessPath() throws {
    #expect(try queryPlaces("id == 4", "--explain").contains { $0.hasSuffix("└─ primary key id") })
    #expect(
      try queryPlaces("open == true", "--explain").contains { $0.contains("└─ scan of 1 chunk, ") })
    let walk = try Command.lines(
      "query", SampleStores.citiesStore(), "cities", "--near", "1,2", "--limit", "2", "--explain")
    #expect(walk.contains { $0.contains("best-first traversal") })
    #expect(try queryPlaces("--distinct", "kind", "--explain")[1] == "└─ distinct kind")
  }
}
