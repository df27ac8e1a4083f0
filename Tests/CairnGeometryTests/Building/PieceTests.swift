import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct PieceTests {
  @Test(arguments: [
    // A line all the way across, one that ends inside, and two that cross.
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "LINESTRING (1 -1, 1 3)", 2),
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "LINESTRING (1 -1, 1 1)", 1),
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "MULTILINESTRING ((1 -1, 1 3), (-1 1, 3 1))", 4),
    // A hole beside the line, and one that it leads through.
    (
      "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))", "LINESTRING (3 -1, 3 5)", 2
    ),
    (
      "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))", "LINESTRING (0 0, 1 1)", 1
    ),
    (
      "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1))",
      "MULTILINESTRING ((2 -1, 2 1), (2 3, 2 5))", 2
    ),
    // The outline of another polygon.
    (
      "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))",
      "POLYGON ((0.5 0.5, 1.5 0.5, 1.5 1.5, 0.5 1.5, 0.5 0.5))", 2
    ),
    ("LINESTRING (0 0, 2 0)", "POINT (0.5 0)", 2), ("LINESTRING (0 0, 2 0)", "POINT (0.5 0.1)", 1),
    ("LINESTRING (0 0, 2 0)", "POINT (0 0)", 1), ("LINESTRING (0 0, 2 0, 3 0)", "POINT (2 0)", 2),
    ("LINESTRING (0 0, 2 0)", "MULTIPOINT ((1.5 0), (0.5 0), (0.5 0))", 3),
    ("LINESTRING (0 0, 2 2, 2 0, 0 2)", "LINESTRING (1 -1, 1 3)", 3),
    ("LINESTRING (0 0, 4 0)", "LINESTRING (1 0, 2 0)", 3),
    ("MULTILINESTRING ((0 0, 2 0), (0 1, 2 1))", "LINESTRING (1 -1, 1 2)", 4),
    ("MULTIPOINT ((0 0), (1 1))", "LINESTRING (0 0, 2 2)", 2),
    ("POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "POINT (1 1)", 1),
    ("POLYGON EMPTY", "POINT (1 1)", 0),
  ]) func pieces(_ text: String, _ blade: String, count: Int) throws {
    let geometry = try Geometry(wkt: text)
    let split = try geometry.split(by: Geometry(wkt: blade))
    #expect(split.members.count == count, "\(split.wkt)")
    for piece in split.members { try piece.validate(edges: .planar) }
    #expect(abs(split.planarArea - geometry.planarArea) < 1e-12)
    #expect(abs(PlaneMeasures(split).length - PlaneMeasures(geometry).length) < 1e-12)
  }

  /// The pieces of polygons add up to them, and each is on one side of a line that leads through all.
  @Test(arguments: [8201, 8202] as [UInt64])
  func randomPolygons(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var pieceCount = 0
    for _ in 0..<Soak.count(100, long: 1000) {
      let area = random.stars()
      let (south, north) = (random.double(0...24), random.double(0...24))
      let line = try Geometry(wkt: "LINESTRING (\(south) -10, \(north) 30)")
      let pieces = try area.split(by: line)
      pieceCount += pieces.members.count
      #expect(abs(pieces.planarArea - area.planarArea) < 1e-9, "seed \(seed)")
      for piece in pieces.members {
        try piece.validate(edges: .planar)
        let sides = piece.points.map { point in
          point.longitude - (south + (north - south) * (point.latitude + 10) / 40)
        }
        let isOneSided = sides.allSatisfy { $0 > -1e-9 } || sides.allSatisfy { $0 < 1e-9 }
        #expect(isOneSided, "seed \(seed)")
      }
    }
    #expect(pieceCount > 220)
  }

  @Test func altitudesStay() throws {
    let line = try Geometry(wkt: "LINESTRING Z (0 0 100, 2 0 300)")
    #expect(
      try line.split(by: Geometry(wkt: "POINT (0.5 0)")).wkt
        == "GEOMETRYCOLLECTION Z (LINESTRING Z (0 0 100, 0.5 0 150), "
        + "LINESTRING Z (0.5 0 150, 2 0 300))")
    let area = try Geometry(wkt: "POLYGON Z ((0 0 1, 2 0 2, 2 2 3, 0 2 4, 0 0 1))")
    let pieces = try area.split(by: Geometry(wkt: "LINESTRING (1 -1, 1 3)"))
    #expect(pieces.points.contains(try #require(GeoPoint(latitude: 2, longitude: 2, altitude: 3))))
  }

  @Test func enclosedPolygons() throws {
    let cross = try Geometry(
      wkt:
        "MULTILINESTRING ((0 0, 3 0), (0 1, 3 1), (0 -1, 0 2), (1 -1, 1 2), (3 0, 3 1), (9 9, 8 8))"
    )
    let polygons = try cross.polygonized()
    #expect(polygons.members.count == 2 && abs(polygons.planarArea - 3) < 1e-12)
    let ring = try Geometry(
      wkt: "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))")
    #expect(try ring.polygonized().members.count == 2)
    #expect(try Geometry(wkt: "LINESTRING (0 0, 1 1)").polygonized().isEmpty)
    #expect(try Geometry(wkt: "POINT (0 0)").polygonized().isEmpty)
  }

  @Test func parts() throws {
    let nested = try Geometry(
      wkt: "GEOMETRYCOLLECTION (POINT (1 1), GEOMETRYCOLLECTION (MULTIPOINT ((2 2), (3 3)), "
        + "POLYGON EMPTY), LINESTRING (0 0, 1 1))")
    #expect(nested.parts.map(\.kind) == [.point, .point, .point, .lineString])
    #expect(try Geometry(wkt: "MULTIPOLYGON EMPTY").parts.isEmpty)
  }
}
