import CairnTestSupport
import Foundation
import Testing

/// The forms of coordinates in CSV.
@Suite struct PlaceInputTests {
  private static let header = "id,latitude,longitude"

  @Test(arguments: [
    ("lat", "lon"), ("Latitude", "LONGITUDE"), ("y", "x"), ("LAT", "lng"), ("lat", "Long"),
    ("latitude_deg", "longitude_deg"), ("stop_lat", "stop_lon"),
    ("decimalLatitude", "decimalLongitude"),
    ("geo.lat", "geo.long"),
  ])
  func columnsAreFoundByName(latitude: String, longitude: String) throws {
    try Intake("id,\(longitude),\(latitude)\n1,11.5,48.5\n").expect([Self.header, "1,48.5,11.5"])
  }

  @Test func ambiguousColumnsAreAnError() throws {
    try Intake("start_lat,start_lon,start_lng,end_lat,end_lon\n1,2,3,4,5\n")
      .expectRefusal("could all hold the latitude", "--lat COLUMN --lon COLUMN")
    try Intake("lat,lon_accuracy\n1,2\n").expectRefusal("no columns are known", "--lon")
    // Columns of degrees take precedence over x and y.
    try Intake("id,x,y,lat,lon\n1,5,6,48,11\n").expect([
      "id,x,y,latitude,longitude", "1,5,6,48.0,11.0",
    ])
  }

  @Test func oneColumnWithBothCoordinates() throws {
    let text = "id,coords\n1,\"48.5, 11.25\"\n2,\"-1.5 100\"\n"
    try Intake(text).expectRefusal(
      "`coords` seems to hold both", "--lat-lon coords", "--lon-lat coords")
    let rows = [Self.header, "1,48.5,11.25", "2,-1.5,100.0"]
    try Intake(text, ["--lat-lon", "coords"]).expect(rows)
    try Intake(text, ["--lon-lat", "coords"])
      .expectRefusal("f.csv:3: the latitude 100.0 (column `coords`)")
    for name in ["latlon", "Lat/Lng", "latitude_longitude"] {
      try Intake(text.replacingOccurrences(of: "coords", with: name)).expect(rows)
    }
    try Intake(
      "id;p\n1;(48,5; 11,25)\n2;-1,5 100\n",
      ["--lat-lon", "p", "--decimal-comma", "--delimiter", ";"]
    )
    .expectRefusal("f.csv:2: 3 fields")
    try Intake("id;p\n1;48,5 11,25\n2;[-1,5 100]\n", ["--lat-lon", "p", "--decimal-comma"]).expect(
      rows)
    try Intake("id,p\n1,48.5 11.25 7\n", ["--lat-lon", "p"])
      .expectRefusal("f.csv:2: `48.5 11.25 7` (column `p`) is not clearly a pair")
    try Intake("id,p\n1,\n", ["--lat-lon", "p"]).expectRefusal(
      "f.csv:2: the coordinates (column `p`) are missing")
  }

  @Test func degreesMinutesAndSeconds() throws {
    let ways: [(lat: String, lon: String)] = [
      ("48°30'00\"N", "11°15'00\"E"), ("48° 30′ N", "11° 15′ E"), ("N48 30 00", "E 11 15 0.0"),
      ("48:30:00", "11:15"), ("48d30m0sN", "11d15mE"), ("48.5°", "11.25° E"),
      ("48º30’0’’ n", "11º15’0’’ e"),
      ("+48.5", "11.25"),
    ]
    for way in ways {
      let text =
        "id\tlat\tlon\n1\t\(way.lat.replacingOccurrences(of: "\"", with: "″"))\t\(way.lon.replacingOccurrences(of: "\"", with: "″"))\n"
      try Intake(text).expect([Self.header, "1,48.5,11.25"])
    }
    try Intake("id\tlat\tlon\n1\t48°30'S\t0°30'W\n2\t-0°30'\t1\n")
      .expect([Self.header, "1,-48.5,-0.5", "2,-0.5,1.0"])
    for bad in [
      "48 30 00", "48°60'", "48.5°30'", "-48°S", "11°E", "48°30", "48°30'61″", "N48S", "480814N1",
    ] {
      let outcome = try Intake("id\tlat\tlon\n1\t\(bad)\t1\n")
      if bad == "48°30" {
        outcome.expect([Self.header, "1,48.5,1.0"])
      } else {
        outcome.expectRefusal("f.csv:2: the latitude `\(bad)` (column `lat`) is not a number")
      }
    }
  }

  @Test func lettersSetTheAxes() throws {
    let rows = [Self.header, "1,48.5,-11.25", "2,-1.5,100.0"]
    try Intake("id,where\n1,\"48.5N, 11.25W\"\n2,\"100°E 1°30'S\"\n").expect(rows)
    let unmarked = try Intake(
      "id,where\n" + (1...200).map { "\($0),\"48.5N, 11.25W\"\n" }.joined() + "201,\"48.5, 11\"\n")
    unmarked.expectRefusal("f.csv:202: `48.5, 11`", "--lat-lon")
    try Intake("id,where\n1,\"48.5N, 11.25N\"\n", ["--lat-lon", "where"]).expectRefusal("f.csv:2: ")
  }

  @Test func geometries() throws {
    let text = """
      id,geom
      1,POINT(11.25 48.5)
      2,SRID=4326;point z (1 2 3)
      3,0101000020E610000000000000000024400000000000003440
      4,"  Point ( -1.5e1   -2 )  "

      """
    try Intake(text).expect([
      "id,latitude,longitude,altitude", "1,48.5,11.25,", "2,2.0,1.0,3.0", "3,20.0,10.0,",
      "4,-2.0,-15.0,",
    ])
    try Intake("id,anything\n1,POINT(1 2)\n").expect([Self.header, "1,2.0,1.0"])
    try Intake("id,a,b\n1,POINT(1 2),POINT(3 4)\n").expectRefusal("`a` and `b`", "--wkt")
    try Intake("id,a,b\n1,POINT(1 2),POINT(3 4)\n", ["--wkt", "b"]).expect([
      "id,a,latitude,longitude", "1,POINT(1 2),4.0,3.0",
    ])
    try Intake("id,g\n1,SRID=27700;POINT(1 2)\n").expectRefusal(
      "f.csv:2: ", "SRID 27700", "--crs EPSG:27700")
    // One number of the second point is NaN, so that the point is not empty.
    let halfEmpty =
      "010400000002000000" + "0101000000000000000000F03F0000000000000040"
      + "01010000000000000000002040000000000000F87F"
    for crs in ["EPSG:4326", "EPSG:3857"] {
      try Intake("id,g\n1,\(halfEmpty)\n", ["--crs", crs, "--wkt", "g", "--each-point"])
        .expectRefusal("f.csv:2: ", "is not a number")
    }
    try Intake("id,g\n1,SRID=3857;POINT(0 0)\n", ["--crs", "EPSG:3857", "--wkt", "g"]).expect([
      Self.header, "1,0.0,0.0",
    ])
    for (bad, part) in [
      ("POINT(1)", "is not a geometry: expected a number at character offset 7, found ')'"),
      ("POINT(1 2", "is not a geometry: expected ')' at character offset 9, found the end"),
      ("POINT(1 2) x", "is not a geometry"),
      ("POINT(1 nan)", "is not a geometry: expected a number at character offset 8, found 'nan'"),
      ("POINT(1 91)", "latitude 91.0"), ("POINT EMPTY", "no geometry"), ("", "no geometry"),
      ("POINT(1 2 3 4 5)", "is not a geometry"),
    ] {
      try Intake("id,wkt\n1,POINT(1 2)\n2,\"\(bad)\"\n", ["--wkt", "wkt"]).expectRefusal(
        "f.csv:3: ", part)
    }
  }

  @Test func shapesBecomePointsOnRequest() throws {
    let text = """
      id,wkt
      1,POINT(5 6)
      2,"POLYGON((0 0,12 0,12 10,0 10,0 0))"
      3,"LINESTRING(0 0,1 1)"
      4,POINT EMPTY

      """
    try Intake(text).expect([
      "id,geometry", "1,POINT (5 6)", "2,\"POLYGON ((0 0, 12 0, 12 10, 0 10, 0 0))\"",
      "3,\"LINESTRING (0 0, 1 1)\"", "4,",
    ])
    try Intake(text, ["--on-error", "skip", "--point", "centroid"]).expect([
      Self.header, "1,6.0,5.0", "2,5.0,6.0", "3,0.5,0.5",
    ])
  }

  @Test func onlyOneSourceOfCoordinatesCanBeGiven() throws {
    for options in [
      ["--wkt", "a", "--lat-lon", "b"], ["--lat", "a", "--lon", "b", "--lon-lat", "c"],
      ["--x", "a"],
    ] {
      let intake = try Intake("a,b,c\n1,2,3\n", options)
      #expect(intake.outcome.code == 64, "\(options): \(intake.outcome.errors)")
    }
  }
}
