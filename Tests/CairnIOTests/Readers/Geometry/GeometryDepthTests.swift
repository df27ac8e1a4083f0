import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnIO

/// Nested geometries are read up to a limit and rejected beyond it; the process never crashes.
@Suite(.tags(.untrusted)) struct GeometryDepthTests {
  private static func wkt(_ depth: Int) -> String {
    String(repeating: "GEOMETRYCOLLECTION(", count: depth) + "POINT(2 1)"
      + String(repeating: ")", count: depth)
  }

  private static func geoJSON(_ depth: Int) -> String {
    String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: depth)
      + #"{"type":"Point","coordinates":[2,1]}"# + String(repeating: "]}", count: depth)
  }

  private static func wkb(_ depth: Int) -> String {
    String(repeating: "010700000001000000", count: depth)
      + "01010000000000000000000040000000000000F03F"
  }

  private func outcome(_ text: String, _ name: String) throws -> ImportError? {
    try importError(text, as: name) { $0.geometries.pointOf = .centroid }
  }

  @Test(arguments: [1, 20, 99]) func moderateNestingIsRead(depth: Int) throws {
    for (text, name) in [
      ("wkt\n\"\(Self.wkt(depth))\"\n", "a.csv"), ("wkb\n\(Self.wkb(depth))\n", "a.csv"),
      (#"{"type":"Feature","properties":{},"geometry":\#(Self.geoJSON(depth))}"#, "a.geojson"),
      (#"{"g":\#(Self.geoJSON(depth))}"#, "a.json"), (#"{"g":"\#(Self.wkt(depth))"}"#, "a.json"),
    ] {
      let error = try outcome(text, name)
      // Without GEOS, no point can be derived from them.
      #expect(
        error == nil || error?.kind == .library, "\(name), \(depth): \(String(describing: error))")
    }
  }

  @Test(arguments: [100, 500, 50_000]) func deepNestingIsRejected(depth: Int) throws {
    for (text, name) in [
      ("wkt\n\"\(Self.wkt(depth))\"\n", "a.csv"), ("wkb\n\(Self.wkb(depth))\n", "a.csv"),
      (#"{"type":"Feature","properties":{},"geometry":\#(Self.geoJSON(depth))}"#, "a.geojson"),
      (#"{"g":\#(Self.geoJSON(depth))}"#, "a.json"), (#"{"g":"\#(Self.wkt(depth))"}"#, "a.json"),
      ("wkt\n\"\(String(repeating: "GEOMETRYCOLLECTION(", count: depth))\"\n", "a.csv"),
      ("wkb\n\(String(repeating: "0107000000FFFFFFFF", count: depth))\n", "a.csv"),
    ] {
      let error = try #require(try outcome(text, name), "\(name), \(depth)")
      #expect(error.kind == .data)
      let isExpected = ["nested", "expected a count of at most"].contains(
        where: error.message.contains)
      #expect(isExpected, "\(error.message.prefix(200))")
      let skipped = try importError(text, as: name) {
        $0.geometries.pointOf = .centroid
        $0.onError = .skip
      }
      #expect(skipped == nil)
    }
  }
}
