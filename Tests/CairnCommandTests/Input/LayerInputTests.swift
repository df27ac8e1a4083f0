import CairnTestSupport
import Foundation
import Testing

@testable import CairnGDAL

/// Whether libgdal is installed, and the programs that write its formats.
enum GDALTools {
  static let hasLibrary = (try? GDALLibrary()) != nil
  static let hasConverter = hasLibrary && Tool.isInstalled("ogr2ogr")

  /// Converts GeoJSON to another format with ogr2ogr.
  static func convert(_ source: String, to target: String, _ options: String...) throws {
    let outcome = try Command.launch(
      URL(fileURLWithPath: "/usr/bin/env"), ["ogr2ogr", target, source] + options, input: nil,
      environment: [:], folder: nil)
    try #require(outcome.code == 0, "\(outcome.errors)")
  }
}

/// Files that GDAL reads, written by hand.
@Suite(.enabled(if: GDALTools.hasLibrary, "libgdal is not installed")) struct LayerInputTests {
  private static let kml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>d</name><Folder><name>sites</name>
    <Placemark><name>Zürich</name><Point><coordinates>8.54,47.37,408</coordinates></Point></Placemark>
    <Placemark><name>&lt;b&gt;</name><Point><coordinates>-70.5,-33.4</coordinates></Point></Placemark>
    </Folder></Document></kml>
    """

  @Test func keyholePlacesAreImported() throws {
    let intake = try Intake(Self.kml, as: "f.kml")
    #expect(intake.outcome.code == 0, "\(intake.outcome.errors)")
    #expect(intake.lines.count == 3)
    let scratch = try TemporaryFolder()
    let file = try scratch.file("places.kml", Self.kml)
    #expect(try Command.run("import", scratch["s"], file.path).code == 0)
    let lines = try Command.lines(
      "query", scratch["s"], "places", "--select", "Name,location,altitude", "--sort", "altitude",
      "--format", "csv")
    #expect(
      lines == [
        "Name,latitude,longitude,altitude", "<b>,-33.4,-70.5,", "Zürich,47.37,8.54,408.0",
      ])
  }

  private static let gpx = """
    <?xml version="1.0"?><gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="47.1" lon="8.1"><ele>5</ele><time>2024-05-01T10:00:00Z</time><name>a</name></wpt>
    <trk><name>t</name><trkseg><trkpt lat="47" lon="8"/><trkpt lat="48" lon="9"/></trkseg></trk>
    </gpx>
    """

  @Test func theLayersOfAFileAreListedAndChosen() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("walk.gpx", Self.gpx).path
    let store = scratch["s.cairn"]
    let unclear = try Command.run("import", store, file)
    #expect(unclear.code == 64)
    for part in ["name a layer with `--layer NAME`", "`waypoints` (1)", "`tracks` (1)"] {
      #expect(unclear.errors.contains(part), "\(unclear.errors)")
    }
    #expect(!scratch.exists("s.cairn"))
    #expect(try Command.run("import", store, file, "--layer", "waypoints").code == 0)
    let lines = try Command.lines(
      "query", store, "waypoints", "--select", "name,ele,time,location", "--format", "csv")
    #expect(
      lines == ["name,ele,time,latitude,longitude", "a,5.0,2024-05-01T10:00:00Z,47.1,8.1"])
    let wrong = try Command.run("import", store, file, "--layer", "lakes")
    #expect(wrong.code == 64 && wrong.errors.contains("no layer is named `lakes`"))
    #expect(try Command.run("import", store, file, "--all-layers").code == 0)
    #expect(try Command.lines("count", store, "waypoints") == ["2"])
    #expect(try Command.lines("count", store, "track_points") == ["2"])
    let track = try Command.lines(
      "query", store, "tracks", "--select", "geometry", "--format", "jsonl")
    let line = #"{"type":"MultiLineString","coordinates":[[[8.0,47.0],[9.0,48.0]]]}"#
    #expect(track == [#"{"geometry":\#(line)}"#])
  }

  /// `--all-layers` of files that have one table.
  @Test func filesWithoutLayers() throws {
    let scratch = try TemporaryFolder()
    let table = try scratch.file("a.csv", "id,lat,lon\n1,2,3\n").path
    let feature = try scratch.file(
      "b.geojson",
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    ).path
    let outcome = try Command.run("import", scratch["s"], table, feature, "--all-layers")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.lines("count", scratch["s"], "a") == ["1"])
    #expect(try Command.lines("count", scratch["s"], "b") == ["1"])
    let broken = try scratch.file("c.zip", "PK").path
    let refused = try Command.run("import", scratch["s"], broken)
    #expect(refused.code != 0 && !refused.errors.contains("vsizip"), "\(refused.errors)")
  }

  @Test func wrongOptionsAreRejected() throws {
    let scratch = try TemporaryFolder()
    let file = try scratch.file("walk.gpx", Self.gpx).path
    let csv = try scratch.file("a.csv", "lat,lon\n1,2\n").path
    let store = scratch["s.cairn"]
    for (arguments, part) in [
      ([file, "--all-layers", "--layer", "tracks"], "--all-layers and --layer"),
      ([file, "--all-layers", "--class", "a"], "--all-layers and --class"),
      ([csv, "--layer", "tracks"], "is for files that have layers"),
      (["-", "--class", "a", "--format", "gdal"], "does not read standard input"),
    ] {
      let outcome = try Command.run(["import", store] + arguments)
      #expect(outcome.code == 64 && outcome.errors.contains(part), "\(outcome.errors)")
    }
    #expect(try Command.run("import", store, csv, "--class", "p").code == 0)
    let alone = try Command.run("count", store, "p", "--layer", "x")
    #expect(alone.code == 64 && alone.errors.contains("--layer applies only to files of shapes"))
    let text = try Command.run("count", store, "p", "--within", "POINT (1 2)", "--layer", "x")
    #expect(text.code == 64 && text.errors.contains("--layer is for files that have layers"))
  }

  @Test func damagedFilesNameTheReason() throws {
    for (name, text) in [
      ("f.kml", "<kml"), ("f.gpx", "<?xml version='1.0'?><gpx><wpt lat='47' lon='8'>"),
      ("f.gpkg", "SQLite format 3\0" + String(repeating: "x", count: 4000)), ("f.fgb", "fgb"),
      ("f.shp", "no shapes"), ("f.zip", "PK\u{3}\u{4}"), ("f.xlsx", ""),
    ] {
      let intake = try Intake(text, as: name)
      #expect(intake.outcome.code == 65, "\(name): \(intake.outcome.errors)")
      #expect(intake.outcome.errors.contains("\(name): GDAL"), "\(intake.outcome.errors)")
    }
  }

  private static let mif = """
    Version 300
    Charset "Neutral"
    Delimiter ","
    CoordSys Earth Projection 1, 104
    Columns 2
      id Integer
      name Char(20)
    Data

    Region 1
      5
    7 47
    9 47
    9 48
    7 48
    7 47
    Region 1
      5
    0 0
    1 1
    1 0
    0 1
    0 0
    None
    """

  private func mapInfo(_ scratch: TemporaryFolder) throws -> String {
    _ = try scratch.file("areas.mid", "1,\"box\"\n2,\"bow\"\n3,\"none\"\n")
    return try scratch.file("areas.mif", Self.mif).path
  }

  @Test func invalidAreasAreRejectedOrRepaired() throws {
    let scratch = try TemporaryFolder()
    let (file, store) = (try mapInfo(scratch), scratch["s.cairn"])
    let strict = try Command.run("import", store, file)
    #expect(strict.code == 65)
    #expect(
      strict.errors.contains("areas.mif, feature 2: the outer ring crosses itself"),
      "\(strict.errors)")
    #expect(strict.errors.contains("`--repair` repairs it"))
    let skipped = try Command.run("import", store, file, "--on-error", "skip", "--class", "some")
    #expect(skipped.code == 0 && skipped.errors.contains("1 left out"), "\(skipped.errors)")
    #expect(try Command.lines("count", store, "some") == ["2"])
    #expect(try Command.run("import", store, file, "--repair", "--class", "all").code == 0)
    #expect(try Command.lines("count", store, "all", "geometry == nil") == ["1"])
    let points = try Command.run(
      "import", store, file, "--point", "centroid", "--on-error", "skip", "--class", "centres")
    #expect(points.code == 0, "\(points.errors)")
    let lines = try Command.lines(
      "query", store, "centres", "id == 1", "--select", "location", "--format", "csv")
    #expect(lines.last == "47.5,8.0")
  }

  @Test func aDryRunShowsTypesAndWritesNothing() throws {
    let scratch = try TemporaryFolder()
    let (file, store) = (try mapInfo(scratch), scratch["s.cairn"])
    let outcome = try Command.run("import", store, file, "--repair", "--dry-run", "--key", "id")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("geometry") && outcome.output.contains("int"))
    #expect(!scratch.exists("s.cairn"))
  }

  @Test func typesKeysAndNullsApply() throws {
    let scratch = try TemporaryFolder()
    let (file, store) = (try mapInfo(scratch), scratch["s.cairn"])
    let arguments = ["import", store, file, "--repair", "--key", "id", "--null", "none"]
    #expect(try Command.run(arguments + ["--type", "id=text"]).code == 0)
    let lines = try Command.lines(
      "query", store, "areas", "--select", "id,name", "--sort", "id", "--format", "jsonl")
    #expect(
      lines == [
        #"{"id":"1","name":"box"}"#, #"{"id":"2","name":"bow"}"#, #"{"id":"3","name":null}"#,
      ])
    let again = try Command.run(
      "import", store, file, "--repair", "--class", "areas", "--on-conflict", "skip", "--type",
      "id=text")
    #expect(again.code == 0 && again.errors.contains("3 skipped"), "\(again.errors)")
    let typed = try Command.run(
      "import", store, file, "--repair", "--class", "typed", "--type", "name=int")
    #expect(typed.code == 65)
    #expect(
      typed.errors.contains("feature 1: `name` is `box`, which is not a valid int"),
      "\(typed.errors)")
  }

  @Test func shapesOfLayersSelectRows() throws {
    let scratch = try TemporaryFolder()
    let (file, store) = (try mapInfo(scratch), scratch["s.cairn"])
    let points = try scratch.file("p.csv", "id,lat,lon\n1,47.5,8\n2,10,10\n").path
    #expect(try Command.run("import", store, points).code == 0)
    let inside = try Command.run("query", store, "p", "--within", file, "--format", "csv")
    #expect(inside.code == 0 && inside.lines.count == 2, "\(inside.errors)")
    #expect(inside.errors.contains("left out"))
    let chosen = try Command.lines(
      "count", store, "p", "--within", "\(file)#id == 1", "--layer", "areas")
    #expect(chosen == ["1"])
    let grouped = try Command.lines(
      "count", store, "p", "--within", file, "--repair", "--by", "name", "--format", "csv")
    #expect(grouped == ["name,count", "box,1"])
  }

  @Test func openStreetMapIsRead() throws {
    let text = """
      <?xml version="1.0"?><osm version="0.6">
      <node id="1" lat="47" lon="8" version="1"><tag k="name" v="stone"/></node>
      <node id="2" lat="47.1" lon="8.1" version="1"/>
      <way id="5" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way></osm>
      """
    let scratch = try TemporaryFolder()
    let file = try scratch.file("town.osm", text).path
    let outcome = try Command.run("import", scratch["s"], file, "--layer", "lines")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let lines = try Command.lines(
      "query", scratch["s"], "lines", "--select", "osm_id,highway,geometry", "--format", "jsonl")
    let line = #"{"type":"LineString","coordinates":[[8.0,47.0],[8.1,47.1]]}"#
    #expect(lines == [#"{"osm_id":"5","highway":"path","geometry":\#(line)}"#])
  }
}
