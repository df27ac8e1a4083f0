import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

#if arch(x86_64)
private typealias Wide = Float80
#else
private typealias Wide = Double
#endif

/// Distances between edges in extended precision, by angles between planes.
private enum WideOracle {
  typealias Direction = SIMD4<Double>

  struct Point {
    let x: Wide
    let y: Wide
    let z: Wide

    init(_ x: Wide, _ y: Wide, _ z: Wide) { (self.x, self.y, self.z) = (x, y, z) }

    init(_ view: GeometryView, _ index: Int) {
      let (lambda, phi) = (
        Wide(view.longitude(index)) * .pi / 180, Wide(view.latitude(index)) * .pi / 180
      )
      let flat = WideOracle.cosine(phi)
      self.init(
        flat * WideOracle.cosine(lambda), flat * WideOracle.sine(lambda), WideOracle.sine(phi))
    }

    func dot(_ other: Point) -> Wide { x * other.x + y * other.y + z * other.z }
    func cross(_ other: Point) -> Point {
      Point(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
    var length: Wide { dot(self).squareRoot() }
  }

  /// The sine by its series around the nearest half turn.
  static func sine(_ angle: Wide) -> Wide {
    let turns = (angle / .pi).rounded()
    let rest = angle - turns * .pi
    var (sum, term) = (rest, rest)
    for n in 1...16 {
      term *= -rest * rest / Wide(2 * n * (2 * n + 1))
      sum += term
    }
    return turns.truncatingRemainder(dividingBy: 2) == 0 ? sum : -sum
  }

  static func cosine(_ angle: Wide) -> Wide { sine(.pi / 2 - abs(angle)) }

  static func angle(_ one: Point, _ other: Point) -> Double {
    atan2(Double(one.cross(other).length), Double(one.dot(other)))
  }

  static func angle(_ point: Point, _ start: Point, _ end: Point) -> Double {
    let normal = start.cross(end)
    let nearest = min(angle(point, start), angle(point, end))
    guard normal.length > 0, normal.cross(start).dot(point) > 0, end.cross(normal).dot(point) > 0
    else { return nearest }
    return min(nearest, asin(Double(abs(normal.dot(point)) / normal.length)))
  }

  static func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    let (one, other) = (a.cross(b), c.cross(d))
    let line = one.cross(other)
    return [line, Point(-line.x, -line.y, -line.z)].contains { point in
      one.cross(a).dot(point) > 0 && b.cross(one).dot(point) > 0
        && other.cross(c).dot(point) > 0 && d.cross(other).dot(point) > 0
    }
  }

  static func distance(_ one: GeometryView, _ other: GeometryView) -> Double {
    func edges(_ view: GeometryView) -> [(Point, Point)] {
      Geometry.boundaries(view).flatMap { part -> [(Point, Point)] in
        guard case .line(let range) = part else { return [] }
        let points = range.map { Point(view, $0) }
        return points.count == 1
          ? [(points[0], points[0])] : Array(zip(points, points.dropFirst()))
      }
    }
    let (left, right) = (edges(one), edges(other))
    var best = Double.infinity
    for (a, b) in left {
      for (c, d) in right {
        if crosses(a, b, c, d) { return 0 }
        best = min(best, angle(a, c, d), angle(b, c, d), angle(c, a, b), angle(d, a, b))
      }
    }
    return best
  }
}

@Suite struct GeodesicDistanceTests {
  private func geometry(
    _ center: GeoPoint, _ size: Double, _ random: inout SplitMix64
  ) -> Geometry {
    let ring = random.geodesicRing(about: center, radius: size, count: random.int(3...40))
    switch random.int(0...4) {
    case 0: return .points([center])
    case 1: return .lines([Array(ring.dropLast())])
    case 2:
      return .points(Array(ring.prefix(3)))
    default: return .polygons([[ring]])
    }
  }

  @Test func distancesAsInExtendedPrecision() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(100, long: 250) {
      let center = random.location()
      let size = random.pick([1e-6, 1e-4, 0.01, 0.3])
      let one = geometry(center, size, &random)
      let place = center.location(bearing: random.double(0...6), angle: size * random.double(0...4))
      let other = geometry(place, size * random.pick([0.1, 1]), &random)
      let origin = try PreparedOrigin(.geometry(one, edges: .geodesic))
      let isInside =
        try other.withView { try GeodesicMatcher(one).holds(.intersects, $0) }
      let expected = one.withView { left in other.withView { WideOracle.distance(left, $0) } }
      let found = one.withView { left in other.withView { SphericalDistance.between(left, $0) } }
      let prepared = other.withView { origin.distance(to: $0) }
      let note = "seed \(seed) round \(round) \(one.text) \(other.text)"
      let tolerance = max(1e-13, expected * 1e-10)
      for value in [found, prepared] {
        #expect(abs(value - (isInside ? 0 : expected)) <= tolerance, "\(note) \(value) \(expected)")
      }
      #expect((found <= 1e-14) == isInside, "\(note)")
      let limited = other.withView { origin.distance(to: $0, upTo: found * 0.999) }
      #expect(limited == (found > 1e-13 ? .infinity : limited), "\(note)")
      #expect(other.withView { origin.distance(to: $0, upTo: prepared) } == prepared, "\(note)")
      let bounds = other.withView { $0.sampleBounds }
      #expect(origin.lowerBound(to: bounds) <= found * (1 + 1e-9) + 1e-12, "\(note)")
      #expect(origin.bounds(within: found + 1e-9).intersects(bounds), "\(note)")
    }
  }

  @Test func treesAsPairsOfEdges() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    for round in 0..<4 {
      let center = random.location()
      let one = Geometry.polygons([
        [random.geodesicRing(about: center, radius: 0.2, count: 150)]
      ])
      let place = center.location(bearing: random.double(0...6), angle: random.double(0.1...0.6))
      let other = Geometry.points(
        (0..<200).map { _ in
          place.location(bearing: random.double(0...6), angle: random.double(0...0.1))
        })
      let origin = try PreparedOrigin(.geometry(one, edges: .geodesic))
      let matcher = try GeodesicMatcher(one)
      let isInside = other.withView { matcher.holds(.intersects, $0) }
      let expected =
        isInside ? 0 : one.withView { left in other.withView { WideOracle.distance(left, $0) } }
      let note = "seed \(seed) round \(round)"
      #expect(abs(other.withView { origin.distance(to: $0) } - expected) < 1e-13, "\(note)")
      let distance = try #require(one.distance(to: other))
      #expect(abs(distance.radians - expected) < 1e-13, "\(note)")
    }
  }

  // Round 18 of the second seed has a line that enters a box through a parallel.
  @Test(arguments: [20_261_122, 13_989_679_016_671_770_851] as [UInt64])
  func boxesAndCircles(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<Soak.count(40, long: 60) {
      let (west, south) = (random.double(-180...180), random.double(-80...60))
      let (width, height) = (random.double(0.1...60), random.double(0.1...20))
      let corner = try #require(GeoPoint(latitude: south, longitude: west))
      let top = try #require(
        GeoPoint(latitude: south + height, longitude: wrapped(west + width)))
      let origin = try PreparedOrigin(.box(GeoBox(bottomLeft: corner, topRight: top)))
      let place = random.location()
      let other = Geometry.lines([
        random.geodesicRing(about: place, radius: random.double(0.001...0.5), count: 4)
      ])
      // The box's boundary and interior in steps of half a degree at most.
      let rows = (0...Int(height * 2) + 1).map {
        south + height * Double($0) / Double(Int(height * 2) + 1)
      }
      let columns = (0...Int(width * 2) + 1).map {
        west + width * Double($0) / Double(Int(width * 2) + 1)
      }
      var samples: [GeoPoint] = []
      for row in rows {
        for column in columns {
          if let point = GeoPoint(latitude: min(90, row), longitude: wrapped(column)) {
            samples.append(point)
          }
        }
      }
      let sampled = try #require(Geometry.points(samples).distance(to: other)).radians
      let found = other.withView { origin.distance(to: $0) }
      // Positions of the box are at most 0.36 degrees, or 0.0063 radians, from a sample.
      #expect(found <= sampled + 1e-12 && found >= sampled - 0.01, "seed \(seed) round \(round)")
      let disc = try #require(GeoCircle(center: place, radiusInRadians: 0.1))
      let circle = try PreparedOrigin(.circle(disc))
      let point = random.location()
      let angle = max(0, place.distance(to: point).radians - 0.1)
      let own = circle.distance(longitude: point.longitude, latitude: point.latitude)
      #expect(abs(own - angle) < 1e-12, "seed \(seed) round \(round)")
    }
  }

  @Test func emptyGeometriesHaveNoDistance() throws {
    let point = Geometry.points([.origin])
    #expect(point.distance(to: .points([])) == nil)
    #expect(Geometry.points([]).distance(to: point) == nil)
    let origin = try PreparedOrigin(.geometry(.points([]), edges: .geodesic))
    #expect(point.withView { origin.distance(to: $0) } == .infinity)
    let matcher = try GeodesicMatcher(Geometry.points([]))
    for relation in SpatialRelation.allCases {
      #expect(!point.withView { matcher.holds(relation, $0) })
    }
  }
}
