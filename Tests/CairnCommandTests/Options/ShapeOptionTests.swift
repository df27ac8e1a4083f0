import CairnTestSupport
import Foundation
import Testing

/// The options that relate rows to shapes, on points and on geometries.
@Suite struct ShapeOptionTests {
  private static let zones = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"id":1,"name":"square"},"geometry":
    {"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}},
    {"type":"Feature","properties":{"id":2,"name":"line"},"geometry":
    {"type":"LineString","coordinates":[[5,5],[25,5]]}},
    {"type":"Feature","properties":{"id":3,"name":"point"},"geometry":
    {"type":"Point","coordinates":[20,5]}},
    {"type":"Feature","properties":{"id":4,"name":"none"},"geometry":null}]}
    """

  private static let made = Result {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("zones.geojson", zones).path
    let outcome = try Command.run("import", scratch["zones.cairn"], file, "--key", "id", "--quiet")
    try #require(outcome.code == 0, "\(outcome.errors)")
    return scratch
  }

  private func ids(_ options: String...) throws -> [String] {
    let outcome = try Command.run(
      ["query", Self.made.get()["zones.cairn"], "zones"] + options
        + ["--select", "id", "--format", "csv"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    return outcome.lines.dropFirst().sorted()
  }

  private func count(_ options: String...) throws -> Command.Outcome {
    try Command.run(["count", SampleStores.graticuleStore(), "graticule5"] + options)
  }

  @Test(arguments: [
    (["--intersects", "LINESTRING (-5 5, 7 5)"], ["1", "2"]),
    (["--intersects", "POINT (20 5)"], ["2", "3"]),
    (["--intersects", "MULTIPOINT ((20 5), (0 0))"], ["1", "2", "3"]),
    (["--within", "LINESTRING (0 5, 30 5)"], ["2", "3"]),
    (["--contains", "POINT (5 5)"], ["1", "2"]),
    (["--contains", "LINESTRING (6 5, 7 5)"], ["1", "2"]),
    (["--intersects", "POINT (5 5)", "--within", "LINESTRING (0 5, 30 5)"], ["2"]),
    (["--intersects", "0101000000000000000000344000000000000014C0"], []),
    (["--bbox", "18,0,30,10"], ["2", "3"]),
    (["--near", "5,30", "--radius", "5.1deg"], ["2"]),
    (["--near-shape", "LINESTRING (30 0, 30 10)", "--radius", "5.1deg"], ["2"]),
    (["--near-shape", "POINT (24 5)", "--limit", "2"], ["2", "3"]),
  ])
  func geometriesAndShapes(options: [String], expected: [String]) throws {
    let outcome = try Command.run(
      ["query", Self.made.get()["zones.cairn"], "zones"] + options
        + ["--select", "id", "--format", "csv"])
    #expect(outcome.lines.dropFirst().sorted() == expected, "\(outcome.errors)")
  }

  /// An option, a condition and the geometry as Cairn writes it have the same rows.
  @Test func everyReaderTakesTheseTexts() throws {
    for (text, wkt) in GeometryTexts.accepted where text != wkt {
      let expected = try ids("--intersects", wkt)
      #expect(try ids("--intersects", text) == expected, "\(text)")
      #expect(try ids("geometry GEOINTERSECTS geometry[planar]('\(text)')") == expected)
    }
    for (text, message) in GeometryTexts.malformed {
      let option = try count("--intersects", text)
      #expect(option.code == 65 && option.errors.contains(message), "\(option.errors)")
      let condition = try count("location GEOINTERSECTS geometry('\(text)')")
      #expect(
        condition.code == 65 && condition.errors.contains(message.dropFirst()),
        "\(condition.errors)")
    }
  }

  @Test func nearestInThePlane() throws {
    for origin in [["--near", "5,30"], ["--near-shape", "LINESTRING (30 0, 30 10)"]] {
      let outcome = try Command.run(
        ["query", Self.made.get()["zones.cairn"], "zones"] + origin
          + ["--limit", "3", "--edges", "planar", "--select", "id,distance", "--format", "csv"])
      let rows = outcome.lines.dropFirst().map { $0.split(separator: ",").map { Double($0) ?? -1 } }
      #expect(rows.map { $0[0] } == [2, 3, 1], "\(outcome.errors)")
      #expect(zip(rows, [5, 10, 20]).allSatisfy { abs($0[1] - $1) < 1e-12 }, "\(rows)")
    }
    let circle = try count("--near", "5,30", "--radius", "5km", "--edges", "planar")
    #expect(circle.code == 64 && circle.errors.contains("always along shortest paths"))
  }

  @Test func shapesOfFilesAndTheirFeatures() throws {
    let file = try Self.made.get()["zones.geojson"]
    #expect(try ids("--within", "\(file)#name == 'square'") == ["1"])
    #expect(try ids("--intersects", "\(file)#id IN {2, 3}") == ["1", "2", "3"])
    let unknown = try count("--within", "\(file)#name == 'x'")
    #expect(unknown.code == 65 && unknown.errors.contains("no feature with a geometry"))
    let wrong = try count("--within", "\(file)#nme == 'x'")
    #expect(wrong.code == 64 && wrong.errors.contains("nme"), "\(wrong.errors)")
  }

  @Test func pointsAndShapes() throws {
    #expect(try count("--intersects", "LINESTRING (0 0, 20 0)").output == "5\n")
    #expect(try count("--contains", "POINT (10 10)").output == "1\n")
    #expect(try count("--within", "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))").output == "9\n")
    #expect(
      try count("--near-shape", "LINESTRING (0 0, 20 0)", "--radius", "1deg").output == "5\n")
  }

  @Test func groupsByTheFeaturesOfAFile() throws {
    let file = try Self.made.get()["zones.geojson"]
    let counted = try count("--intersects", file, "--by", "name", "--format", "csv")
    #expect(counted.lines == ["name,count", "line,5", "point,1", "square,9"], "\(counted.errors)")
    let outcome = try Command.run(
      "stats", SampleStores.graticuleStore(), "graticule5", "--within", file, "--by", "name",
      "--of", "id", "--format", "csv")
    #expect(outcome.lines.count == 4, "\(outcome.errors)")
    let unknown = try count("--within", file, "--by", "nme")
    #expect(unknown.code == 64 && unknown.errors.contains("did you mean 'name'?"))
  }

  /// A property that the class and the features both have is named with one of them.
  @Test func groupsByAPropertyThatBothHave() throws {
    let (store, file) = (try Self.made.get()["zones.cairn"], try Self.made.get()["zones.geojson"])
    func groups(_ by: String) throws -> Command.Outcome {
      try Command.run(
        "count", store, "zones", "--intersects", file, "--by", by, "--format", "csv")
    }
    let unclear = try groups("name")
    #expect(unclear.code == 64)
    #expect(
      unclear.errors.contains(
        "--by: 'name' is a column of zones and of zones.geojson; write 'zones.name' or 'zones.geojson.name'"
      ), "\(unclear.errors)")
    let own = try groups("zones.name")
    #expect(own.lines == ["zones.name,count", "line,1", "point,1", "square,1"], "\(own.errors)")
    let theirs = try groups("zones.geojson.name")
    #expect(theirs.lines.first == "zones.geojson.name,count" && theirs.code == 0)
    let pairs = try groups("zones.name,zones.geojson.name")
    #expect(pairs.lines.contains("square,square,1"), "\(pairs.output) \(pairs.errors)")
  }

  @Test func areaAndLength() throws {
    let outcome = try Command.run(
      "query", Self.made.get()["zones.cairn"], "zones", "--select", "id,area,length", "--format",
      "csv")
    if outcome.code != 0 {
      #expect(outcome.errors.contains("PROJ"), "\(outcome.errors)")
      return
    }
    let rows = outcome.lines.dropFirst().sorted().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    // A square of 10 degrees at the equator is about 1.2e12 m², and 20 degrees at 5° north 2.2e6 m.
    let area = try #require(Double(rows[0][1]))
    let length = try #require(Double(rows[1][2]))
    #expect((1.22e12...1.24e12).contains(area))
    #expect((2.21e6...2.22e6).contains(length))
    #expect(rows[0][2] == "" && rows[1][1] == "" && rows[2] == ["3", "", ""])
    #expect(rows[3] == ["4", "", ""])
  }

  @Test(arguments: [
    (["--edges", "planar"], "--edges applies only to"),
    (["--near", "1,2", "--near-shape", "POINT (1 2)", "--radius", "1km"], "two origins"),
    (["--near-shape", "POINT (1 2)"], "--near-shape needs --radius"),
    (["--within", "POINT (1 2)", "--geometry", "lat"], "no location or geometry"),
    (["--within", "-", "--intersects", "-"], "standard input (-) can be only one shape"),
  ])
  func usageErrors(options: [String], message: String) throws {
    let outcome = try Command.run(["count", SampleStores.graticuleStore(), "graticule5"] + options)
    #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("LINESTRING (1 2, x 4)", "malformed"), ("PONT (1 2)", "did you mean 'POINT'?"),
    ("POINT (1 92)", "latitude"), ("POINT EMPTY", "found none"),
  ])
  func malformedShapes(text: String, message: String) throws {
    let outcome = try count("--intersects", text)
    #expect(outcome.code == 65 && outcome.errors.contains(message), "\(outcome.errors)")
  }
}
