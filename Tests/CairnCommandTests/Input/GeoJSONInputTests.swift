import CairnTestSupport
import Foundation
import Testing

/// The variants of GeoJSON.
@Suite struct GeoJSONInputTests {
  private static func point(_ id: Int, _ coordinates: String = "1,2") -> String {
    #"{"type":"Feature","properties":{"id":\#(id)},"geometry":{"type":"Point","coordinates":[\#(coordinates)]}}"#
  }

  private static func collection(_ features: [String]) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ",\n"))]}"#
  }

  private static func shape(_ id: Int, _ type: String, _ coordinates: String) -> String {
    #"{"type":"Feature","properties":{"id":\#(id)},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
  }

  @Test func aGeometryOrAFeatureAlone() throws {
    let rows = ["latitude,longitude", "2.0,1.0"]
    try Intake(#"{"type":"Point","coordinates":[1,2]}"#, as: "f.geojson").expect(rows)
    try Intake(#"{"bbox":[1,2,1,2],"coordinates":[1,2],"type":"Point"}"#, as: "f.json").expect(rows)
    try Intake(#"{"geometry":{"coordinates":[1,2],"type":"Point"},"type":"Feature"}"#, as: "f.json")
      .expect(rows)
    let lines = try Intake(
      "{\"type\":\"Point\",\"coordinates\":[1,2]}\n\n\(Self.point(7))\n", as: "f.ndjson")
    lines.expect(["id,latitude,longitude", ",2.0,1.0", "7,2.0,1.0"])
    try Intake(#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, as: "f.geojson")
      .expect(["geometry", "\"LINESTRING (1 2, 3 4)\""])
    try Intake(Self.collection([#"{"type":"Point","coordinates":[1,2]}"#]), as: "f.geojson")
      .expectRefusal("`Point`, expected a Feature")
  }

  @Test func membersInAnyOrderAndForeignOnes() throws {
    let text = """
      {"features":[{"geometry":{"coordinates":[1,2,-3.5],"bbox":[1],"type":"Point","x":{}},"extra":[1,{"a":null}],
       "properties":null,"bbox":[1,2,3,4],"type":"Feature","id":5}],"name":"x","bbox":[0,0,1,1],"type":"FeatureCollection"}
      """
    try Intake(text, as: "f.geojson").expect(["id,latitude,longitude,altitude", "5,2.0,1.0,-3.5"])
  }

  @Test func sequences() throws {
    let rows = ["id,latitude,longitude", "1,2.0,1.0", "2,2.0,1.0"]
    let (a, b) = (Self.point(1), Self.point(2))
    try Intake("\u{1E}\(a)\n\u{1E}\(b)\n", as: "f.geojsons").expect(rows)
    try Intake("\u{1E}\(a)\n\u{1E}\(b)\n", as: "f.geojson").expect(rows)
    try Intake("\(a)\n\(b)", as: "f.ndjson").expect(rows)
    try Intake("\(a)\r\n\r\n\(b)\r\n", as: "f.geojsonl").expect(rows)
    try Intake("\(a)\n\(b)\n", as: "f.json").expect(rows)
    try Intake(
      "\u{1E}\(a)\n\u{1E}{\"type\":\n\u{1E}\(b)\n", as: "f.geojsons", ["--on-error", "skip"]
    ).expect(rows)
  }

  @Test func numbersAreKeptExactlyOrAsText() throws {
    let text = """
      {"type":"Feature","properties":{"a":9007199254740993,"b":123456789012345678901234567890,"c":0.12345678901234567890123,
       "d":1e5,"e":-0.0},"geometry":{"type":"Point","coordinates":[1.00000000000000000000000001,2]}}
      """
    try Intake(text, as: "f.geojson").expect([
      "a,b,c,d,e,latitude,longitude",
      "9007199254740993,123456789012345678901234567890,0.12345678901234567890123,100000.0,-0.0,2.0,1.0",
    ])
  }

  @Test func onePropertyOfDifferentTypes() throws {
    let values = ["1", "1.5", "true", "\"x\"", "null", "[1, 2]"]
    let features = values.enumerated().map { index, value in
      #"{"type":"Feature","properties":{"id":\#(index),"v":\#(value)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    }
    let intake = try Intake(Self.collection(features), as: "f.geojson")
    intake.expect([
      "id,v,latitude,longitude", "0,1,2.0,1.0", "1,1.5,2.0,1.0", "2,true,2.0,1.0", "3,x,2.0,1.0",
      "4,,2.0,1.0",
      "5,\"[1, 2]\",2.0,1.0",
    ])
  }

  @Test func damageIsRefusedWithItsPosition() throws {
    let deep = String(repeating: "[", count: 100_000)
    let closed = deep + String(repeating: "]", count: 100_000)
    let cases: [(String, String)] = [
      (
        #"{"type":"Feature","properties":{"a":1,"a":2},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        "`a` appears twice"
      ),
      (
        #"{"type":"Feature","properties":{"a":"\ud800"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        "malformed JSON"
      ),
      (
        #"{"type":"Feature","properties":{"a":\#(closed)},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
        "feature 2"
      ),
      (#"{"type":"Feature","properties":{},"geometry":null}"#, "no geometry"),
      (#"{"type":"Feature","properties":{}}"#, "no geometry"),
      (
        #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,95]}}"#,
        "latitude 95"
      ),
    ]
    for (feature, part) in cases {
      let text = Self.collection([Self.point(1), feature, Self.point(3)])
      try Intake(text, as: "f.geojson").expectRefusal("f.geojson:2: feature 2: ", part)
      try Intake(text, as: "f.geojson", ["--on-error", "skip"]).expect([
        "id,latitude,longitude", "1,2.0,1.0", "3,2.0,1.0",
      ])
    }
    var bytes = Data(Self.collection([Self.point(1), Self.point(2)]).utf8)
    bytes.replaceSubrange(40..<41, with: [0xFF])
    try Intake(bytes: bytes, as: "f.geojson").expectRefusal("f.geojson:1: ")
    let whole = Self.collection([Self.point(1), Self.point(2)])
    for length in [1, 30, whole.count / 2, whole.count - 1] {
      try Intake(String(whole.prefix(length)), as: "f.geojson", ["--on-error", "skip"])
        .expectRefusal("f.geojson:", "ends in the middle")
    }
    try Intake(deep, as: "f.geojson").expectRefusal("f.geojson:1: ")
  }

  private static let shapes = [
    point(1), shape(2, "Polygon", "[[[0,0],[12,0],[12,10],[0,10],[0,0]]]"),
    shape(3, "LineString", "[[0,0],[2,2]]"), shape(4, "MultiPoint", "[[10,20],[30,40,5]]"),
    shape(5, "Polygon", "[[[0,0],[10,0],[10,10],[9,10],[9,1],[1,1],[1,10],[0,10],[0,0]]]"),
  ]

  /// A class of points refuses other geometries.
  @Test func geometriesOtherThanPointsAreCounted() throws {
    let scratch = try TemporaryFolder()
    func add(_ features: [String], _ options: [String] = []) throws -> Command.Outcome {
      let file = scratch.url.appendingPathComponent("f.geojson")
      try Data(Self.collection(features).utf8).write(to: file)
      return try Command.run(["import", scratch["s.cairn"], file.path, "--class", "f"] + options)
    }
    #expect(try add([Self.point(0)]).code == 0)
    let refused = try add(Self.shapes)
    #expect(refused.code == 65)
    for part in [
      "f.geojson:2: feature 2: expected a Point, found a Polygon", "of 5 in all",
      "2 Polygon, 1 LineString, 1 MultiPoint", "--on-error skip", "--point centroid",
    ] { #expect(refused.errors.contains(part), "\(refused.errors)") }
    let skipped = try add(Self.shapes, ["--on-error", "skip"])
    #expect(skipped.errors.contains("4 left out"), "\(skipped.errors)")
    let lines = (6..<30).map { Self.shape($0, "LineString", "[[0,0],[2,2]]") }
    let many = try add(Self.shapes + lines, ["--on-error", "skip"])
    #expect(
      many.errors.contains(
        "left out in all: 25 × LineString is not a Point, 2 × Polygon is not a Point, 1 × MultiPoint is not a Point"
      ),
      "\(many.errors)")
  }

  @Test func geometriesBecomePointsOnRequest() throws {
    let text = Self.collection(Self.shapes)
    let header = "id,latitude,longitude"
    let centroid = try Intake(text, as: "f.geojson", ["--point", "centroid"])
    #expect(
      centroid.lines.prefix(5) == [header, "1,2.0,1.0", "2,5.0,6.0", "3,1.0,1.0", "4,30.0,20.0"])
    let onSurface = try Intake(text, as: "f.geojson", ["--point", "on-surface"])
    #expect(onSurface.lines.count == 6, "\(onSurface.outcome.errors)")
    // The fifth is a U: its centroid lies outside, a point on its surface in one of the bars.
    let longitude = { (line: String?) in
      line?.split(separator: ",").last.flatMap { Double($0) } ?? .nan
    }
    #expect((1...9).contains(longitude(centroid.lines.last)))
    #expect(
      !(1.1...8.9).contains(longitude(onSurface.lines.last))
        || onSurface.lines.last?.contains(",0.") == true)
    let points = Self.collection([Self.shapes[0], Self.shapes[3]])
    let each = try Intake(points, as: "f.geojson", ["--each-point"])
    each.expect(["id,latitude,longitude,altitude", "1,2.0,1.0,", "4,20.0,10.0,", "4,40.0,30.0,5.0"])
    let mixed = try Intake(text, as: "f.geojson", ["--each-point"])
    #expect(
      mixed.lines.filter { $0.hasPrefix("4,") } == ["4,POINT (10 20)", "4,POINT Z (30 40 5)"])
    let refused =
      #"{"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[5,6]]},"crs":{"type":"name","properties":{"name":"EPSG:1"}}}"#
    let after = try Intake(
      refused + "\n" + Self.point(1), as: "f.ndjson", ["--each-point", "--on-error", "skip"])
    after.expect(["id,latitude,longitude", "1,2.0,1.0"])
    let both = try Intake(text, as: "f.geojson", ["--each-point", "--point", "centroid"])
    #expect(both.lines.count == 7)
    let keyed = try Intake(
      text, as: "f.geojson", ["--each-point", "--on-error", "skip", "--key", "id"])
    #expect(keyed.outcome.code == 65)
  }

  @Test func theAntimeridianMovesNoPoint() throws {
    let cut = Self.shape(
      1, "MultiPolygon",
      "[[[[170,0],[180,0],[180,10],[170,10],[170,0]]],[[[-180,0],[-170,0],[-170,10],[-180,10],[-180,0]]]]"
    )
    let header = "id,latitude,longitude"
    let intake = try Intake(cut, as: "f.geojson", ["--point", "centroid"])
    #expect(intake.lines == [header, "1,5.0,180.0"] || intake.lines == [header, "1,5.0,-180.0"])
    let jump = Self.shape(1, "Polygon", "[[[170,0],[-170,0],[-170,10],[170,10],[170,0]]]")
    try Intake(jump, as: "f.geojson", ["--point", "centroid"]).expectRefusal(
      "f.geojson:1: feature 1", "antimeridian")
    for bad in ["[[[0,0],[1,1]]]", "[]", "[[]]", "[[[0,0],[1,\"x\"],[1,1],[0,0]]]"] {
      try Intake(Self.shape(1, "Polygon", bad), as: "f.geojson", ["--point", "centroid"])
        .expectRefusal("f.geojson:1: feature 1: ")
    }
  }

  @Test func severalFilesAtOnce() throws {
    let scratch = try TemporaryFolder()
    try scratch.file("a.geojson", Self.collection([Self.point(1), Self.point(2)]))
    try scratch.file("b.ndjson", Self.point(3) + "\n" + Self.point(4, "5,6,7"))
    try scratch.file("c.csv", "id,lat,lon,extra\n5,1,2,x\n")
    let outcome = try Command.shell(
      "cairn import s.cairn a.geojson b.ndjson c.csv --class all --key id && cairn query s.cairn all --sort id --format csv",
      in: scratch.url)
    #expect(
      outcome.lines == [
        "id,extra,latitude,longitude,altitude", "1,,2.0,1.0,", "2,,2.0,1.0,", "3,,2.0,1.0,",
        "4,,6.0,5.0,7.0", "5,x,1.0,2.0,",
      ], "\(outcome.errors) \(outcome.lines)")
    let twice = try Command.shell(
      "cairn import t.cairn a.geojson a.geojson --key id", in: scratch.url)
    #expect(twice.code == 65)
    let broken = try Command.shell("cairn import u.cairn a.geojson missing.csv", in: scratch.url)
    #expect(broken.code == 66 && !scratch.exists("u.cairn"))
  }
}
