import CairnTestSupport
import Foundation
import Testing

/// The exit codes and messages of errors.
@Suite struct ErrorTests {
  private func places(_ command: String, _ options: [String]) throws -> Command.Outcome {
    try Command.run([command, SampleStores.placesStore(), "places"] + options)
  }

  @Test(arguments: [
    ["--near", "1,2"], ["--near", "1,2", "--sort", "name"], ["--radius", "5km"],
    ["--near", "1,2", "--radius", "50"], ["--near", "1,2", "--radius", "50 kms"],
    ["--near", "1,2", "--radius", "-5km"], ["--near", "1,2", "--radius", "km"],
    ["--near", "1,2", "--radius", "nankm"], ["--near", "1,2", "--radius", "1e999km"],
    ["--near", "1", "--limit", "1"], ["--near", "1,2,3", "--limit", "1"],
    ["--near", "91,2", "--limit", "1"], ["--near", "1,181", "--limit", "1"],
    ["--near", "nan,2", "--limit", "1"], ["--near", "0x1,2", "--limit", "1"],
    ["--bbox", "1,2,3"], ["--bbox", "1,2,3,4,5"], ["--bbox", "0,-91,1,1"], ["--bbox", "0,0,181,1"],
    ["--bbox"], ["--edges", "planar"], ["--edges", "round", "--within", "x"],
    ["--sort", "distance"], ["--sort", "nope"], ["--sort", "name:down"], ["--sort", ""],
    ["--select", "nope"], ["--select", "name,,id"], ["--select", "name,name"],
    ["--distinct", "nope"], ["--limit", "-1"], ["--limit", "x"], ["--offset", "-1"],
    ["--format", "xml"], ["--nope"], ["name == 'a'", "extra"], ["--limit"],
    ["nope == 1"], ["name == "], ["population == 'many'"],
    ["name GEOWITHIN geoCircle([1, 2], 5km)"],
  ])
  func wrongQueryOptionsAreUsageErrors(options: [String]) throws {
    let outcome = try places("query", options)
    #expect(outcome.code == 64, "\(options): \(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: "), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["count", "--near", "1,2"], ["count", "--limit", "1"], ["count", "--sort", "name"],
    ["stats", "--histogram"], ["stats", "--of", "nope"], ["stats", "--of", "id", "--by", "nope"],
    ["stats", "--of", "id", "--format", "geojson"], ["stats", "--of", "id", "--bins", "5"],
    ["stats", "--of", "id", "--scale", "log"],
    ["stats", "--of", "id", "--histogram", "--bins", "0"],
    ["stats", "--of", "location", "--histogram"],
    ["stats", "--of", "name", "--by", "kind", "--histogram"], ["completions"],
    ["completions", "csh"], ["man", "qurey"], ["stats", "--of", "id", "--near", "1,2"],
    ["export"], ["export", "--output", "-"], ["export", "--output", "x.dat"], ["schema", "more"],
  ])
  func wrongOptionsOfOtherCommandsAreUsageErrors(line: [String]) throws {
    let takesStore = !["completions", "man"].contains(line[0])
    let outcome =
      try takesStore ? places(line[0], Array(line.dropFirst())) : Command.run(line)
    #expect(outcome.code == 64, "\(line): \(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(arguments: [
    (["qurey"], "query"), (["query", "STORE", "place"], "places"),
    (["query", "STORE", "places", "--selct", "name"], "--select"),
    (["query", "STORE", "places", "--select", "popluation"], "population"),
    (["query", "STORE", "places", "--sort", "nmae:desc"], "name"),
    (["query", "STORE", "places", "--sort", "distance:desc"], "--near"),
    (["query", "STORE", "places", "popultion > 5"], "population"),
    (["query", "STORE", "places", "--near", "1,2", "--radius", "5kn"], "km"),
    (["stats", "STORE", "places", "--of", "popultion"], "population"),
    (["stats", "STORE", "places", "--of", "id", "--by", "knid"], "kind"),
    (["query", "STORE", "places", "--distinct", "opne"], "open"),
    (["query", "STORE", "places", "--format", "jsno"], "'json'"),
    (["query", "STORE", "places", "--format", "geo-json"], "'geojson'"),
    (["stats", "STORE", "places", "--of", "id", "--format", "cvs"], "'csv'"),
    (["import", "STORE", "x.csv", "--on-conflict", "relpace"], "'replace'"),
    (["import", "STORE", "x.csv", "--indxe", "id"], "--index"), (["man", "scheam"], "schema"),
    (["count", "STORE", "places", "--neer", "1,2"], "--near"), (["exprot"], "export"),
    (["count", "STORE", "places", "kidn == 'a'"], "kind"), (["compl"], "completions"),
    (["help", "qurey"], "'query'"),
    (
      ["count", "STORE", "places", "location GEOWITHIN geoCircle([1, 2], 5kn)"],
      "Did you mean 'km'?"
    ),
  ])
  func misspellingsGetASuggestion(line: [String], meant: String) throws {
    let store = try SampleStores.placesStore()
    let outcome = try Command.run(line.map { $0 == "STORE" ? store : $0 })
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(meant), "\(outcome.errors)")
  }

  @Test func aWrongPredicateShowsThePosition() throws {
    let outcome = try places("query", ["population > AND name == 'a'"])
    let lines = outcome.errors.split(separator: "\n")
    #expect(outcome.code == 64)
    #expect(lines.count == 3)
    #expect(lines.last?.trimmingCharacters(in: .whitespaces) == "^")
  }

  @Test func anUnknownClassListsTheClasses() throws {
    let outcome = try Command.run("count", SampleStores.placesStore(), "zebras")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("places"))
  }

  @Test(arguments: ["query", "count", "stats", "schema", "export", "verify"])
  func aMissingStoreIsExitCode66(command: String) throws {
    let scratch = try TemporaryFolder()
    let rest = [
      "stats": ["a", "--of", "b"], "schema": [], "verify": [],
      "export": ["a", "--output", "x.csv"],
    ]
    let outcome = try Command.run([command, scratch["none.cairn"]] + (rest[command] ?? ["a"]))
    #expect(outcome.code == 66, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
  }

  @Test(arguments: ["", "not a store at all", String(repeating: "x", count: 20000)])
  func otherFilesAreNotStores(content: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("x.cairn", content)
    let outcome = try Command.run("count", file.path, "a")
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(try scratch.text("x.cairn") == content)
  }

  @Test func aTruncatedStoreIsRefused() throws {
    let scratch = try TemporaryFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: SampleStores.citiesStore()))
    for part in [1, 4096, 5000, whole.count / 2, whole.count - 4096] {
      try whole.prefix(part).write(to: scratch.url.appendingPathComponent("cut.cairn"))
      #expect(try Command.run("count", scratch["cut.cairn"], "cities").code == 74)
    }
  }

  @Test(arguments: [
    "", "{", "nonsense", "[1,2]", "{}", #"{"type":"Point","coordinates":[1,92]}"#,
    #"{"type":"Polygon"}"#, #"{"type":"Polygon","coordinates":[]}"#,
    #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,50]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[1,48]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,95],[1,48]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1,NaN],[3,48],[3,50],[1,NaN]]]}"#,
    #"{"type":"Polygon","coordinates":[[[1,48],[3,50],[3,48],[1,50],[1,48]]]}"#,
    #"{"type":"Feature","geometry":null}"#, #"{"type":"FeatureCollection","features":[]}"#,
    #"{"type":"Polygon","coordinates":[[[1,48],[3,48],[3,50],[1,48]]]} {}"#,
    #"{"type":"Polygon","coordinates":[[["1",48],[3,48],[3,50],[1,48]]]}"#,
    "POLYGON", "POLYGON ((1 2, 3 4))", "POLYGON ((1 48, 3 48, 3 50, 1 48)) x",
    "POLYGON ((1 48, a 48, 3 50, 1 48))", "POLYGON ((1 48, 3 48, 3 50, 1 49))",
    "LINESTRING (1 2, 3 94)",
  ])
  func invalidPolygonsAreRefused(text: String) throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("area.geojson", text)
    let outcome = try places("count", ["--within", file.path])
    #expect(outcome.code == 65, "\(text): \(outcome.errors)")
    #expect(
      outcome.errors.contains("area.geojson") || outcome.errors.contains("WKT"), "\(outcome.errors)"
    )
  }

  @Test func nestingCannotExhaustTheStack() throws {
    let scratch = try TemporaryFolder()
    let deep = String(repeating: "[", count: 100_000)
    let file = try scratch.file("deep.geojson", #"{"type":"Polygon","coordinates":"# + deep)
    #expect(try places("count", ["--within", file.path]).code == 65)
    let geometries = String(
      repeating: #"{"type":"GeometryCollection","geometries":["#, count: 10_000)
    let other = try scratch.file("deeper.geojson", geometries)
    #expect(try places("count", ["--within", other.path]).code == 65)
  }

  @Test func aMissingPolygonFileIsExitCode66() throws {
    let outcome = try places("count", ["--within", "/nowhere/area.geojson"])
    #expect(outcome.code == 66)
    #expect(try places("count", ["--within", "/"]).code == 66)
  }

  @Test func unwritableOutputIsAnError() throws {
    let outcome = try places("query", ["--output", "/nowhere/out.csv"])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("/nowhere/out.csv"))
  }

  @Test(.enabled(if: Machine.hasFullDevice, "no /dev/full on this machine"))
  func aFullDiskIsAnError() throws {
    let full = try places("query", ["--output", "/dev/full"])
    #expect(full.code == 74)
    #expect(full.errors.contains("full"))
  }

  @Test func outputNeverReplacesTheStore() throws {
    let store = try SampleStores.placesStore()
    #expect(
      try Command.run("export", store, "places", "--output", store, "--format", "csv").code == 64)
    #expect(try Command.lines("count", store, "places") == ["8"])
  }
}
