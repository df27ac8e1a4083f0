import CairnTestSupport
import Testing

@testable import CairnGeometry

extension PlanarOracle {
  init(_ view: GeometryView) {
    self.init()
    func points(_ range: Range<Int>) -> [Point] {
      range.map { Point(view.longitude($0), view.latitude($0)) }
    }
    for part in view.parts {
      switch part {
      case .point(let index): chains.append(points(index..<index + 1))
      case .line(let range): chains.append(points(range))
      case .polygon(let rings):
        polygons.append(rings.filter { !$0.isEmpty }.map(points))
        chains += polygons[polygons.count - 1]
      }
    }
  }
}

/// Distances in the plane, compared with every pair of edges.
@Suite struct PlanarDistanceTests {
  /// A ring around a position, with radii between a half and one.
  private func ring(
    _ x: Double, _ y: Double, radius: Double, count: Int, _ random: inout SplitMix64
  ) -> String {
    var points = (0..<count).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      let way = radius * random.double(0.5...1)
      return "\(x + way * cosine(angle)) \(y + way * sine(angle))"
    }
    points.append(points[0])
    return "(" + points.joined(separator: ", ") + ")"
  }

  private func geometry(_ x: Double, _ y: Double, _ random: inout SplitMix64) throws -> Geometry {
    let radius = random.pick([0.01, 1, 5])
    let count = random.pick([3, 7, 40, 150])
    let outer = ring(x, y, radius: radius, count: count, &random)
    let text =
      switch random.int(0...5) {
      case 0: "POINT (\(x) \(y))"
      case 1: "LINESTRING " + outer
      case 2: "MULTIPOINT (\(x) \(y), \(x + radius) \(y), \(x) \(y - radius))"
      case 3: "POLYGON (\(outer), \(ring(x, y, radius: radius / 5, count: 4, &random)))"
      case 4: "GEOMETRYCOLLECTION (POINT (\(x + 9) \(y)), POLYGON (\(outer)))"
      default: "POLYGON (\(outer))"
      }
    return try Geometry(wkt: text)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>) func asEveryPairOfEdges(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(60, long: 250) {
      let (x, y) = (random.double(-150...150), random.double(-60...60))
      let one = try geometry(x, y, &random)
      let other = try geometry(
        x + random.double(-7...7), y + random.double(-7...7), &random)
      let note: Comment = "seed \(seed) round \(round) \(one.wkt) \(other.wkt)"
      try one.withView { view in
        try other.withView { otherView in
          let expected = PlanarOracle(view).distance(to: PlanarOracle(otherView))
          let found = PlanarDistance.between(view, otherView)
          #expect(abs(found - expected) <= 1e-12 * (1 + expected), note)
          #expect(abs(PlanarDistance.between(otherView, view) - found) <= 1e-13, note)
          #expect(PlanarRelation.holds(.intersects, view, to: otherView) == (found == 0), note)
          let origin = try PreparedOrigin(.geometry(one, edges: .geodesic), edges: .planar)
          let radians = origin.distance(to: otherView)
          #expect(abs(radians.inDegrees - expected) <= 1e-12 * (1 + expected), note)
          #expect(origin.distance(to: otherView, upTo: radians) == radians, note)
          let limited = origin.distance(to: otherView, upTo: radians * 0.999)
          #expect(limited == (radians > 0 ? .infinity : 0), note)
          let bounds = try #require(otherView.bounds)
          #expect(origin.lowerBound(to: bounds) <= radians, note)
          #expect(origin.bounds(within: radians).intersects(bounds), note)
        }
      }
    }
  }

  @Test func boundariesHaveNoDistance() throws {
    let square = try Geometry(wkt: "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))")
    for (x, y, expected) in [
      (0.0, 0.0, 0.0), (1.5, 3, 0), (1, 1.5, 0), (0.5, 0.5, 0), (1.5, 1.5, 0.5),
      (4, 4, 2.0.squareRoot()), (-2, 1, 2), (1.25, 1.5, 0.25), (3, -4, 4),
    ] {
      let found = square.withView {
        PlanarDistance.between(longitude: x, latitude: y, $0)
      }
      #expect(found == expected, "\(x) \(y)")
    }
  }

  @Test func boxesAndCircles() throws {
    let low = try #require(GeoPoint(latitude: -10, longitude: -20))
    let high = try #require(GeoPoint(latitude: 10, longitude: 20))
    let box = try PreparedOrigin(.box(GeoBox(bottomLeft: low, topRight: high)), edges: .planar)
    #expect(abs(box.distance(longitude: 23, latitude: 14).inDegrees - 5) < 1e-14)
    #expect(box.distance(longitude: 20, latitude: 10) == 0)
    let circle = try #require(GeoCircle(center: low, radiusInRadians: 0.1))
    #expect(throws: GeometryError.self) { try PreparedOrigin(.circle(circle), edges: .planar) }
    let empty = try Geometry(wkt: "POLYGON EMPTY")
    let nothing = try PreparedOrigin(.geometry(empty, edges: .planar), edges: .planar)
    #expect(nothing.distance(longitude: 1, latitude: 2) == .infinity)
  }
}
