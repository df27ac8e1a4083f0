import CairnTestSupport
import Foundation
import Testing

/// Files that ogr2ogr has written.
@Suite(.enabled(if: GDALTools.hasConverter, "ogr2ogr is not installed")) struct LayerFormatTests {
  private static let features = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"n":1,"name":"Zürich","d":1.5,"big":9007199254740993,
    "at":"2024-05-01T12:30:00+02:00","day":"1969-12-31"},
    "geometry":{"type":"Point","coordinates":[8.54,47.37]}},
    {"type":"Feature","properties":{"n":2,"name":"Łódź","d":-2,"big":2,
    "at":"1999-12-31T23:59:59.5Z","day":"2024-02-29"},
    "geometry":{"type":"Point","coordinates":[-70.5,-33.4]}}]}
    """

  private func imported(_ file: String, _ select: String, _ options: String...) throws -> [String] {
    let scratch = try TemporaryFolder()
    let outcome = try Command.run(
      ["import", scratch["s"], file, "--class", "c", "--quiet"] + options)
    #expect(outcome.code == 0, "\(outcome.errors)")
    return try Command.lines(
      "query", scratch["s"], "c", "--select", select, "--sort", "n", "--format", "csv")
  }

  @Test(arguments: ["gpkg", "fgb", "gml", "sqlite", "shp", "mif"])
  func valuesAndPlacesSurvive(ending: String) throws {
    let scratch = try TemporaryFolder()
    let source = try scratch.file("source.geojson", Self.features).path
    let file = scratch["f.\(ending)"]
    try GDALTools.convert(source, to: file)
    // Some formats have no such types.
    let narrow = ["shp", "mif"].contains(ending)
    let columns = "n,name" + (narrow ? "" : ",d,big,at") + (ending == "fgb" ? "" : ",day")
    let lines = try imported(file, columns + ",location")
    let expected = [
      ["1", "Zürich", "1.5", "9007199254740993", "2024-05-01T10:30:00Z", "1969-12-31"],
      ["2", "Łódź", "-2.0", "2", "1999-12-31T23:59:59.500Z", "2024-02-29"],
    ]
    let places = ["47.37,8.54", "-33.4,-70.5"]
    for (index, line) in lines.dropFirst().enumerated() {
      var values = expected[index]
      if ending == "fgb" { values.removeLast() }
      if narrow { values.removeSubrange(2...4) }
      if narrow, index == 1 {
        // The encoding of these files lacks some letters of the name.
        #expect(line.hasSuffix("2024-02-29,-33.4,-70.5"))
        continue
      }
      #expect(line == values.joined(separator: ",") + "," + places[index])
    }
    #expect(lines.count == 3)
  }

  /// The Arrow streams of GeoPackage and FlatGeobuf in GDAL 3.6 have wrong booleans.
  @Test(arguments: ["gpkg", "fgb", "sqlite"])
  func booleansSurvive(ending: String) throws {
    let scratch = try TemporaryFolder()
    let flags = (0..<100).map { [true, false, nil][$0 * $0 % 7 % 3] }
    let features = flags.enumerated().map { n, flag in
      let value = flag.map { "\($0)" } ?? "null"
      return #"{"type":"Feature","properties":{"n":\#(n),"f":\#(value)},"#
        + #""geometry":{"type":"Point","coordinates":[\#(n),\#(n % 90)]}}"#
    }
    let source = try scratch.file("source.geojsonl", features.joined(separator: "\n")).path
    let file = scratch["a \"quoted\" name.\(ending)"]
    try GDALTools.convert(source, to: file)
    let type = ending == "sqlite" ? ["--type", "f=bool"] : []
    let outcome = try Command.run(["import", scratch["s"], file, "--class", "c"] + type)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = try Command.lines(
      "query", scratch["s"], "c", "--select", "f", "--sort", "n", "--format", "csv")
    #expect(lines.dropFirst() == ArraySlice(flags.map { $0.map { "\($0)" } ?? "" }))
    // The numbers of the rows of a GeoPackage are a column.
    let numbers = try Command.run("query", scratch["s"], "c", "fid BETWEEN {1, 100}")
    #expect((numbers.code == 0) == (ending == "gpkg"), "\(numbers.errors)")
  }

  @Test(arguments: ["xlsx", "ods"])
  func sheetsHaveCoordinatesInColumns(ending: String) throws {
    let scratch = try TemporaryFolder()
    let table = try scratch.file("t.csv", "n,lat,lon\n1,47.5,8.5\n2,-33,-70.25\n").path
    let file = scratch["f.\(ending)"]
    try GDALTools.convert(table, to: file, "-oo", "AUTODETECT_TYPE=YES")
    #expect(
      try imported(file, "n,location")
        == ["n,latitude,longitude", "1,47.5,8.5", "2,-33.0,-70.25"])
  }

  /// x is east, whatever the order in the definition of the system is.
  @Test(arguments: ["EPSG:2056", "EPSG:31467", "EPSG:3035", "EPSG:4258"], ["gpkg", "gml", "shp"])
  func otherSystemsBecomeDegrees(system: String, ending: String) throws {
    let scratch = try TemporaryFolder()
    let features = try scratch.file(
      "source.geojson",
      #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[8.54,47.37]}}"#
    ).path
    let file = scratch["f.\(ending)"]
    try GDALTools.convert(features, to: file, "-t_srs", system)
    let values = try #require(try imported(file, "location").last).split(separator: ",")
    let (latitude, longitude) = (try #require(Double(values[0])), try #require(Double(values[1])))
    #expect(abs(latitude - 47.37) < 1e-4 && abs(longitude - 8.54) < 1e-4, "\(values)")
  }

  @Test func curvesBecomeLinesAndThatIsSaid() throws {
    let scratch = try TemporaryFolder()
    let table = try scratch.file(
      "t.csv", "n,WKT\n1,\"CIRCULARSTRING (0 0,1 1,2 0)\"\n2,\"LINESTRING ZM (0 0 1 2,1 1 3 4)\"\n"
    ).path
    let file = scratch["f.gpkg"]
    try GDALTools.convert(
      table, to: file, "-a_srs", "EPSG:4326", "-oo", "GEOM_POSSIBLE_NAMES=WKT", "-dim", "XYZM")
    let outcome = try Command.run("import", scratch["s"], file)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("1 geometry with curves or surfaces"), "\(outcome.errors)")
    let lengths = try Command.lines(
      "query", scratch["s"], "f", "--select", "geometry.length", "--sort", "fid", "--format", "csv")
    let arc = try #require(Double(lengths[1]))
    // Half of a circle with a radius of one degree, at the equator.
    #expect(abs(arc - .pi * 111_195) < 1500)
  }

  /// A Shapefile without its index is refused, with the setting that restores it.
  @Test func settingsOfGDAL() throws {
    let scratch = try TemporaryFolder()
    let source = try scratch.file("source.geojson", Self.features).path
    let file = scratch["f.shp"]
    try GDALTools.convert(source, to: file)
    try FileManager.default.removeItem(atPath: scratch["f.shx"])
    func run(_ options: String...) throws -> Command.Outcome {
      try Command.run(["import", scratch["s"], file] + options)
    }
    let refused = try run()
    #expect(refused.code == 65 && refused.errors.contains("`--gdal SHAPE_RESTORE_SHX=YES`"))
    #expect(!FileManager.default.fileExists(atPath: scratch["f.shx"]), "nothing is written")
    let fixed = try run("--gdal", "GDAL_HTTP_PROXY=x")
    #expect(fixed.code == 64 && fixed.errors.contains("cannot be changed"), "\(fixed.errors)")
    let wrong = try run("--gdal", "SHAPE_RESTORE_SHX")
    #expect(wrong.code == 64 && wrong.errors.contains("expected NAME=VALUE"), "\(wrong.errors)")
    let restored = try run("--gdal", "SHAPE_RESTORE_SHX=YES")
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try Command.lines("count", scratch["s"], "f") == ["2"])
  }

  /// Damage never ends the command other than with rows or a reason.
  @Test(arguments: ["gpkg", "fgb", "shp", "dbf", "kml", "gml", "sqlite", "xlsx"])
  func damagedFilesAreReadOrRefused(ending: String) throws {
    let scratch = try TemporaryFolder()
    let source = try scratch.file("source.geojson", Self.features).path
    let file = scratch["f.\(ending == "dbf" ? "shp" : ending)"]
    try GDALTools.convert(source, to: file)
    let target = scratch["f.\(ending)"]
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: target)))
    let seed = Soak.seed(105)
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(2, long: 100) {
      let mutant = Mutant(of: whole + Array(repeating: 0, count: 8192), &random)
      try Data(mutant.bytes).write(to: URL(fileURLWithPath: target))
      let store = scratch["s\(round)"]
      let outcome = try Command.run("import", store, file, "--on-error", "skip")
      // Damage may turn an inner table of a database into a layer.
      let isUnclear = outcome.code == 64 && outcome.errors.contains("name a layer")
      #expect(
        [0, 65].contains(outcome.code) || isUnclear,
        "\(mutant.description), seed \(seed): \(outcome.errors)")
      if outcome.code == 0 { #expect(try Command.run("verify", store).code == 0) }
    }
  }
}
