import CairnTestSupport
import Foundation
import Testing

/// `--crs`, `--x`, `--y` and `--wrap-longitude`, through the built command.
@Suite struct CoordinateSystemTests {
  private struct Truth: Decodable {
    struct Item: Decodable {
      let crs: String
      let tolerance_m: Double
      let places: [[Double]]

      /// The places as a CSV file in metres.
      var csv: String {
        "id,easting,northing\n"
          + places.enumerated().map { "\($0),\($1[0]),\($1[1])\n" }.joined()
      }
    }

    let items: [Item]
  }

  private static func truth() throws -> [Truth.Item] {
    let file = URL(fileURLWithPath: Repository.data("truth/projected.json"))
    return try JSONDecoder().decode(Truth.self, from: Data(contentsOf: file)).items
  }

  /// The numeric columns of a CSV output.
  private static func numbers(_ text: String, _ columns: String...) throws -> [[Double]] {
    let lines = text.split(separator: "\n").map { $0.split(separator: ",") }
    let header = try #require(lines.first)
    let places = try columns.map { name in try #require(header.firstIndex { $0 == name }) }
    return lines.dropFirst().map { line in places.map { Double(line[$0]) ?? .nan } }
  }

  private static func metres(_ first: [Double], _ second: [Double]) -> Double {
    let east = (first[0] - second[0]) * cos(first[1] * .pi / 180)
    return 111_320 * hypot(east, first[1] - second[1])
  }

  @Test func importedPointsAreWithinTolerance() throws {
    let items = try Self.truth()
    #expect(items.count == 4)
    for item in items {
      let scratch = try TemporaryFolder()
      let file = try scratch.file("p.csv", item.csv).path
      let store = scratch["s.cairn"]
      let imported = try Command.run(
        "import", store, file, "--crs", item.crs, "--x", "easting", "--y", "northing")
      #expect(imported.code == 0, "\(imported.errors)")
      let output = try Command.run("query", store, "p", "--sort", "id", "--format", "csv").output
      let found = try Self.numbers(output, "longitude", "latitude")
      #expect(found.count == item.places.count)
      for (place, expected) in zip(found, item.places) {
        #expect(Self.metres(place, [expected[2], expected[3]]) <= item.tolerance_m, "\(item.crs)")
      }
    }
  }

  @Test(arguments: ["csv", "geojson"]) func roundTripsStayWithinMillimetres(fileExtension: String)
    throws
  {
    for item in try Self.truth() {
      let scratch = try TemporaryFolder()
      let file = try scratch.file("p.csv", item.csv).path
      let (first, second) = (scratch["1.cairn"], scratch["2.cairn"])
      let written = scratch["p.\(fileExtension)"]
      #expect(try Command.run("import", first, file, "--crs", item.crs).code == 0)
      #expect(
        try Command.run("export", first, "p", "--crs", item.crs, "--output", written).code == 0)
      // GeoJSON files name their own system.
      let options = fileExtension == "csv" ? ["--crs", item.crs, "--x", "x", "--y", "y"] : []
      let again = try Command.run(["import", second, written] + options)
      #expect(again.code == 0, "\(again.errors)")
      #expect(again.errors.contains(" from "), "\(again.errors)")
      let places = try [first, second].map { store in
        try Self.numbers(
          Command.run("query", store, "p", "--sort", "id", "--format", "csv").output, "longitude",
          "latitude")
      }
      for (one, other) in zip(places[0], places[1]) {
        #expect(Self.metres(one, other) < 0.002, "\(item.crs) \(one)")
      }
    }
  }

  @Test(arguments: [
    ["--x", "a", "--y", "b"], ["--x", "a", "--crs", "EPSG:27700"],
    ["--lat", "a", "--lon", "b", "--crs", "EPSG:27700"], ["--crs", "EPSG:999999"], ["--crs"],
    ["--crs", "EPSG:27700", "--wrap-longitude"],
  ])
  func conflictingImportOptionsAreUsageErrors(options: [String]) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("p.csv", "id,x,y\n1,1,2\n")
    let outcome = try Command.run(["import", scratch["s.cairn"], file.path] + options)
    #expect(outcome.code == 64, "\(options): \(outcome.errors)")
    #expect(!scratch.exists("s.cairn"))
  }

  @Test func xAndYWithoutCRSSuggestLatAndLon() throws {
    let outcome = try Command.run("import", "s.cairn", "p.csv", "--x", "a", "--y", "b")
    #expect(
      outcome.errors.hasPrefix(
        "Error: --x and --y need --crs, as in --crs EPSG:27700; for WGS 84 degrees, use --lat and --lon"
      ), "\(outcome.errors)")
  }

  @Test func metresAndLongitudesUpTo360AreNotTakenForDegrees() throws {
    let scratch = try TemporaryFolder()
    let store = scratch["s.cairn"]
    let metres = try scratch.file("m.csv", "x,y\n431065.79,398613.58\n").path
    let refused = try Command.run("import", store, metres)
    #expect(refused.code == 65 && refused.errors.contains("m.csv:2: "), "\(refused.errors)")
    #expect(refused.errors.contains("`--crs EPSG:n --x COLUMN --y COLUMN`"), "\(refused.errors)")
    let turned = try scratch.file("t.csv", "lat,lon\n10,186.028\n").path
    let asked = try Command.run("import", store, turned)
    #expect(asked.code == 65 && asked.errors.contains("`--wrap-longitude`"), "\(asked.errors)")
    #expect(try Command.run("import", store, turned, "--wrap-longitude").code == 0)
    #expect(
      try Command.lines("query", store, "t", "--format", "csv") == [
        "latitude,longitude", "10.0,-173.972",
      ])
  }

  @Test(arguments: [
    (["--format", "geojsonl", "--crs", "EPSG:2056"], 64, "choose geojson or csv"),
    (["--format", "csv", "--crs", "EPSG:999999"], 64, "--crs: 'EPSG:999999' is no"),
    (["--select", "name", "--crs", "EPSG:2056"], 64, "--crs needs a location"),
    (["--format", "csv", "--crs", "EPSG:2056"], 65, "--bbox W,S,E,N excludes such rows"),
  ])
  func impossibleOutputSystemsAreRefused(options: [String], code: Int32, part: String) throws {
    let outcome = try Command.run(["query", SampleStores.placesStore(), "places"] + options)
    #expect(outcome.code == code, "\(outcome.errors)")
    #expect(outcome.errors.contains(part), "\(outcome.errors)")
  }

  /// Loading PROJ and GEOS would add several milliseconds to every start.
  @Test(.enabled(if: Machine.isLinux, "only Linux's linker reports the loaded libraries"))
  func areasAndDistancesDoNotLoadProjOrGEOS() throws {
    let store = try SampleStores.placesStore()
    for options in [
      ["count", store, "places"], ["count", store, "places", "--near", "48,2", "--radius", "90km"],
      ["count", store, "places", "--bbox", "-10,40,5,50"],
      ["query", store, "places", "--near", "48,2", "--limit", "2"],
    ] {
      let outcome = try Command.run(options, environment: ["LD_DEBUG": "libs"])
      #expect(outcome.code == 0 && outcome.errors.contains("liblmdb"))
      #expect(!outcome.errors.contains("libproj") && !outcome.errors.contains("libgeos"))
    }
    let crs = try Command.run(
      ["query", store, "places", "id == 4", "--crs", "EPSG:3857"],
      environment: ["LD_DEBUG": "libs"])
    #expect(crs.errors.contains("libproj"), "the test can detect a loaded library")
  }
}
