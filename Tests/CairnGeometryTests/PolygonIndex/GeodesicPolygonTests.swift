import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct GeodesicPolygonTests {
  @Test(arguments: [71, 72, 73, 74] as [UInt64])
  func agreesWithTheGnomonicView(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(50, long: 100) {
      let (polygon, center, radius) = try randomPolygon(&random)
      let oracle = Oracle.Geodesic(polygon)
      for _ in 0..<60 {
        let near = center.location(
          bearing: random.double(0...6.3), angle: min(3, radius * random.double(0...1.2)))
        let point = random.int(0...3) == 0 ? random.location() : near
        guard let expected = oracle.contains(point) else { continue }
        #expect(
          polygon.region.contains(longitude: point.longitude, latitude: point.latitude)
            == expected, "\(polygon.polygons) \(point) seed \(seed)")
      }
    }
  }

  @Test(arguments: [81, 82, 83] as [UInt64])
  func rectanglesAgreeWithPoints(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(25, long: 80) {
      let (polygon, _, _) = try randomPolygon(&random)
      let vertices = Array(polygon.polygons.joined().joined())
      checkAgreement(
        polygon.region, near: vertices, &random, rounds: 25, "\(polygon.polygons) seed \(seed)")
    }
  }

  @Test func aRingAroundThePole() throws {
    let ring = stride(from: -180.0, through: 180, by: 30).map { (60.0, $0) }
    let cap = try #require(GeoPolygon(outerRing: ring.map { ($0.0, $0.1 == 180 ? -180 : $0.1) }))
      .region
    #expect(cap.contains(longitude: 33, latitude: 90))
    #expect(
      cap.contains(longitude: 180, latitude: 75) && cap.contains(longitude: -180, latitude: 75))
    #expect(!cap.contains(longitude: 15, latitude: 60.1))
    #expect(!cap.contains(longitude: 15, latitude: -89))
    #expect(cap.classify(Envelope(west: -180, south: 80, east: 180, north: 90)) == .contained)
    let south = try #require(GeoPolygon(outerRing: ring.map { (-$0.0, $0.1 == 180 ? -180 : $0.1) }))
      .region
    #expect(south.contains(longitude: 33, latitude: -90))
    #expect(!south.contains(longitude: 33, latitude: 90))
  }

  @Test func throughThePoleAndOverIt() throws {
    let corner = try #require(
      GeoPolygon(outerRing: [(90, 0), (70, 170), (70, -170), (90, 0)])
    ).region
    #expect(corner.contains(longitude: 180, latitude: 80))
    #expect(corner.contains(longitude: -180, latitude: 80))
    #expect(corner.contains(longitude: 0, latitude: 90))
    #expect(!corner.contains(longitude: 0, latitude: 80))
    let foot = try #require(
      GeoPolygon(outerRing: [(-90, 0), (-70, 170), (-70, -170), (-90, 0)])
    ).region
    #expect(foot.contains(longitude: 180, latitude: -80))
    #expect(!foot.contains(longitude: 0, latitude: -80))
    #expect(!foot.contains(longitude: 0, latitude: 80))
    let over = try #require(
      GeoPolygon(outerRing: [(80, 0), (80, 180), (60, 90), (80, 0)])
    ).region
    #expect(over.contains(longitude: 90, latitude: 85))
    #expect(!over.contains(longitude: -90, latitude: 85))
  }

  @Test func overTheAntimeridian() throws {
    let square = try #require(
      GeoPolygon(outerRing: [(-10, 170), (-10, -170), (10, -170), (10, 170), (-10, 170)])
    ).region
    for x in [175.0, 180, -180, -175] { #expect(square.contains(longitude: x, latitude: 0)) }
    for x in [0.0, 169, -169] { #expect(!square.contains(longitude: x, latitude: 0)) }
    let touching = try #require(
      GeoPolygon(outerRing: [(-10, 180), (-10, -170), (10, -170), (10, -180), (-10, 180)])
    ).region
    for x in [180.0, -180, -175] { #expect(touching.contains(longitude: x, latitude: 0)) }
    for x in [179.0, -169, 0] { #expect(!touching.contains(longitude: x, latitude: 0)) }
  }

  /// Two polygons that share an edge never both miss a point on it, and no other point is in both.
  @Test(arguments: [91, 92] as [UInt64])
  func neighboursShareTheirEdge(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(100, long: 300) {
      let middle = random.location()
      guard abs(middle.latitude) < 90 else { continue }
      let bearing = random.double(0...6.3)
      let size = random.double(1e-6...0.8)
      let start = middle.location(bearing: bearing, angle: size)
      let end = middle.location(bearing: bearing + .pi, angle: size)
      let left = middle.location(bearing: bearing + .pi / 2, angle: size)
      let right = middle.location(bearing: bearing - .pi / 2, angle: size)
      let one = try #require(GeoPolygon(outerRing: [start, end, left, start])).region
      let other = try #require(GeoPolygon(outerRing: [end, start, right, end])).region
      for _ in 0..<20 {
        let point = middle.location(bearing: bearing, angle: size * random.double(-1...1))
        let isInOne = one.contains(longitude: point.longitude, latitude: point.latitude)
        let isInOther = other.contains(longitude: point.longitude, latitude: point.latitude)
        #expect(isInOne || isInOther, "\(start) \(end) \(left) \(right) \(point) seed \(seed)")
      }
    }
  }

  /// Rings around random locations, up to most of a hemisphere, each with a hole.
  private func randomPolygon(_ random: inout SplitMix64) throws -> (GeoPolygon, GeoPoint, Double) {
    let center = random.location()
    let radius = 1.2 * random.double(0...1) * random.double(0...1) + 1e-5
    let count = random.int(5...40)
    let polygon = try GeoPolygon(
      polygons: [
        [
          random.geodesicRing(about: center, radius: radius, count: count),
          random.geodesicRing(about: center, radius: radius * 0.2, count: 6),
        ]
      ], edges: .geodesic)
    return (polygon, center, radius)
  }
}
