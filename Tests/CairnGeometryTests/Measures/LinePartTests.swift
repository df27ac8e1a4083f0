import CairnTestSupport
import Testing

@testable import CairnGeometry

/// Locations along lines and parts of them, on the ellipsoid.
@Suite struct LinePartTests {
  private static func line(_ random: inout SplitMix64) throws -> Geometry {
    let points = (0..<random.int(2...6)).map { _ in random.location() }
    return Geometry(try #require(GeoLineString(points)))
  }

  @Test(arguments: [5901, 5902] as [UInt64])
  func locationsAtEqualDistances(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(40, long: 400) {
      let line = try Self.line(&random)
      let length = try line.length
      let step = length / random.double(1.5...20)
      let distance = try #require(Distance.meters(step))
      let points = try #require(try line.locations(every: distance)).points
      #expect(points.count == Int(length / step) + 1, "seed \(seed)")
      for (index, point) in points.enumerated() {
        let expected = try #require(
          try line.location(atFraction: min(1, Double(index) * step / length)))
        #expect(try point.ellipsoidalDistance(to: expected) < 1e-3, "seed \(seed)")
      }
    }
  }

  /// The parts between fractions add up to the whole, and each is as long as its share.
  @Test(arguments: [5911, 5912] as [UInt64])
  func parts(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(40, long: 400) {
      let line = try Self.line(&random)
      let length = try line.length
      let cuts = [0, random.double(0...0.5), random.double(0.5...1), 1]
      for (start, end) in zip(cuts, cuts.dropFirst()) {
        let part = try #require(try line.line(from: start, to: end))
        #expect(abs(try part.length - (end - start) * length) < 1e-3, "seed \(seed)")
        let (first, last) = (
          try #require(try line.location(atFraction: start)),
          try #require(try line.location(atFraction: end))
        )
        #expect(try part.points[0].ellipsoidalDistance(to: first) < 1e-6)
        #expect(
          try #require(part.points.last).ellipsoidalDistance(to: last) < 1e-6, "seed \(seed)")
      }
    }
  }

  /// No other location of the line is nearer than the one at the fraction.
  @Test(arguments: [5921, 5922] as [UInt64])
  func fractions(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(40, long: 400) {
      let points = (0..<random.int(2...5)).map { _ in
        GeoPoint(clampedLatitude: random.double(-30...30), longitude: random.double(-20...20))
      }
      let line = Geometry(try #require(GeoLineString(points)))
      let place = GeoPoint(
        clampedLatitude: random.double(-40...40), longitude: random.double(-30...30))
      let fraction = try #require(try line.fraction(nearestTo: place))
      let nearest = try #require(try line.location(atFraction: fraction)).distance(to: place)
      // The geodesic of the ellipsoid leaves the great circle by up to some kilometres.
      let least = try #require(line.distance(to: Geometry(place)))
      #expect(nearest.asMeters() < least.asMeters() + 20_000, "seed \(seed)")
      let vertex = random.pick(points)
      let own = try #require(try line.fraction(nearestTo: vertex))
      let found = try #require(try line.location(atFraction: own))
      #expect(found.distance(to: vertex).asMeters() < 1e-2, "seed \(seed)")
    }
  }

  @Test func severalLinesAndErrors() throws {
    let cut = try Geometry(wkt: "MULTILINESTRING ((179 0, 180 0), (-180 0, -177 0))")
    let part = try #require(try cut.line(from: 0.125, to: 0.5))
    #expect(part.kind == .multiLineString && part.vertexCount == 4)
    #expect(abs(try part.length - cut.length * 0.375) < 1e-6)
    let still = try Geometry(wkt: "LINESTRING (1 2, 1 2)")
    #expect(try still.line(from: 0, to: 1)?.isEmpty == false)
    #expect(try still.fraction(nearestTo: .origin) == 0)
    let line = try Geometry(wkt: "LINESTRING Z (0 0 100, 0 1 200)")
    #expect(try line.line(from: 0.5, to: 0.5)?.kind == .point)
    #expect(try Geometry(wkt: "POINT (1 1)").line(from: 0, to: 1) == nil)
    #expect(try Geometry(wkt: "POINT (1 1)").fraction(nearestTo: .origin) == nil)
    for (start, end) in [(-0.1, 1), (0, 1.1), (0.6, 0.5), (.nan, 1)] {
      #expect(throws: GeometryError.self) { try line.line(from: start, to: end) }
    }
    for metres in [0, 0.001] {
      let distance = try #require(Distance.meters(metres))
      #expect(throws: GeometryError.self) { try line.locations(every: distance) }
    }
  }
}
