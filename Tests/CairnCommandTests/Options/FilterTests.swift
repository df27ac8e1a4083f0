import CairnTestSupport
import Foundation
import Testing

/// Filters: predicate, circle, box, polygon, and all of them together.
@Suite struct FilterTests {
  private func names(_ filters: String...) throws -> [String] {
    let arguments = ["query", try SampleStores.placesStore(), "places"] + filters
    let outcome = try Command.run(
      arguments + ["--sort", "id", "--select", "name", "--format", "csv"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return Array(outcome.lines.dropFirst())
  }

  @Test func noFilterSelectsAllRows() throws {
    #expect(try names().count == 8)
    #expect(try Command.lines("count", SampleStores.placesStore(), "places") == ["8"])
  }

  @Test func predicates() throws {
    #expect(try names("population > 2000000") == ["Brisbane", "Paris"])
    #expect(try names("founded == nil AND open == true") == ["Paris", "Apia"])
    #expect(try names("name CONTAINS ', '") == ["\"Byron Bay, NSW\""])
    #expect(try names("`odd name, really` == 'a'") == ["Brisbane", "\"Byron Bay, NSW\""])
  }

  @Test(arguments: ["50km", "50000m", "31.07mi", "0.45deg", "0.00784rad", "50 km"])
  func circlesInEveryUnit(radius: String) throws {
    #expect(try names("--near", "48.8566,2.3522", "--radius", radius) == ["Paris", "Versailles"])
  }

  @Test func negativeCoordinatesInBothForms() throws {
    let expected = ["Brisbane", "Ipswich"]
    #expect(try names("--near", "-27.5,153", "--radius", "50km") == expected)
    #expect(try names("--near=-27.5,153", "--radius=50km") == expected)
    #expect(try names("--bbox", "-10,40,5,50") == ["Paris", "Versailles"])
    #expect(try names("--bbox=-10,40,5,50") == ["Paris", "Versailles"])
    #expect(try names("--near", " -27.5 , 153 ", "--radius", "50km") == expected)
  }

  @Test func boxesAcrossTheAntimeridian() throws {
    #expect(try names("--bbox", "170,-30,-160,0") == ["Suva", "Apia"])
    #expect(try names("--bbox", "-180,-90,180,-80") == ["Pole"])
  }

  @Test func polygons() throws {
    let wkt =
      "POLYGON ((1 48, 3 48, 3 50, 1 50, 1 48), (2.2 48.8, 2.5 48.8, 2.5 49, 2.2 49, 2.2 48.8))"
    #expect(try names("--within", wkt) == ["Versailles"])
    #expect(try names("--within", wkt, "--edges", "geodesic") == ["Versailles"])
    #expect(
      try names(
        "--within",
        "MULTIPOLYGON (((1 48, 3 48, 3 50, 1 48)), ((152 -28, 154 -28, 154 -27, 152 -27, 152 -28)))"
      )
      .contains("Brisbane"))
    let geometry = #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,50],[1,48]]]}"#
    #expect(try names("--within", geometry) == ["Paris", "Versailles"])
  }

  @Test(arguments: [
    #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,50],[1,48]]]}"#,
    #"{"coordinates":[[[[1,48],[3,48],[3,50],[1,50],[1,48]]]],"bbox":[1,2,3,4],"type":"MultiPolygon"}"#,
    #"{"type":"Feature","properties":{"a":[{"b":"\"}"}]},"geometry":{"type":"Polygon","coordinates":[[[1,48,5],[3,48],[3,50],[1,50],[1,48,5]]]}}"#,
    #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,50],[1,48]]]}]}}]}"#,
    "POLYGON Z ((1 48 0, 3 48 0, 3 50 0, 1 50 0, 1 48 0))",
  ])
  func polygonFiles(text: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("area", text)
    #expect(try names("--within", file.path) == ["Paris", "Versailles"])
    let piped = try Command.run(
      "count", SampleStores.placesStore(), "places", "--within", "-", input: text)
    #expect(piped.output == "2\n", "\(piped.errors)")
  }

  @Test func allFiltersAtOnce() throws {
    #expect(
      try names(
        "kind == 'city'", "--near", "-27.5,153", "--radius", "200km", "--bbox", "152.9,-28,154,-27")
        == ["Brisbane"])
  }

  @Test func holesAreOutside() throws {
    let area = ["--within", Repository.data("south-africa.geojson")]
    let inside = try Command.run(
      ["count", SampleStores.citiesStore(), "cities", "name == 'Maseru' OR name == 'Bloemfontein'"]
        + area)
    #expect(inside.output == "1\n", "\(inside.errors)")
  }

  /// The shell cannot remove the quotes of a condition in a file.
  @Test func aConditionIsReadFromAFile() throws {
    let scratch = try TemporaryFolder()
    let store = try SampleStores.placesStore()
    let file = try scratch.file("where.txt", "kind == 'town'\n  AND name CONTAINS \",\"\n")
    #expect(try Command.lines("count", store, "places", "@\(file.path)") == ["1"])
    #expect(try Command.lines("count", store, "places", "@-", input: "kind == 'city'") == ["5"])
    #expect(try Command.run("count", store, "places", "@\(scratch["none"])").code == 66)
    try scratch.file("wrong.txt", "kind = \n")
    #expect(try Command.run("count", store, "places", "@\(scratch["wrong.txt"])").code == 64)
    try Data([0x22, 0xFF]).write(to: scratch.url.appendingPathComponent("bytes"))
    #expect(try Command.run("count", store, "places", "@\(scratch["bytes"])").code == 65)
  }
}
