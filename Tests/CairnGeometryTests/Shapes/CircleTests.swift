import CairnTestSupport
import Testing

@testable import CairnGeometry

@Suite struct CircleTests {
  private func region(_ latitude: Double, _ longitude: Double, _ radians: Double) throws -> Region {
    Region(try #require(GeoCircle(center: (latitude, longitude), radiusInRadians: radians)))
  }

  @Test func radiusZeroContainsItsCentreOnly() throws {
    for (y, x) in [(0.0, 0.0), (47.3, -121.9), (90, 12), (-90, 0), (0, 180), (33.3, -180)] {
      let point = try region(y, x, 0)
      #expect(point.contains(longitude: x, latitude: y))
      #expect(!point.contains(longitude: x, latitude: y == 90 ? 89.999999 : y + 1e-6))
      #expect(
        point.classify(Envelope(west: x, south: y, east: x, north: y)) != .disjoint)
    }
    #expect(try region(0, 180, 0).contains(longitude: -180, latitude: 0))
    #expect(try region(90, 12, 0).contains(longitude: -100, latitude: 90))
  }

  @Test func polesAndAntimeridian() throws {
    let cap = try region(85, 100, 0.2)
    #expect(cap.contains(longitude: -80, latitude: 88))
    #expect(cap.contains(longitude: 5, latitude: 90))
    #expect(!cap.contains(longitude: -80, latitude: 80))
    let edge = try region(10, 179.9, 0.01)
    #expect(edge.contains(longitude: -179.8, latitude: 10))
    #expect(
      edge.contains(longitude: 180, latitude: 10) && edge.contains(longitude: -180, latitude: 10))
  }

  @Test func beyondTheAntipodeIsEverything() throws {
    for radius in [Double.pi, 3.2, 100, .infinity] {
      let all = try region(12, 34, radius)
      #expect(all.classify(.world) == .contained)
      #expect(all.contains(longitude: -146, latitude: -12))
    }
    let almost = try region(12, 34, .pi - 1e-7)
    #expect(!almost.contains(longitude: -146, latitude: -12))
    #expect(almost.contains(longitude: -146, latitude: -11.9999))
    #expect(almost.classify(.world) == .intersecting)
  }

  @Test func aQuarterTurnIsAHemisphere() throws {
    let half = try region(0, 0, .pi / 2)
    #expect(half.contains(longitude: 90, latitude: 0))
    #expect(half.contains(longitude: 0, latitude: 89.9))
    #expect(!half.contains(longitude: 90.001, latitude: 0))
    let north = try region(90, 0, .pi / 2)
    #expect(north.contains(longitude: 77, latitude: 0))
    #expect(!north.contains(longitude: 77, latitude: -0.001))
  }

  @Test func rejectsBadCentresAndRadii() throws {
    let distance = try #require(Distance.kilometers(1))
    #expect(GeoCircle(center: (0, 181), radius: distance) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: .nan) == nil)
    #expect(GeoCircle(center: .origin, radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: .origin, radius: distance).radiusInRadians == distance.radians)
  }

  @Test(arguments: [21, 22, 23] as [UInt64])
  func agreesWithTheChordLength(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let center = random.location()
      let radius = random.radius()
      let circle = try #require(GeoCircle(center: center, radiusInRadians: radius))
      let region = Region(circle)
      let limit = 4 * sine(min(.pi, radius) / 2) * sine(min(.pi, radius) / 2)
      for _ in 0..<50 {
        let near = center.location(
          bearing: random.double(0...6.3), angle: radius * random.double(0.99...1.01))
        let point = random.int(0...2) == 0 ? random.location() : near
        let chord = Oracle.chordSquared(center, point)
        guard abs(chord - limit) > 1e-13 * max(1e-6, limit) + 1e-15 else { continue }
        #expect(
          region.contains(longitude: point.longitude, latitude: point.latitude) == (chord < limit),
          "\(circle) \(point) seed \(seed)")
      }
    }
  }

  @Test(arguments: [31, 32, 33] as [UInt64])
  func rectanglesAgreeWithPoints(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(35, long: 150) {
      let center = random.location()
      let radius = random.radius()
      let circle = try #require(GeoCircle(center: center, radiusInRadians: radius))
      let rim = (0..<12).map { center.location(bearing: Double($0) / 1.9, angle: radius) }
      checkAgreement(
        Region(circle), near: rim + [center], &random, rounds: 20, "\(circle) seed \(seed)")
    }
  }
}
