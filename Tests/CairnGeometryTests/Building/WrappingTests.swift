import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Geometries with longitudes beyond ±180, and coordinates with noise at the limits.
@Suite struct WrappingTests {
  /// A geometry whose longitudes may be beyond ±180.
  private func unchecked(_ wkt: String) throws -> Geometry {
    var builder = GeometryBuilder()
    var text = wkt
    _ = try text.withUTF8 { bytes in Result { try builder.appendWKT(bytes) } }.get()
    return builder.geometry()
  }

  @Test(arguments: [
    ("POINT (200 1)", "POINT (-160 1)"), ("POINT (-181 1)", "POINT (179 1)"),
    ("POINT (180 1)", "POINT (180 1)"), ("POINT (183.1 1)", "POINT (-176.9 1)"),
    ("MULTIPOINT ((179 1), (181 2))", "MULTIPOINT ((179 1), (-179 2))"),
    ("LINESTRING (170 0, 190 10)", "MULTILINESTRING ((170 0, 180 5), (-180 5, -170 10))"),
    ("LINESTRING (190 10, 170 0)", "MULTILINESTRING ((-170 10, -180 5), (180 5, 170 0))"),
    ("LINESTRING (190 10, 200 20)", "LINESTRING (-170 10, -160 20)"),
    ("LINESTRING (180 10, 200 20)", "LINESTRING (-180 10, -160 20)"),
    ("LINESTRING (175 0, 180 5, 175 10)", "LINESTRING (175 0, 180 5, 175 10)"),
    (
      "LINESTRING (175 0, 180 5, 180 10, 185 12)",
      "MULTILINESTRING ((175 0, 180 5, 180 10), (-180 10, -175 12))"
    ),
    ("LINESTRING (0 0, 400 40)", "MULTILINESTRING ((0 0, 180 18), (-180 18, 40 40))"),
    (
      "LINESTRING Z (170 0 0, 190 10 100)",
      "MULTILINESTRING Z ((170 0 0, 180 5 50), (-180 5 50, -170 10 100))"
    ),
    (
      "MULTILINESTRING ((0 0, 1 1), (-190 0, -170 0))",
      "MULTILINESTRING ((0 0, 1 1), (170 0, 180 0), (-180 0, -170 0))"
    ),
    (
      "GEOMETRYCOLLECTION (POINT (200 1), LINESTRING (170 0, 190 0))",
      "GEOMETRYCOLLECTION (POINT (-160 1), MULTILINESTRING ((170 0, 180 0), (-180 0, -170 0)))"
    ),
    (
      "POLYGON ((190 0, 195 0, 195 5, 190 0))",
      "POLYGON ((-170 0, -165 0, -165 5, -170 0))"
    ),
    (
      "POLYGON Z ((190 0 7, 195 0 8, 195 5 9, 190 0 7))",
      "POLYGON Z ((-170 0 7, -165 0 8, -165 5 9, -170 0 7))"
    ),
    ("POLYGON EMPTY", "POLYGON EMPTY"),
  ])
  func pointsLinesAndMovedPolygons(_ wkt: String, _ expected: String) throws {
    #expect(try unchecked(wkt).wrapped().wkt == Geometry(wkt: expected).wkt)
  }

  /// Whether a point lies within the rings in the plane, by counting the edges to its east.
  private func isInside(_ x: Double, _ y: Double, of rings: [[(Double, Double)]]) -> Bool {
    var crossings = 0
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst()) where (a.1 > y) != (b.1 > y) {
        if a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0) > x { crossings += 1 }
      }
    }
    return crossings % 2 == 1
  }

  /// The polygon of the issue, one with a hole on the antimeridian, one around the whole earth, and
  /// one that reaches back.
  @Test(arguments: [
    [[(176.0, -20.0), (183, -20), (183, -15), (176, -15), (176, -20)]],
    [
      [(170.0, 0.0), (190, 0), (190, 20), (170, 20), (170, 0)],
      [(178.0, 5.0), (178, 8), (184, 8), (184, 5), (178, 5)],
    ],
    [[(0.0, -10.0), (360, -20), (360, 20), (0, 10), (0, -10)]],
    [[(-170.0, 50.0), (-200, 60), (-175, 70), (-210, 80), (-150, 75), (-170, 50)]],
  ])
  func polygonsThatAreCut(_ rings: [[(Double, Double)]]) throws {
    let text = rings.map { "(\($0.map { "\($0.0) \($0.1)" }.joined(separator: ", ")))" }
    let wrapped = try unchecked("POLYGON (\(text.joined(separator: ", ")))").wrapped()
    try wrapped.validate(edges: .planar)
    let polygons = wrapped.withView { view in
      view.parts.map { part -> [[(Double, Double)]] in
        guard case .polygon(let rings) = part else { return [] }
        return rings.map { $0.map { (view.longitude($0), view.latitude($0)) } }
      }
    }
    #expect(polygons.joined().joined().allSatisfy { abs($0.0) <= 180 })
    var random = SplitMix64(seed: 31)
    for _ in 0..<2000 {
      let x = Double.random(in: -179.9...179.9, using: &random)
      let y = Double.random(in: -30...85, using: &random)
      let expected = [-360, 0, 360].contains { isInside(x + $0, y, of: rings) }
      #expect(polygons.contains { isInside(x, y, of: $0) } == expected, "\(x) \(y)")
    }
  }

  @Test func aPolygonThatIsNotValidIsNotCut() throws {
    let bowTie = try unchecked("POLYGON ((175 0, 185 10, 185 0, 175 10, 175 0))")
    let error = #expect(throws: GeometryError.self) { try bowTie.wrapped() }
    #expect(error?.kind == .selfIntersection)
  }

  // MARK: Noise

  @Test func noiseAtTheLimitsIsTheLimit() throws {
    let point = GeoPoint(latitude: -90.0000000005, longitude: 180.00000000000006)
    #expect(point?.latitude == -90 && point?.longitude == 180)
    #expect(GeoPoint(latitude: 90.00000001, longitude: 0) == nil)
    let polygon = try Geometry(wkt: "POLYGON ((170 0, 180.00000000000006 0, 180 10, 170 0))")
    #expect(polygon.wkt == "POLYGON ((170 0, 180 0, 180 10, 170 0))")
    #expect(throws: GeometryError.self) { try Geometry(wkt: "POINT (180.00000001 0)") }
  }
}
