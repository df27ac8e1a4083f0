import CairnTestSupport
import Foundation
import Testing

/// The distance from `--near` as a column.
@Suite struct DistanceTests {
  @Test func distanceIsShownWhenRowsAreSortedByIt() throws {
    for order in [["--limit", "3"], ["--sort", "distance", "--limit", "3"]] {
      let lines = try Command.run(
        ["query", SampleStores.placesStore(), "places", "--near", "-27.5,153", "--format", "csv"]
          + order
      ).lines
      #expect(
        lines[0]
          == "id,name,kind,latitude,longitude,population,founded,open,\"odd name, really\",distance"
      )
      let metres = lines.dropFirst().compactMap {
        $0.split(separator: ",").last.flatMap { Double($0) }
      }
      #expect(metres.count == 3)
      for (found, expected) in zip(metres, [4168.532, 26_813.815, 140_770.587]) {
        #expect(abs(found - expected) < 0.01, "\(found)")
      }
    }
    let unordered = try queryPlaces("--near", "48,2", "--radius", "200km", "--format", "csv")
    #expect(!unordered[0].contains("distance"), "only sorting by distance adds the column")
  }

  @Test func distanceCanBeSelected() throws {
    let circle = ["--near", "48,2", "--radius", "200km", "--select", "distance, name"]
    let outcome = try Command.run(
      ["query", SampleStores.placesStore(), "places", "--sort", "name", "--format", "csv"] + circle)
    #expect(outcome.lines[0] == "distance,name")
    #expect(
      outcome.lines.dropFirst().map { $0.split(separator: ",")[1] } == ["Paris", "Versailles"])
    let without = try queryPlaces(
      "--near", "48,2", "--limit", "1", "--select", "name", "--format", "csv")
    #expect(without == ["name", "Versailles"])
    let slip = try Command.run(
      "query", SampleStores.placesStore(), "places", "--select", "distance")
    #expect(slip.code == 64)
    #expect(slip.errors.contains("--select distance needs --near or --near-shape, to measure from"))
    let twice = try Command.run(
      "query", SampleStores.placesStore(), "places", "--near", "1,2", "--limit", "1", "--select",
      "distance,distance")
    #expect(twice.code == 64 && twice.errors.contains("names 'distance' twice"), "\(twice.errors)")
  }

  @Test func distanceIsRoundedOnlyInTables() throws {
    let near = ["id == 4", "--near", "48,2", "--sort", "distance", "--select", "distance"]
    func output(_ format: String) throws -> String {
      try Command.run(["query", SampleStores.placesStore(), "places", "--format", format] + near)
        .output
    }
    let csv = try output("csv").split(separator: "\n")[1]
    let metres = try #require(Double(csv))
    #expect(csv.count > 10)
    #expect(try output("jsonl") == "{\"distance\":\(csv)}\n")
    #expect(try output("json") == "[\n{\"distance\":\(csv)}\n]\n")
    #expect(try output("geojsonl").contains("\"properties\":{\"distance\":\(csv)}"))
    #expect(try output("table").contains("\((metres * 10).rounded() / 10)\n"))
  }

  @Test func aPropertyNamedDistanceTakesPrecedence() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("a.csv", "id,distance,lat,lon\n1,7,10,20\n2,3,10,21\n").path
    let store = scratch["s.cairn"]
    #expect(try Command.run("import", store, file).code == 0)
    let lines = try Command.lines(
      "query", store, "a", "--near", "10,20", "--sort", "distance", "--format", "csv")
    #expect(lines == ["id,distance,latitude,longitude", "1,7,10.0,20.0", "2,3,10.0,21.0"])
    let selected = try Command.lines(
      "query", store, "a", "--select", "distance", "--sort", "distance", "--format", "csv")
    #expect(
      selected == ["distance", "3", "7"], "without --near it is the property in every respect")
  }
}
