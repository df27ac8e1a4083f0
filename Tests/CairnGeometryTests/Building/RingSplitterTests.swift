import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Rings that touch themselves in single points.
@Suite(.tags(.untrusted)) struct RingSplitterTests {
  private typealias Ring = [(Double, Double)]

  /// Two triangles side by side, in one ring.
  private static let hourglass: Ring = [
    (10, 20), (18, 20), (14, 24), (18, 28), (10, 28), (14, 24), (10, 20),
  ]
  /// A square whose ring leads around a hole that touches it in a corner.
  private static let pocket: Ring = [
    (0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (2, 5), (5, 5), (5, 2), (0, 0),
  ]

  @Test func aRingAroundTwoAreasBecomesTwo() throws {
    let split = try #require(Geometry(rings: [Self.hourglass]).splitWhereRingsTouch(edges: .planar))
    #expect(split.kind == .multiPolygon && split.polygonRings.map(\.count) == [1, 1])
    #expect(split.planarArea == 32)
  }

  @Test func aPocketBecomesAHole() throws {
    let split = try #require(Geometry(rings: [Self.pocket]).splitWhereRingsTouch(edges: .planar))
    #expect(split.kind == .polygon && split.polygonRings.map(\.count) == [2])
    #expect(split.planarArea == 81 - 15)
  }

  @Test func aVertexOnAnEdgeIsATouch() throws {
    let ring: Ring = [(0, 0), (8, 0), (8, 8), (4, 0), (0, 8), (0, 0)]
    let split = try #require(Geometry(rings: [ring]).splitWhereRingsTouch(edges: .planar))
    #expect(split.polygonRings.count == 2 && split.planarArea == 32)
  }

  @Test func aHoleThatTouchesItselfBecomesTwo() throws {
    let outer: Ring = [(0, 10), (30, 10), (30, 40), (0, 40), (0, 10)]
    let split = try #require(
      Geometry(rings: [outer, Self.hourglass]).splitWhereRingsTouch(edges: .planar))
    #expect(split.kind == .polygon && split.polygonRings.map(\.count) == [3])
    #expect(split.planarArea == 900 - 32)
  }

  @Test func altitudesAndOtherMembersAreKept() throws {
    let text = """
      {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2,3]},
      {"type":"Polygon","coordinates":[[[0,0,1],[4,0,2],[2,2,3],[4,4,4],[0,4,5],[2,2,3],[0,0,1]]]}]}
      """
    let geometry = try #require(Geometry(json: text))
    let split = try #require(geometry.splitWhereRingsTouch(edges: .planar))
    #expect(split.hasAltitudes && split.members.map(\.kind) == [.point, .multiPolygon])
  }

  @Test(arguments: [
    // A bow tie, with a vertex where it crosses itself and without one.
    [(0.0, 0.0), (4, 4), (4, 0), (0, 4), (0, 0)],
    [(0, 0), (2, 2), (4, 4), (4, 0), (2, 2), (0, 4), (0, 0)],
    // A spike; a ring around an area twice; a valid ring.
    [(0, 0), (4, 0), (4, 4), (6, 6), (4, 4), (0, 4), (0, 0)],
    [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (5, 2), (5, 5), (2, 5), (0, 0)],
    [(0, 0), (4, 0), (4, 4), (0, 0)],
  ])
  func whatHasTwoReadingsIsNotSplit(ring: [(Double, Double)]) {
    #expect(Geometry(rings: [ring]).splitWhereRingsTouch(edges: .planar) == nil)
  }

  @Test(arguments: [3301, 3302] as [UInt64])
  func theAreaIsThatOfARepair(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var count = 0
    for _ in 0..<Soak.count(6000, long: 60_000) {
      let ring = (0..<random.int(6...9)).map { _ in
        (Double(random.int(0...5)), Double(random.int(0...5)))
      }
      let geometry = Geometry(rings: [ring + [ring[0]]])
      guard let split = geometry.splitWhereRingsTouch(edges: .planar) else { continue }
      count += 1
      let rings = split.polygonRings.joined()
      let vertices = Set(rings.joined().map { "\($0.x) \($0.y)" })
      #expect(vertices.isSubset(of: ring.map { "\($0.0) \($0.1)" }), "\(ring) seed \(seed)")
      let polygon = try GEOSPolygon(
        [PlaneRing(xs: ring.map(\.0) + [ring[0].0], ys: ring.map(\.1) + [ring[0].1])],
        in: GEOSContext())
      let repaired = Geometry(
        polygons: try polygon.madeValidByLayers(GEOSOverlayLibrary.shared()).map { rings in
          rings.map { Array(zip($0.xs, $0.ys)) }
        })
      #expect(abs(split.planarArea - repaired.planarArea) < 1e-9, "\(ring) seed \(seed)")
      for _ in 0..<10 {
        let (x, y) = (random.double(0...5), random.double(0...5))
        #expect(
          split.planarContains(x, y) == repaired.planarContains(x, y), "\(ring) seed \(seed)")
      }
    }
    #expect(count > 50)
  }
}
