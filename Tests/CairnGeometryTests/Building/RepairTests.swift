import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Repairs of random rings, compared with `GEOSMakeValid` and the even-odd rule.
@Suite(.tags(.untrusted)) struct RepairTests {
  /// Small integers, so that edges overlap and vertices coincide.
  @Test(arguments: [3101, 3102, 3103] as [UInt64])
  func agreesWithMakeValidOnAGrid(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(120, long: 400) {
      let width = random.int(3...12)
      var rings = [Self.tangle(random.int(3...14)) { Double(random.int(0...width)) }]
      for _ in 0..<random.int(0...2) {
        rings.append(Self.tangle(random.int(3...6)) { Double(random.int(0...width)) })
      }
      try agrees(rings, &random, within: Double(width), seed)
    }
  }

  @Test(arguments: [3111, 3112] as [UInt64])
  func agreesWithMakeValidOnCrossings(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(20, long: 40) {
      var rings = [Self.tangle(random.int(3...40)) { random.double(0...10) }]
      for _ in 0..<random.int(0...2) {
        rings.append(Self.tangle(random.int(3...9)) { random.double(0...10) })
      }
      try agrees(rings, &random, within: 10, seed)
    }
  }

  private func agrees(
    _ rings: [PlaneRing], _ random: inout SplitMix64, within width: Double, _ seed: UInt64
  ) throws {
    let polygon = try GEOSPolygon(rings, in: GEOSContext())
    let made = try polygon.madeValid()
    let expected = try polygon.madeValidByLayers(GEOSOverlayLibrary.shared())
    #expect(made.count == expected.count, "\(rings) seed \(seed)")
    #expect(
      abs(Self.area(made) - Self.area(expected)) <= 1e-9 * width * width, "\(rings) seed \(seed)")
    for _ in 0..<50 {
      let point = PlanePoint(x: random.double(0...width), y: random.double(0...width))
      #expect(
        Self.isOdd(made, point) == Self.isOdd(expected, point), "\(point) \(rings) seed \(seed)")
    }
  }

  /// Many layers of faces: GEOS's own repair takes some ten seconds for the ring of a soak run.
  @Test func aTangleBecomesItsEvenOddArea() throws {
    var random = SplitMix64(seed: 3121)
    let ring = Self.tangle(Soak.count(120, long: 200)) { random.double(-20...20) }
    for edges in [GeoPolygon.Edges.planar, .geodesic] {
      var draft = PolygonBuilder(rings: [ring])
      let polygons = try draft.polygons(edges: edges, allowing: .repairing)
      let polygon = try GeoPolygon(polygons: polygons, edges: edges)
      try polygon.validate()
      #expect(polygons.count > Soak.count(450, long: 1500) && draft.changes.count == 1)
      let locations = [PolygonBuilder.locations(ring)]
      let image =
        edges == .planar
        ? PlaneImage(planar: locations) : try PlaneImage(gnomonic: locations, polygon: 0)
      try expect(polygon, toFill: image.rings, of: [ring], &random, seed: 3121, points: 500)
    }
  }

  /// Vertices on other edges, as near as rounding allows. Repairs of these left triangles of 1e-15
  /// degrees.
  @Test(arguments: [3131, 3132, 3133] as [UInt64])
  func noSliverIsLeft(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var repaired = 0
    for _ in 0..<150 {
      let size = random.double(0.001...20)
      let middle = (x: random.double(-150...150), y: random.double(-60...60))
      var corners = (0..<random.int(3...6)).map { _ in
        PlanePoint(
          x: middle.x + size * random.double(-1...1), y: middle.y + size * random.double(-1...1))
      }
      for _ in 0..<random.int(1...3) {
        corners.insert(
          try #require(Self.pointOnEdge(corners, &random)), at: random.int(0...corners.count))
      }
      let ring = Self.closed(corners)
      var draft = PolygonBuilder(rings: [ring])
      guard let polygons = try? draft.polygons(edges: .geodesic, allowing: .repairing) else {
        continue
      }
      let polygon = try GeoPolygon(polygons: polygons, edges: .geodesic)
      #expect(throws: Never.self, "\(ring) seed \(seed)") { try polygon.validate() }
      for vertex in polygons.joined().joined() {
        #expect(
          polygon.region.contains(longitude: vertex.longitude, latitude: vertex.latitude),
          "\(vertex) of \(ring) seed \(seed)")
      }
      // The even-odd rule, except where rounding moves one edge onto another.
      let image = try PlaneImage(gnomonic: [PolygonBuilder.locations(ring)], polygon: 0)
      let layers = try GEOSPolygon(image.rings, in: GEOSContext())
        .madeValidByLayers(GEOSOverlayLibrary.shared())
      try expect(
        polygon, toFill: layers.flatMap { $0 }, of: [ring], &random, seed: seed, points: 50)
      if !draft.changes.isEmpty { repaired += 1 }
    }
    #expect(repaired > 50)
  }

  @Test func aSliverIsRejected() throws {
    let ring = PlaneRing(xs: [0, 10, 10, 0, 0], ys: [0, 0, 1e-14, -1e-14, 0])
    var draft = PolygonBuilder(rings: [ring])
    let error = try #require(throws: GeometryError.self) {
      try draft.polygons(edges: .geodesic, allowing: .repairing)
    }
    #expect(error.kind == .selfIntersection)
  }

  // MARK: Shapes

  private static func tangle(_ count: Int, _ coordinate: () -> Double) -> PlaneRing {
    closed((0..<count).map { _ in PlanePoint(x: coordinate(), y: coordinate()) })
  }

  private static func closed(_ corners: [PlanePoint]) -> PlaneRing {
    let all = corners + corners.prefix(1)
    return PlaneRing(xs: all.map(\.x), ys: all.map(\.y))
  }

  /// A location on the great circle through two neighbouring corners.
  private static func pointOnEdge(
    _ corners: [PlanePoint], _ random: inout SplitMix64
  ) -> PlanePoint? {
    let index = random.int(0...corners.count - 1)
    let (one, other) = (corners[index], corners[(index + 1) % corners.count])
    let share = random.double(0.1...0.9)
    let direction =
      Vector(longitude: one.x, latitude: one.y) * (1 - share)
      + Vector(longitude: other.x, latitude: other.y) * share
    return direction.unit.location.map { PlanePoint(x: $0.longitude, y: $0.latitude) }
  }

  // MARK: Oracles

  /// The area of polygons without their holes.
  private static func area(_ polygons: [[PlaneRing]]) -> Double {
    var sum = 0.0
    for rings in polygons {
      for (number, ring) in rings.enumerated() { sum += number == 0 ? area(ring) : -area(ring) }
    }
    return sum
  }

  private static func area(_ ring: PlaneRing) -> Double {
    var twice = 0.0
    for index in 1..<max(1, ring.count) {
      twice += ring.xs[index - 1] * ring.ys[index] - ring.xs[index] * ring.ys[index - 1]
    }
    return abs(twice) / 2
  }

  /// Whether a ray from the point to the east crosses the rings an odd number of times in all.
  private static func isOdd(_ polygons: [[PlaneRing]], _ point: PlanePoint) -> Bool {
    var isOdd = false
    for ring in polygons.joined() {
      for index in 1..<max(1, ring.count) {
        let (a, b) = (ring.ys[index - 1], ring.ys[index])
        guard (a > point.y) != (b > point.y) else { continue }
        let x =
          ring.xs[index - 1] + (ring.xs[index] - ring.xs[index - 1]) * (point.y - a) / (b - a)
        if x > point.x { isOdd.toggle() }
      }
    }
    return isOdd
  }

  /// Tests locations all over the original rings, compared with rings in the plane where edges are
  /// straight.
  ///
  /// Locations near an edge are left out.
  private func expect(
    _ polygon: GeoPolygon, toFill rings: [PlaneRing], of written: [PlaneRing],
    _ random: inout SplitMix64, seed: UInt64, points: Int
  ) throws {
    let outline = written.map(PolygonBuilder.locations).joined()
    let plane = try #require(Gnomonic(about: outline.map(Vector.init(_:))))
    let xs = written.flatMap(\.xs).sorted()
    let ys = written.flatMap(\.ys).sorted()
    for _ in 0..<points {
      let x = random.double(xs[0]...xs[xs.count - 1])
      let y = random.double(ys[0]...ys[ys.count - 1])
      let vector = Vector(longitude: x, latitude: y)
      let projected = polygon.edges == .planar ? (x: x, y: y) : plane.project(vector)
      guard let projected else { continue }
      let point = PlanePoint(x: projected.x, y: projected.y)
      guard Self.distance(rings, point) > 1e-9 else { continue }
      #expect(
        polygon.region.contains(longitude: x, latitude: y) == Self.isOdd([rings], point),
        "longitude \(x), latitude \(y) of \(written) seed \(seed)")
    }
  }

  /// The distance of a point from the nearest edge.
  private static func distance(_ rings: [PlaneRing], _ point: PlanePoint) -> Double {
    var least = Double.infinity
    for ring in rings {
      for index in 1..<max(1, ring.count) {
        let (ax, ay) = (ring.xs[index - 1], ring.ys[index - 1])
        let (dx, dy) = (ring.xs[index] - ax, ring.ys[index] - ay)
        let square = dx * dx + dy * dy
        let along = ((point.x - ax) * dx + (point.y - ay) * dy) / (square > 0 ? square : 1)
        let share = max(0, min(1, along))
        let (x, y) = (ax + share * dx - point.x, ay + share * dy - point.y)
        least = min(least, (x * x + y * y).squareRoot())
      }
    }
    return least
  }
}
