import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Polygons whose rings touch so that their inside is not connected, which OGC calls invalid.
@Suite(.tags(.untrusted)) struct ConnectedInteriorTests {
  private typealias Ring = [(Double, Double)]

  private static let outer: Ring = [(0, 0), (12, 0), (12, 12), (0, 12), (0, 0)]

  private func fault(_ rings: [Ring]) -> GeometryError.Kind? {
    do throws(GeometryError) {
      try Geometry(rings: rings).validate(edges: .planar)
      return nil
    } catch { return error.kind }
  }

  /// Three holes around a middle.
  @Test func holesInAClosedChain() {
    let holes: [Ring] = [
      [(3, 3), (9, 3), (6, 4), (3, 3)], [(9, 3), (6, 9), (7, 5), (9, 3)],
      [(6, 9), (3, 3), (5, 5), (6, 9)],
    ]
    #expect(fault([Self.outer] + holes) == .disconnectedInterior)
    #expect(fault([Self.outer] + holes.dropLast()) == nil)
  }

  /// Two holes from one side of the outer ring to the other.
  @Test func holesBetweenTwoSides() {
    let left: Ring = [(0, 6), (6, 5), (6, 7), (0, 6)]
    let right: Ring = [(6, 7), (12, 6), (8, 8), (6, 7)]
    #expect(fault([Self.outer, left, right]) == .disconnectedInterior)
    let short: Ring = [(6, 7), (11, 6), (8, 8), (6, 7)]
    #expect(fault([Self.outer, left, short]) == nil)
  }

  /// Any number of holes may meet in one point.
  @Test func holesThatMeetInOnePoint() {
    let holes: [Ring] = [
      [(6, 6), (9, 5), (9, 7), (6, 6)], [(6, 6), (5, 9), (4, 9), (6, 6)],
      [(6, 6), (3, 7), (3, 5), (6, 6)],
    ]
    #expect(fault([Self.outer] + holes) == nil)
  }

  @Test func aRepairSplitsThePolygon() throws {
    let left: Ring = [(0, 6), (6, 5), (6, 7), (0, 6)]
    let right: Ring = [(6, 7), (12, 6), (8, 8), (6, 7)]
    let repaired = try Geometry(rings: [Self.outer, left, right]).repaired()
    #expect(repaired.kind == .multiPolygon && abs(repaired.planarArea - (144 - 6 - 4)) < 1e-9)
  }

  /// Random triangles on a grid as holes, against the validity of GEOS.
  @Test(arguments: [3305, 3306] as [UInt64]) func geosAgrees(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let library = try GEOSPointLibrary.shared()
    var counts = (valid: 0, cut: 0)
    for _ in 0..<Soak.count(4000, long: 40_000) {
      let holes: [Ring] = (0..<random.int(2...4)).map { _ in
        let ring = (0..<3).map { _ in
          (Double(random.int(0...6)) * 2, Double(random.int(0...6)) * 2)
        }
        return ring + [ring[0]]
      }
      let kind = fault([Self.outer] + holes)
      guard kind == nil || kind == .disconnectedInterior else { continue }
      let context = try GEOSContext()
      let rings = ([Self.outer] + holes).map { PlaneRing(xs: $0.map(\.0), ys: $0.map(\.1)) }
      let polygon = try GEOSPolygon(rings, in: context)
      let isValid = library.isValid(context.handle, polygon.geometry) == 1
      #expect(isValid == (kind == nil), "\(holes) seed \(seed)")
      if isValid { counts.valid += 1 } else { counts.cut += 1 }
    }
    #expect(counts.valid > 50 && counts.cut > 5, "\(counts)")
  }

  @Test func emptyHolesAreNoHoles() throws {
    let polygon = try Geometry(wkt: "POLYGON ((0 0, 4 0, 0 4, 0 0), EMPTY)")
    #expect(polygon == (try Geometry(wkt: "POLYGON ((0 0, 4 0, 0 4, 0 0))")))
    #expect(throws: GeometryError.self) {
      try Geometry(wkt: "POLYGON (EMPTY, (0 0, 4 0, 0 4, 0 0))")
    }
  }

  @Test func coordinatesTooCloseToZeroAreRefused() throws {
    let line = try Geometry(wkt: "LINESTRING (1 2, 5e-324 3)")
    let error = #expect(throws: GeometryError.self) { try line.validate() }
    #expect(
      error?.message == "point 2: longitude 5e-324, latitude 3.0 is too close to zero to compute "
        + "with; write 0")
  }
}
