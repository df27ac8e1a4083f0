import CairnTestSupport
import Foundation
import Testing

/// Polygons of `--within` in other coordinate systems than WGS 84.
@Suite struct WithinSystemTests {
  /// A box around Bern in EPSG:2056, from 2 560 000 to 2 640 000 east and 1 160 000 to 1 240 000
  /// north.
  private static let ring =
    "[[2560000,1160000],[2640000,1160000],[2640000,1240000],[2560000,1240000],[2560000,1160000]]"
  private static let wkt =
    "POLYGON((2560000 1160000,2640000 1160000,2640000 1240000,2560000 1240000,2560000 1160000))"
  private static let crs = #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2056"}}"#

  private func count(_ area: String, _ options: String...) throws -> Command.Outcome {
    try Command.run(["count", SampleStores.citiesStore(), "cities", "--within", area] + options)
  }

  /// The rows in that box, found by their coordinates in EPSG:2056.
  private static let expected = Result { () -> Int in
    let rows = try Command.run(
      "query", SampleStores.citiesStore(), "cities", "country == 'CH'", "--crs", "EPSG:2056",
      "--format",
      "csv",
      "--select", "location")
    return rows.lines.dropFirst().count { line in
      let place = line.split(separator: ",").compactMap { Double($0) }
      return (2_560_000...2_640_000).contains(place[0])
        && (1_160_000...1_240_000).contains(place[1])
    }
  }

  private static func collection(_ crs: String, before: Bool = true) -> String {
    let feature =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":["# + ring
      + "]}}"
    let member = "\"crs\":\(crs)"
    let features = "\"features\":[\(feature)]"
    return
      "{\"type\":\"FeatureCollection\",\(before ? member : features),\(before ? features : member)}"
  }

  @Test func theMemberCRSIsUsed() throws {
    let expected = try Self.expected.get()
    #expect(expected > 5)
    let scratch = try TemporaryFolder()
    for (text, name) in [
      (Self.collection(Self.crs), "first"), (Self.collection(Self.crs, before: false), "last"),
      (Self.collection(#"{"type":"EPSG","properties":{"code":2056}}"#), "code"),
      (#"{"type":"Polygon","crs":\#(Self.crs),"coordinates":[\#(Self.ring)]}"#, "geometry"),
    ] {
      let outcome = try count(scratch.file("a.geojson", text).path)
      #expect(outcome.output == "\(expected)\n", "\(name): \(outcome.errors)")
    }
  }

  @Test func extendedWKT() throws {
    let expected = try Self.expected.get()
    for text in [
      "SRID=2056;" + Self.wkt, " srid = 2056 ; " + Self.wkt.replacing("POLYGON", with: "polygon "),
    ] {
      let outcome = try count(text)
      #expect(outcome.output == "\(expected)\n", "\(text): \(outcome.errors)")
    }
    let scratch = try TemporaryFolder()
    #expect(
      try count(scratch.file("a.wkt", "SRID=2056;" + Self.wkt).path).output == "\(expected)\n")
    let degrees = "POLYGON((7 46,8 46,8 47,7 47,7 46))"
    let plain = try count(degrees).output
    for prefix in ["SRID=4326;", "SRID=0;", "srid=4326;"] {
      #expect(try count(prefix + degrees).output == plain, "\(prefix)")
    }
    #expect(try count("POLYGONZ((7 46 1,8 46 1,8 47 1,7 47 1,7 46 1))").output == plain)
  }

  /// Names of WGS 84 and null leave the coordinates unchanged.
  @Test(arguments: [
    "null", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#,
    #"{"type":"name","properties":{"name":"EPSG:4326"}}"#,
  ])
  func namesOfWGS84(crs: String) throws {
    let scratch = try TemporaryFolder()
    let polygon =
      #"{"type":"Polygon","crs":\#(crs),"coordinates":[[[7,46],[8,46],[8,47],[7,47],[7,46]]]}"#
    let outcome = try count(scratch.file("a.geojson", polygon).path)
    #expect(
      try outcome.output == count("POLYGON((7 46,8 46,8 47,7 47,7 46))").output, "\(outcome.errors)"
    )
  }

  @Test(arguments: [
    ("SRID=99999;" + wkt, 65, "EPSG:99999"), ("SRID=;" + wkt, 65, "a number after SRID="),
    ("SRID 4326;" + wkt, 65, "expected '=' after SRID"),
    ("SRID=27700;" + wkt, 65, "cannot be placed"),
    (
      #"{"type":"Polygon","crs":{"type":"link"},"coordinates":[\#(ring)]}"#, 65,
      "does not name a known coordinate system"
    ),
    (
      #"{"type":"Polygon","crs":7,"coordinates":[\#(ring)]}"#, 65,
      "does not name a known coordinate system"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","crs":\#(crs),"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}]}"#,
      65, "differs from that of the whole file"
    ),
  ])
  func invalidSystemsAreRefused(area: String, code: Int, said: String) throws {
    let outcome = try count(area)
    #expect(outcome.code == Int32(code) && outcome.errors.contains(said), "\(outcome.errors)")
  }

  @Test func wrappingNeedsDegrees() throws {
    let outcome = try count("SRID=2056;" + Self.wkt, "--wrap-longitude")
    #expect(
      outcome.code == 64 && outcome.errors.contains("--wrap-longitude is for degrees"),
      "\(outcome.errors)")
  }

  @Test func filesWithoutPolygonsAreRefused() throws {
    let scratch = try TemporaryFolder()
    let outcome = try count(scratch.file("area.txt", "a,b\n1,2\n").path)
    #expect(
      outcome.code == 65
        && outcome.errors.contains("area.txt: expected GeoJSON or WKT"),
      "\(outcome.errors)")
  }

  /// A file that begins like an archive is left to GDAL, which may not be installed.
  @Test func damagedArchivesAreRefused() throws {
    let scratch = try TemporaryFolder()
    let outcome = try count(scratch.file("area.txt", "PK\u{3}\u{4}").path)
    #expect(
      outcome.code != 0 && outcome.errors.contains("area.txt") && outcome.errors.contains("GDAL"),
      "\(outcome.errors)")
  }
}
