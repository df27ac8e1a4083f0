import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct SnappingTests {
  private static func snapped(_ text: String, _ other: String, _ metres: Double) throws -> String {
    try Geometry(wkt: text).snapped(
      to: Geometry(wkt: other), within: try #require(Distance.meters(metres))
    ).wkt
  }

  @Test(arguments: [
    // Ends move, to the nearest of several vertices.
    ("LINESTRING (0 0, 1 0)", "POINT (1.00001 0)", 5.0, "LINESTRING (0 0, 1.00001 0)"),
    ("LINESTRING (0 0, 1 0)", "POINT (1.0001 0)", 5.0, "LINESTRING (0 0, 1 0)"),
    (
      "LINESTRING (0 0, 1 0)", "MULTIPOINT ((1.00002 0), (1.00001 0))", 5.0,
      "LINESTRING (0 0, 1.00001 0)"
    ),
    ("POINT (0 0)", "LINESTRING (0 0.00001, 5 5)", 5.0, "POINT (0 0.00001)"),
    // Edges get vertices, in their order.
    (
      "LINESTRING (1 0, 0 0)", "MULTIPOINT ((0.2 0.00001), (0.7 0.00001))", 5.0,
      "LINESTRING (1 0, 0.7 0.00001, 0.2 0.00001, 0 0)"
    ),
    (
      "LINESTRING Z (0 0 100, 1 0 200)", "POINT (0.5 0.00001)", 5.0,
      "LINESTRING Z (0 0 100, 0.5 0.00001 150, 1 0 200)"
    ),
    // Both rings of a shared border move alike.
    (
      "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0)), "
        + "POLYGON ((1 0, 2 0, 2 1, 1 1, 1 0)))", "POINT (1.00001 0.5)", 5.0,
      "GEOMETRYCOLLECTION (POLYGON ((0 0, 1 0, 1.00001 0.5, 1 1, 0 1, 0 0)), "
        + "POLYGON ((1 0, 2 0, 2 1, 1 1, 1.00001 0.5, 1 0)))"
    ),
    // A degree of longitude is short near the pole.
    ("POINT (0 80)", "POINT (0.0001 80)", 5.0, "POINT (0.0001 80)"),
    // Parts that shrink to a point vanish.
    ("LINESTRING (0 0, 0.00001 0)", "POINT (0.000005 0)", 5.0, "LINESTRING EMPTY"),
    ("POINT (0 0)", "POINT EMPTY", 5.0, "POINT (0 0)"),
  ]) func moved(_ text: String, _ other: String, metres: Double, expected: String) throws {
    #expect(try Self.snapped(text, other, metres) == expected)
  }

  /// Vertices within reach are at the nearest vertex of the other geometry, and others where they were.
  @Test(arguments: [8301, 8302] as [UInt64])
  func randomLines(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var movedCount = 0
    for _ in 0..<Soak.count(100, long: 1000) {
      let targets = random.stars()
      let reach = try #require(Distance.kilometers(random.double(10...60)))
      let vertices = (0..<random.int(2...8)).map { _ in
        GeoPoint(clampedLatitude: random.double(0...20), longitude: random.double(0...24))
      }
      let line = Geometry(try #require(GeoLineString(vertices)))
      let snapped = try line.snapped(to: targets, within: reach).points
      var places = snapped.makeIterator()
      for vertex in vertices {
        let nearest = try #require(
          targets.points.min { vertex.distance(to: $0) < vertex.distance(to: $1) })
        let isNear = vertex.distance(to: nearest).radians <= reach.radians
        let expected = isNear ? nearest : vertex
        if isNear { movedCount += 1 }
        // Vertices between are those of the other geometry.
        var place = places.next()
        while let other = place, other != expected {
          #expect(targets.points.contains(other), "seed \(seed)")
          place = places.next()
        }
        #expect(place == expected || snapped.contains(expected), "seed \(seed)")
      }
    }
    #expect(movedCount > 10)
  }

  /// Polygons stay valid.
  @Test(arguments: [8311, 8312] as [UInt64])
  func randomPolygons(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(20, long: 500) {
      let (one, other) = (random.stars(), random.stars())
      let reach = try #require(Distance.kilometers(random.double(1...40)))
      try one.snapped(to: other, within: reach).validate(edges: .planar)
    }
  }

  @Test func invalidGeometries() throws {
    let bow = try Geometry(wkt: "POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))")
    let reach = try #require(Distance.meters(1))
    #expect(throws: GeometryError.self) { try bow.snapped(to: bow, within: reach) }
  }
}
