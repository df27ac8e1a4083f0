import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Locations against geometries that are read in place, without preparation.
@Suite struct PointRelationTests {
  private func check(
    _ geometry: Geometry, _ x: Double, _ y: Double, _ matcher: PlanarMatcher,
    _ note: @autoclosure () -> String
  ) {
    geometry.withView { view in
      let inside = PlanarRelation.holds(.within, longitude: x, latitude: y, to: view)
      let expected = matcher.holds(.within, longitude: x, latitude: y)
      #expect(inside == expected, "\(x) \(y) \(note())")
      #expect(
        PlanarRelation.holds(.intersects, longitude: x, latitude: y, to: view) == expected)
      #expect(PlanarRelation.holds(.disjoint, longitude: x, latitude: y, to: view) != expected)
      #expect(
        PlanarRelation.holds(.contains, longitude: x, latitude: y, to: view)
          == matcher.holds(.contains, longitude: x, latitude: y), "\(x) \(y) \(note())")
      let (stepX, stepY) = (Int32((x * 1e7).rounded()), Int32((y * 1e7).rounded()))
      if E7.degrees(stepX) == x, E7.degrees(stepY) == y {
        let covered = PlanarRelation.covered(
          2, longitudesE7: [0, stepX, stepX], latitudesE7: [0, stepY, stepY], by: view)
        #expect(covered == (expected ? 2 : 0), "\(x) \(y) \(note())")
      }
    }
  }

  /// Every kind on a grid, where points often lie on edges and vertices, in fixed point (the steps
  /// 1 and 0.1) and not (a third of a degree).
  @Test(arguments: [11, 12] as [UInt64])
  func agreesWithPreparedShapesOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geos = try GEOSRelations()
    for kind in Geometry.Kind.allCases {
      for round in 0..<Soak.count(15, long: 45) {
        let (size, scale) = (random.int(2...7), [1, 0.1, 1.0 / 3][round % 3])
        let grid = try random.gridGeometry(kind, size: size, scale: scale, geos)
        let geometry = grid.geometry
        let matcher = try #require(PlanarMatcher(.geometry(geometry, edges: .planar)))
        let note = "\(grid.text) seed \(seed)"
        for x in -1...2 * size + 1 {
          for y in -1...2 * size + 1 {
            let (x, y) = (Double(x) * scale / 2, Double(y) * scale / 2)
            check(geometry, x, y, matcher, note)
            check(geometry, x.nextUp, y.nextDown, matcher, note)
          }
        }
      }
    }
  }

  /// Points next to edges by less than a unit of fixed point.
  @Test(arguments: [13, 14] as [UInt64])
  func agreesWithPreparedShapesNextToEdges(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(60, long: 150) {
      var ring = random.planarRing(about: (10, 20), radius: 8, count: random.int(3...50))
      if random.chance(0.5) {
        ring = ring.compactMap {
          GeoPoint(
            latitude: ($0.latitude * 1e7).rounded() / 1e7,
            longitude: ($0.longitude * 1e7).rounded() / 1e7)
        }
      }
      let geometry = Geometry.polygons([[ring]])
      let matcher = try #require(PlanarMatcher(.geometry(geometry, edges: .planar)))
      for _ in 0..<60 {
        let index = random.below(ring.count - 1)
        let (a, b) = (ring[index], ring[index + 1])
        let share = random.pick([0, 1, 0.5, random.double(0...1)])
        let x = a.longitude + share * (b.longitude - a.longitude)
        let y = a.latitude + share * (b.latitude - a.latitude)
        let offset = random.pick([0, 1e-15, 1e-9, 4e-8, 1e-7, 1])
        check(
          geometry, (x * 1e7).rounded() / 1e7, (y * 1e7).rounded() / 1e7, matcher,
          "\(geometry.text) seed \(seed)")
        check(
          geometry, x + offset * random.double(-1...1), y + offset * random.double(-1...1),
          matcher, "\(geometry.text) seed \(seed)")
      }
    }
  }

  @Test func otherLocations() throws {
    let square = try Geometry(wkt: "POLYGON ((0 0, 180 0, 180 90, 0 90, 0 0))")
    let empty = try Geometry(wkt: "POLYGON EMPTY")
    func holds(_ relation: SpatialRelation, _ x: Double, _ y: Double, _ geometry: Geometry) -> Bool
    {
      geometry.withView { PlanarRelation.holds(relation, longitude: x, latitude: y, to: $0) }
    }
    #expect(holds(.within, 180, 90, square))
    #expect(!holds(.within, 180.000_000_01, 90, square))
    #expect(!holds(.within, .infinity, 0, square) && holds(.disjoint, .infinity, 0, square))
    for relation in SpatialRelation.allCases {
      #expect(!holds(relation, 1, 1, empty))
      #expect(!holds(relation, .nan, 1, square) && !holds(relation, 1, .nan, square))
    }
  }
}
