import CairnTestSupport
import Foundation
import Testing

/// Lines and areas on the command line.
@Suite struct GeometryInputTests {
  private static let shapes = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"id":1},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
    {"type":"Feature","properties":{"id":2},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}},
    {"type":"Feature","properties":{"id":3},"geometry":null}
    ]}

    """

  @Test func invalidPolygonsAreRefusedSkippedOrRepaired() throws {
    try Intake(Self.shapes, as: "f.geojson").expectRefusal(
      "f.geojson:3: feature 2: the outer ring crosses itself at longitude 1.0, latitude 1.0",
      "`--repair` repairs it", "`--on-error skip`")
    let skipped = try Intake(Self.shapes, as: "f.geojson", ["--on-error", "skip"])
    #expect(
      skipped.lines.sorted() == ["1,\"LINESTRING (1 2, 3 4)\"", "3,", "id,geometry"],
      "\(skipped.lines)")
    #expect(skipped.outcome.errors.contains("1 left out"), "\(skipped.outcome.errors)")
    let repaired = try Intake(Self.shapes, as: "f.geojson", ["--repair"])
    #expect(repaired.lines.count == 4, "\(repaired.outcome.errors)")
    #expect(repaired.lines.contains { $0.contains("MULTIPOLYGON") }, "\(repaired.lines)")
  }

  @Test func aRepairSaysHowManyAndHowMuchArea() throws {
    let repaired = try Intake(Self.shapes, as: "f.geojson", ["--repair"])
    // Two triangles of one square degree each, whose signed areas cancel each other out.
    let note = "note: 1 geometry was repaired: 24724 km² of area added"
    #expect(repaired.outcome.errors.contains(note), "\(repaired.outcome.errors)")
  }

  /// A ring that touches itself has one reading, so it is taken without an option.
  @Test func ringsThatTouchThemselvesAreSplit() throws {
    let text = """
      id,wkt
      1,"POLYGON ((10 20, 18 20, 14 24, 18 28, 10 28, 14 24, 10 20))"
      2,"POLYGON ((0 0, 4 0, 4 4, 0 0))"

      """
    let intake = try Intake(text)
    #expect(
      intake.lines.sorted() == [
        #"1,"MULTIPOLYGON (((14 24, 18 28, 10 28, 14 24)), ((10 20, 18 20, 14 24, 10 20)))""#,
        #"2,"POLYGON ((0 0, 4 0, 4 4, 0 0))""#, "id,geometry",
      ], "\(intake.lines)")
    let note = "note: 1 geometry has rings that touch themselves; they were split there"
    #expect(intake.outcome.errors.contains(note), "\(intake.outcome.errors)")
  }

  @Test(arguments: [
    ("LINESTRING (0 0, nan 0)", "nan"), ("POLYGON ((0 0, 9 0, 9 95, 0 0))", "95.0"),
    ("LINESTRING (1 1)", "a line needs at least 2"),
    ("POLYGON ((0 0, 4 0, 4 4, 0 4))", "is not closed"),
    ("MULTIPOINT ((0 0), (nan 1))", "nan"),
  ])
  func noPointsOfWhatIsNotOnTheEarth(text: String, part: String) throws {
    for method in ["centroid", "on-surface"] {
      for options in [[], ["--repair"]] where !(part == "is not closed" && options == ["--repair"])
      {
        try Intake("id,wkt\n1,\"\(text)\"\n", ["--point", method] + options).expectRefusal(part)
      }
    }
  }

  @Test func openRingsAreClosedBeforeAPointIsDerived() throws {
    let text = "id,wkt\n1,\"POLYGON ((0 0, 4 0, 4 4, 0 4))\"\n"
    let intake = try Intake(text, ["--point", "centroid", "--repair"])
    #expect(intake.lines.last == "1,2.0,2.0", "\(intake.outcome.errors)")
    #expect(intake.outcome.errors.contains("1 geometry was repaired"), "\(intake.outcome.errors)")
  }

  /// A circle around (7, 47), as WKT and as the WKB of PostGIS.
  @Test(arguments: [
    "CURVEPOLYGON (CIRCULARSTRING (5 47, 9 47, 5 47))",
    "SRID=4326;curvepolygon(circularstring(5 47,9 47,5 47))",
    "010A00000001000000010800000003000000000000000000144000000000008047400000000000002240"
      + "000000000080474000000000000014400000000000804740",
    "TRIANGLE ((5 46, 9 46, 7 49, 5 46))",
  ])
  func pointsOfCurvesAndSurfaces(text: String) throws {
    let intake = try Intake("id,wkt\n1,\"\(text)\"\n", ["--point", "centroid"])
    #expect(intake.outcome.code == 0, "\(intake.outcome.errors)")
    let numbers = try #require(intake.lines.last).split(separator: ",").compactMap { Double($0) }
    #expect(numbers.count == 3)
    for (found, expected) in zip(numbers, [1.0, 47, 7]) { #expect(abs(found - expected) < 1e-9) }
  }

  /// As Leaflet's map of the states of the USA has one, and GPX files have segments.
  @Test func partsWithoutExtentAreRemovedByARepair() throws {
    let text = """
      id,wkt
      1,"MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((7 5, 8 5, 6 5, 7 5)))"
      2,"MULTILINESTRING ((0 0, 1 1), (2 2))"

      """
    let intake = try Intake(text, ["--repair"])
    #expect(
      intake.lines.sorted() == [
        #"1,"MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)))""#, #"2,"MULTILINESTRING ((0 0, 1 1))""#,
        "id,geometry",
      ], "\(intake.outcome.errors) \(intake.lines)")
    #expect(
      intake.outcome.errors.contains("note: 2 geometries were repaired, with the same area"),
      "\(intake.outcome.errors)")
  }

  @Test func pointsAreDerivedFromRepairedGeometries() throws {
    let text = "id,wkt\n1,\"POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))\"\n"
    let intake = try Intake(text, ["--repair", "--point", "centroid"])
    #expect(intake.lines == ["id,latitude,longitude", "1,1.0,1.0"], "\(intake.outcome.errors)")
    #expect(intake.outcome.errors.contains("1 geometry was repaired"), "\(intake.outcome.errors)")
  }

  @Test func pointsOfLinesAsBefore() throws {
    let intake = try Intake(
      "id,wkt\n1,\"LINESTRING (0 0, 2 0)\"\n2,POINT (5 6)\n", ["--point", "centroid"])
    #expect(intake.lines.sorted() == ["1,0.0,1.0", "2,6.0,5.0", "id,latitude,longitude"])
  }

  @Test func locationsOfTripsAreFound() throws {
    let text = "id,pickup_lon,pickup_lat,dropoff_lon,dropoff_lat\n1,10,20,30,40\n2,11,21,,\n"
    let intake = try Intake(text)
    #expect(
      intake.lines.sorted() == [
        "1,20.0,10.0,40.0,30.0", "2,21.0,11.0,,",
        "id,latitude,longitude,dropoff.latitude,dropoff.longitude",
      ], "\(intake.outcome.errors) \(intake.lines)")
  }

  @Test func repeatedOptionsNameSeveralColumns() throws {
    let text = "id,a,b\n1,POINT (1 2),\"LINESTRING (1 2, 3 4)\"\n"
    let intake = try Intake(text, ["--wkt", "a", "--wkt", "b"])
    #expect(
      intake.lines == ["id,latitude,longitude,b", "1,2.0,1.0,\"LINESTRING (1 2, 3 4)\""],
      "\(intake.outcome.errors) \(intake.lines)")
    let pairs = try Intake(
      "id,from_y,from_x,to_y,to_x\n1,2,1,4,3\n",
      ["--lat", "from_y", "--lon", "from_x", "--lat", "to_y", "--lon", "to_x"])
    #expect(
      pairs.lines == [
        "id,latitude,longitude,to.latitude,to.longitude", "1,2.0,1.0,4.0,3.0",
      ], "\(pairs.outcome.errors) \(pairs.lines)")
  }

  @Test(arguments: [
    (["--lat", "a", "--lat", "b", "--lon", "c"], "--lat and --lon must be given together"),
    (["--wkt", "a", "--wkt", "b", "--location", "x"], "--location names one property"),
    (["--wkt", "a", "--wkt", "a"], "is named twice"),
  ])
  func optionsThatContradictEachOther(options: [String], part: String) throws {
    let intake = try Intake("id,a,b,c\n1,POINT (1 2),POINT (1 2),3\n", options)
    #expect(intake.outcome.code == 64)
    #expect(intake.outcome.errors.contains(part), "\(intake.outcome.errors)")
  }

  @Test func aDryRunNamesTheType() throws {
    let scratch = try TemporaryFolder()
    let file = scratch.url.appendingPathComponent("f.geojson")
    try Data(Self.shapes.utf8).write(to: file)
    let outcome = try Command.run([
      "import", scratch["s.cairn"], file.path, "--dry-run", "--on-error", "skip",
    ])
    #expect(outcome.output.contains("geometry"), "\(outcome.output)")
    #expect(outcome.output.contains("LINESTRING (1 2, 3 4)"), "\(outcome.output)")
    #expect(outcome.output.contains("spatial index"), "\(outcome.output)")
    #expect(outcome.output.contains("2.0, 1.0"), "\(outcome.output)")
  }
}
