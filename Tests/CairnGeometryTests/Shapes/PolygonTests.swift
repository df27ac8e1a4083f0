import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct PolygonTests {
  static let outer: [(Double, Double)] = [
    (48.0, -122.8), (48.2, -121.8), (47.6, -121.6), (47.0, -122.0), (47.2, -122.6), (48.0, -122.8),
  ]
  static let hole: [(Double, Double)] = [
    (47.8, -122.6), (47.7, -122.2), (47.4, -122.6), (47.6, -122.5), (47.8, -122.6),
  ]
  static let hole2: [(Double, Double)] = [
    (47.55, -122.05), (47.55, -121.9), (47.3, -122.1), (47.55, -122.05),
  ]

  @Test func spellingsOfTheReference() throws {
    let basic = try #require(GeoPolygon(outerRing: Self.outer))
    let variadic = try #require(GeoPolygon(outerRing: Self.outer, holes: Self.hole, Self.hole2))
    let array = try #require(GeoPolygon(outerRing: Self.outer, holes: [Self.hole, Self.hole2]))
    let points = Self.outer.compactMap { GeoPoint($0) }
    let made = try #require(GeoPolygon(outerRing: points))
    #expect(basic == made)
    #expect(variadic == array)
    #expect(variadic.hashValue == array.hashValue)
    #expect(array.holes.count == 2)
    #expect(basic != array)
    #expect(basic.edges == .geodesic)
    #expect(GeoPolygon(outerRing: Self.outer, edges: .planar) != basic)
  }

  @Test func returnsNilWhereTheReferenceDoes() {
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (1, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 181), (1, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: Self.outer, holes: [(0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: Self.outer, holes: [[]]) == nil)
    #expect(GeoPolygon(outerRing: [GeoPoint]()) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (1, 1), (2, 2), (0, 0)]) != nil)
  }

  @Test(arguments: [GeoPolygon.Edges.planar, .geodesic])
  func companiesOfTheReference(edges: GeoPolygon.Edges) throws {
    let one = try #require(GeoPolygon(outerRing: Self.outer, edges: edges)).region
    let two = try #require(GeoPolygon(outerRing: Self.outer, holes: [Self.hole], edges: edges))
      .region
    #expect(one.contains(longitude: -122.35, latitude: 47.68))
    #expect(one.contains(longitude: -121.85, latitude: 47.9))
    #expect(!two.contains(longitude: -122.35, latitude: 47.68))
    #expect(two.contains(longitude: -121.85, latitude: 47.9))
  }

  @Test func boundariesAreInside() throws {
    let square: [(Double, Double)] = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    let hole: [(Double, Double)] = [(2, 2), (2, 4), (4, 4), (4, 2), (2, 2)]
    let region = try #require(GeoPolygon(outerRing: square, holes: [hole], edges: .planar)).region
    for (x, y) in [
      (0.0, 0.0), (10, 10), (5, 0), (5, 10), (0, 5), (10, 5), (0, 10), (2, 2), (3, 4), (4, 3),
    ] {
      #expect(region.contains(longitude: x, latitude: y), "\(x) \(y)")
    }
    for (x, y) in [(3.0, 3.0), (-1, 0), (11, 10), (5, -1e-9), (5, 10.0000001), (10.0000001, 10)] {
      #expect(!region.contains(longitude: x, latitude: y), "\(x) \(y)")
    }
  }

  @Test func severalPolygonsFormAUnion() throws {
    func square(_ low: Double, _ high: Double) -> [GeoPoint] {
      [(low, low), (low, high), (high, high), (high, low), (low, low)].compactMap {
        GeoPoint(($0.0, $0.1))
      }
    }
    let overlapping = try GeoPolygon(
      polygons: [[square(0, 10)], [square(5, 15), square(6, 8)], [square(20, 30)]], edges: .planar
    ).region
    for (at, expected) in [(1.0, true), (7, true), (12, true), (16, false), (25, true), (10, true)]
    {
      #expect(overlapping.contains(longitude: at, latitude: at) == expected, "\(at)")
    }
    #expect(overlapping.classify(Envelope(west: 6.5, south: 6.5, east: 7, north: 7)) == .contained)
    let empty = try GeoPolygon(polygons: [], edges: .planar).region
    #expect(empty.classify(.world) == .disjoint)
    #expect(throws: GeometryError.self) {
      try GeoPolygon(polygons: [[Array(square(0, 1).dropLast())]], edges: .planar)
    }
  }

  @Test func preparationIsCached() throws {
    let polygon = try #require(GeoPolygon(outerRing: Self.outer))
    #expect(polygon.region === polygon.region)
  }
}
