import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Circles, poles, the antimeridian, and rectangles.
@Suite struct GeodesicShapeTests {
  private static func point(_ longitude: Double, _ latitude: Double) -> GeoPoint {
    GeoPoint(latitude: latitude, longitude: longitude) ?? .origin
  }

  private static func ring(_ pairs: [(Double, Double)]) -> [GeoPoint] {
    (pairs + pairs.prefix(1)).map { point($0.0, $0.1) }
  }

  private func holds(
    _ relation: SpatialRelation, _ geometry: Geometry, _ shape: Geometry
  ) throws -> Bool {
    let matcher = try GeodesicMatcher(shape)
    return geometry.withView { matcher.holds(relation, $0) }
  }

  @Test func bothWritingsOfTheAntimeridianAreOnePlace() throws {
    let east = Geometry.polygons([[Self.ring([(170, 0), (180, 0), (180, 10), (170, 10)])]])
    let west = Geometry.polygons([[Self.ring([(-180, 0), (-170, 0), (-170, 10), (-180, 10)])]])
    let both = Geometry.polygons([[Self.ring([(175, 2), (-175, 2), (-175, 8), (175, 8)])]])
    #expect(try holds(.intersects, east, west))
    #expect(try holds(.intersects, .points([Self.point(-180, 5)]), east))
    #expect(try holds(.within, .points([Self.point(180, 5)]), both))
    #expect(try holds(.intersects, both, west))
    #expect(try !holds(.within, both, west))
    let union = Geometry.polygons([
      [Self.ring([(170, 0), (180, 0), (180, 10), (170, 10)])],
      [Self.ring([(-180, 0), (-170, 0), (-170, 10), (-180, 10)])],
    ])
    #expect(try holds(.within, both, union))
    #expect(try holds(.contains, union, both))
    let matcher = try GeodesicMatcher(Geometry.points([Self.point(180, 5)]))
    #expect(matcher.bounds.west == -180)
  }

  @Test func shapesAroundAPole() throws {
    let cap = Geometry.polygons([[Self.ring((0..<8).map { (Double($0) * 45 - 180, 70) })]])
    let pole = Geometry.points([Self.point(33, 90)])
    #expect(try holds(.within, pole, cap))
    #expect(try holds(.within, .lines([[Self.point(10, 80), Self.point(-170, 80)]]), cap))
    #expect(try holds(.disjoint, .points([Self.point(0, -90)]), cap))
    // Two shapes that only share the pole, with different longitudes.
    let one = Geometry.polygons([[Self.ring([(0, 90), (0, 80), (10, 80)])]])
    let other = Geometry.polygons([[Self.ring([(90, 90), (90, 80), (100, 80)])]])
    #expect(try holds(.intersects, one, other))
    #expect(one.distance(to: other) == Distance.radians(0))
    // A ring through the south pole, as maps draw Antarctica.
    let south = Geometry.polygons([
      [
        Self.ring([
          (-180, -90), (-180, -70), (-90, -70), (0, -70), (90, -70), (180, -70), (180, -90),
        ])
      ]
    ])
    #expect(try holds(.within, .points([Self.point(45, -88)]), south))
    #expect(try holds(.within, .lines([[Self.point(45, -80), Self.point(-135, -80)]]), south))
    #expect(try holds(.disjoint, .points([Self.point(45, -60)]), south))
  }

  @Test func wideShapesHaveTheSmallerSideInside() throws {
    // The band of more than half the earth around the equator is outside of its ring.
    let pairs = [-179.0, -120, -60, 0, 60, 120, 179].map { ($0, -80.0) }
    let back = [179.0, 120, 60, 0, -60, -120, -179].map { ($0, 80.0) }
    let ring = Geometry.polygons([[Self.ring(pairs + back)]])
    let part = Geometry.points([Self.point(0, 90)])
    ring.withView { view in
      SphericalGeometry.with(view) { geometry in
        #expect(geometry.polygonsContain(Vector(longitude: 0, latitude: 90)))
        #expect(geometry.polygonsContain(Vector(longitude: 0, latitude: -90)))
        #expect(geometry.polygonsContain(Vector(longitude: 180, latitude: 0)))
        #expect(!geometry.polygonsContain(Vector(longitude: 20, latitude: 10)))
      }
    }
    #expect(try holds(.within, part, ring))
    #expect(try holds(.disjoint, .points([Self.point(20, 10)]), ring))
  }

  @Test func circlesAsTheirDistances() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    var counts = [0, 0, 0]
    for round in 0..<400 {
      let center = random.location()
      let size = random.double(0.001...1.2)
      let geometry = Geometry.polygons([
        [random.geodesicRing(about: center, radius: size, count: random.int(3...12))]
      ])
      let middle = center.location(
        bearing: random.double(0...6), angle: random.pick([0.1, 1, 2]) * size)
      let circle = try #require(
        GeoCircle(
          center: middle, radiusInRadians: min(3.1, random.pick([0.1, 1, 3]) * size)))
      let matcher = GeodesicMatcher(circle)
      let (least, greatest, isInside) = Self.extremes(geometry, from: Vector(middle))
      let radius = circle.radiusInRadians
      let distances = [abs(least - radius), abs(greatest - radius)]
      guard distances.allSatisfy({ $0 > 1e-3 }) else { continue }
      let expected: [SpatialRelation: Bool] = [
        .intersects: isInside || least <= radius, .disjoint: !isInside && least > radius,
        .within: greatest <= radius, .contains: isInside && least >= radius,
      ]
      for (relation, answer) in expected {
        let found = geometry.withView { matcher.holds(relation, $0) }
        #expect(
          found == answer, "seed \(seed) round \(round) \(relation) \(circle) \(geometry.text)")
      }
      if expected[.within] == true { counts[0] += 1 }
      if expected[.contains] == true { counts[1] += 1 }
      if expected[.intersects] == true { counts[2] += 1 }
      let bounds = geometry.withView { $0.sampleBounds }
      if matcher.classify(bounds) == .disjoint { #expect(expected[.disjoint] == true) }
      if matcher.classify(bounds) == .contained { #expect(expected[.within] == true) }
    }
    #expect(counts.allSatisfy { $0 > 5 }, "seed \(seed): \(counts)")
  }

  /// The least and the greatest angle to the boundary of a polygon, by sampling, and whether the
  /// polygon contains the position. The farthest position of a polygon that does not contain the
  /// opposite one is on its boundary.
  private static func extremes(
    _ geometry: Geometry, from point: Vector
  ) -> (least: Double, greatest: Double, isInside: Bool) {
    geometry.withView { view in
      SphericalGeometry.with(view) { sphere in
        var (least, greatest) = (Double.pi, 0.0)
        for index in 0..<sphere.count where sphere.roles[index] == .start {
          for step in 0...200 {
            let share = Double(step) / 200
            let position =
              (sphere.vectors[index] * (1 - share) + sphere.vectors[index + 1] * share).unit
            let angle = arcTangent(point.cross(position).length, x: point.dot(position))
            (least, greatest) = (min(least, angle), max(greatest, angle))
          }
        }
        if sphere.polygonsContain(point * -1) { greatest = .pi }
        return (least, greatest, sphere.polygonsContain(point))
      }
    }
  }

  @Test func rectanglesAsTheirContent() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    var counts: [Containment: Int] = [:]
    for round in 0..<Soak.count(75, long: 150) {
      let center = random.location()
      let size = random.double(0.01...0.5)
      let ring = random.geodesicRing(about: center, radius: size, count: random.int(3...20))
      let shape = random.chance(0.6) ? Geometry.polygons([[ring]]) : .lines([ring])
      let matcher = try GeodesicMatcher(shape)
      for _ in 0..<20 {
        let place = center.location(
          bearing: random.double(0...6), angle: size * random.double(0...2))
        let content = Geometry.lines([
          random.geodesicRing(about: place, radius: size * random.pick([0.01, 0.3]), count: 4)
        ])
        let bounds = content.withView { $0.sampleBounds }
        let answer = matcher.classify(bounds)
        counts[answer, default: 0] += 1
        let (touches, isWithin) = content.withView {
          (matcher.holds(.intersects, $0), matcher.holds(.within, $0))
        }
        func note() -> String { "seed \(seed) round \(round) \(content.text) \(shape.text)" }
        if answer == .disjoint { #expect(!touches, "\(note())") }
        if answer == .contained { #expect(isWithin, "\(note())") }
        #expect(!isWithin || touches, "\(note())")
        if touches { #expect(matcher.bounds.intersects(bounds), "\(note())") }
      }
    }
    #expect(counts.count == 3, "seed \(seed): \(counts)")
  }
}

extension GeometryView {
  /// A rectangle around the geometry, found by sampling; the world if it is wide.
  var sampleBounds: Envelope {
    var (west, south, east, north) = (180.0, 90.0, -180.0, -90.0)
    for part in Geometry.boundaries(self) {
      guard case .line(let range) = part else { continue }
      for index in range {
        let next = min(index + 1, range.upperBound - 1)
        let (one, other) = (Vector(self, index: index), Vector(self, index: next))
        for step in 0...50 {
          let share = Double(step) / 50
          guard let point = (one * (1 - share) + other * share).unit.location else { continue }
          (west, east) = (min(west, point.longitude), max(east, point.longitude))
          (south, north) = (min(south, point.latitude), max(north, point.latitude))
        }
      }
    }
    if east - west > 150 { return .world }
    return Envelope(
      west: max(-180, west - 0.1), south: max(-90, south - 0.1), east: min(180, east + 0.1),
      north: min(90, north + 0.1))
  }
}

extension Geometry {
  /// The lines of a geometry, and its points and the rings of its polygons as lines.
  static func boundaries(_ view: GeometryView) -> [GeometryView.Part] {
    view.parts.flatMap { part -> [GeometryView.Part] in
      switch part {
      case .point(let index): return [.line(index..<index + 1)]
      case .line: return [part]
      case .polygon(let rings): return rings.map { .line($0) }
      }
    }
  }
}
