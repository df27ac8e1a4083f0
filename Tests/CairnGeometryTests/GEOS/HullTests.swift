import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct HullTests {
  @Test func envelopes() throws {
    for (text, expected) in [
      ("POINT (1 2)", "POINT (1 2)"), ("MULTIPOINT ((1 2), (1 2))", "POINT (1 2)"),
      ("MULTIPOINT ((1 2), (3 2))", "LINESTRING (1 2, 3 2)"),
      ("LINESTRING (1 4, 1 2)", "LINESTRING (1 2, 1 4)"),
      ("LINESTRING (1 4, 2 2)", "POLYGON ((1 2, 2 2, 2 4, 1 4, 1 2))"),
      ("POLYGON EMPTY", "POLYGON EMPTY"),
      // On both sides of the antimeridian.
      (
        "MULTIPOINT ((179 1), (-178 2))",
        """
        MULTIPOLYGON (((180 2, 180 1, 179 1, 179 2, 180 2)),
        ((-180 1, -180 2, -178 2, -178 1, -180 1)))
        """
      ),
      // All around the earth.
      (
        "LINESTRING (-180 70, 180 71)",
        "POLYGON ((-180 70, 180 70, 180 71, -180 71, -180 70))"
      ),
    ] {
      let envelope = try Geometry(wkt: text).envelope()
      let wanted = try Geometry(wkt: expected)
      #expect(envelope.isValid && envelope.kind == wanted.kind, "\(text): \(envelope.wkt)")
      #expect(Set(envelope.points) == Set(wanted.points), "\(text): \(envelope.wkt)")
      #expect(envelope.planarArea == wanted.planarArea)
    }
    let outside = Geometry(rings: [[(0, 0), (190, 4), (4, 0), (0, 0)]])
    #expect(throws: GeometryError.self) { try outside.envelope() }
  }

  /// Islands on both sides of the antimeridian, in parts that are cut there or not.
  private let fiji = """
    GEOMETRYCOLLECTION (MULTIPOLYGON (((177 -18, 180 -17, 180 -16, 177 -18)),
    ((-180 -17, -179 -16.5, -180 -16, -180 -17))), POINT (-178 -19), LINESTRING (178 -19, 179 -20))
    """

  @Test func hullsAcrossTheAntimeridian() throws {
    let islands = try Geometry(wkt: fiji)
    for hull in [
      try islands.convexHull(), try islands.concaveHull(ratio: 1), try islands.envelope(),
      try islands.minimumRotatedRectangle(),
    ] {
      #expect(hull.isValid && hull.kind == .multiPolygon && hull.polygonRings.count == 2)
      #expect(hull.planarArea > 8 && hull.planarArea < 25)
      for point in islands.points {
        #expect(hull.planarContains(point.longitude, point.latitude, band: 1e-6) != false)
      }
    }
    #expect(try islands.convexHull().planarArea <= islands.envelope().planarArea)
  }

  /// No edge of a concave hull can be moved to the inside without a vertex outside.
  @Test(arguments: [5601] as [UInt64])
  func concaveHulls(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<30 {
      let points = (0..<random.int(4...80)).compactMap { _ in
        GeoPoint(latitude: random.double(0...10), longitude: random.double(0...10))
      }
      let all = Geometry(points: points)
      let hull = try all.convexHull()
      var last = hull.planarArea
      #expect(abs(try all.concaveHull(ratio: 1).planarArea - last) < 1e-9)
      for ratio in [0.6, 0.3, 0] {
        let concave = try all.concaveHull(ratio: ratio)
        #expect(concave.isValid && concave.planarArea <= last + 1e-9)
        #expect(concave.polygonRings.count == 1 && concave.polygonRings[0].count == 1)
        #expect(concave.points.allSatisfy { points.contains($0) })
        for point in points {
          #expect(concave.planarContains(point.longitude, point.latitude) != false)
        }
        last = concave.planarArea
      }
      let rectangle = try all.minimumRotatedRectangle()
      #expect(rectangle.planarArea >= hull.planarArea && rectangle.vertexCount == 5)
      for point in points {
        #expect(rectangle.planarContains(point.longitude, point.latitude, band: 1e-7) != false)
      }
    }
    for ratio in [-0.1, 1.1, .nan] {
      #expect(throws: GeometryError.self) { try Geometry(wkt: fiji).concaveHull(ratio: ratio) }
    }
  }

  @Test func aRectangleBeyondThePoleIsAnError() throws {
    let line = try Geometry(wkt: "MULTIPOINT ((0 90), (1 89), (30 70), (31 69.5), (14 84))")
    let error = #expect(throws: GeometryError.self) { try line.minimumRotatedRectangle() }
    #expect(error?.kind == .outOfRange && error?.message.contains("beyond a pole") == true)
    let diagonal = try Geometry(wkt: "LINESTRING (0 0, 3 4)").minimumRotatedRectangle()
    #expect(diagonal.planarArea < 1e-9 && diagonal.points.count >= 2)
  }

  @Test func pointsOnSurfaces() throws {
    var random = SplitMix64(seed: 5611)
    for _ in 0..<60 {
      let shape = random.stars()
      let point = try #require(try shape.pointOnSurface())
      #expect(shape.planarContains(point.longitude, point.latitude) == true)
    }
    #expect(try Geometry(lines: []).pointOnSurface() == nil)
    let mixed = try Geometry(
      wkt: "GEOMETRYCOLLECTION (POINT EMPTY, POINT (9 9), LINESTRING (0 0, 1 1, 2 0))")
    #expect(try mixed.pointOnSurface() == GeoPoint(latitude: 1, longitude: 1))
  }

  @Test func mergedLines() throws {
    let lines = try Geometry(
      wkt:
        "MULTILINESTRING ((0 0, 1 1), (2 2, 1 1), (2 2, 3 3), (5 5, 6 6), (5 5, 6 7), (5 5, 4 6))")
    let merged = try lines.lineMerged()
    #expect(merged.members.count == 4 && merged.members.map(\.vertexCount).max() == 4)
    #expect(try Geometry(wkt: "POINT (1 1)").lineMerged() == Geometry(lines: []))
    let one = try Geometry(wkt: "MULTILINESTRING ((0 0, 1 1), (1 1, 2 0))").lineMerged()
    #expect(one.kind == .lineString)
  }

  @Test(arguments: [5621] as [UInt64])
  func precision(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for degrees in [1e-7, 1e-5, 0.01, 0.25, 1, 0.7] {
      for _ in 0..<20 {
        let shape = random.stars()
        let rounded = try shape.withPrecision(degrees)
        #expect(rounded.isValid, "\(degrees)")
        for value in rounded.points.flatMap({ [$0.longitude, $0.latitude] }) {
          #expect(abs((value / degrees).rounded() * degrees - value) < 1e-12, "\(degrees)")
        }
        #expect(abs(rounded.planarArea - shape.planarArea) <= 100 * degrees)
      }
    }
    let text = try Geometry(wkt: "LINESTRING (0.123456789 -0.000001, 7.1 8.30000001)")
    #expect(try text.withPrecision(1e-5) == Geometry(wkt: "LINESTRING (0.12346 0, 7.1 8.3)"))
    #expect(try text.withPrecision(50).isEmpty)
    for degrees in [0, -1, 91, .nan] {
      #expect(throws: GeometryError.self) { try text.withPrecision(degrees) }
    }
    let corner = try Geometry(wkt: "POLYGON ((170 80, 180 80, 180 90, 170 90, 170 80))")
    #expect(try corner.withPrecision(0.7).isValid)
  }
}
