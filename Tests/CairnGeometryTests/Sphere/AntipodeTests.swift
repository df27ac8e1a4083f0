import CairnTestSupport
import Foundation
import Testing

@testable import CairnGeometry

/// Distances near the antipode, against the angle between two vectors by the arc tangent, which has
/// all its digits everywhere.
@Suite struct AntipodeTests {
  /// A location and one near its antipode.
  private struct Pair {
    let near: GeoPoint
    let far: GeoPoint

    init(_ random: inout SplitMix64) throws {
      near = random.location()
      let antipode = try #require(
        GeoPoint(latitude: -near.latitude, longitude: Sphere.opposite(near.longitude)))
      far = antipode.location(
        bearing: random.double(0...6.3), angle: pow(10, random.double(-9...(-0.3))))
    }

    var angle: Double { exactAngle(near, far) }
  }

  @Test(arguments: [33] as [UInt64]) func distancesKeepTheirDigits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<3000 {
      let pair = try Pair(&random)
      let origin = Origin(longitude: pair.near.longitude, latitude: pair.near.latitude)
      let found = [
        pair.near.distance(to: pair.far).radians,
        origin.angle(pair.far.longitude, latitude: pair.far.latitude),
      ]
      for angle in found {
        #expect(abs(angle - pair.angle) < 4e-15, "\(pair), seed \(seed)")
      }
    }
  }

  /// The nearest location of a short line near the antipode is one of its ends.
  @Test(arguments: [35] as [UInt64]) func distancesOfLinesKeepTheirDigits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let pair = try Pair(&random)
      let end = pair.far.location(bearing: random.double(0...6.3), angle: 1e-7)
      let line = Geometry(try #require(GeoLineString([pair.far, end])))
      let origin = try PreparedOrigin(
        .geometry(Geometry(pair.near), edges: .geodesic), edges: .geodesic)
      let angle = try line.withView { origin.distance(to: $0) }
      let expected = min(pair.angle, exactAngle(pair.near, end))
      #expect(abs(angle - expected) < 3e-14, "\(pair) \(end), seed \(seed)")
    }
  }

  @Test(arguments: [34] as [UInt64]) func aRadiusSelectsByTheDistanceThatIsPrinted(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<3000 {
      let pair = try Pair(&random)
      let radius = pair.angle + random.double(-1...1) * 1e-11
      let circle = try #require(GeoCircle(center: pair.near, radiusInRadians: radius))
      let isWithin = pair.far.distance(to: pair.near).radians <= radius
      #expect(
        Region(circle).contains(longitude: pair.far.longitude, latitude: pair.far.latitude)
          == isWithin, "\(pair), seed \(seed)")
    }
  }
}

/// The angle of two locations by the arc tangent, with the system's sines and cosines.
private func exactAngle(_ one: GeoPoint, _ other: GeoPoint) -> Double {
  func vector(_ point: GeoPoint) -> SIMD3<Double> {
    let (x, y) = (point.longitude * .pi / 180, point.latitude * .pi / 180)
    return SIMD3(cos(y) * cos(x), cos(y) * sin(x), sin(y))
  }
  func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }
  let (a, b) = (vector(one), vector(other))
  return 2 * atan2(length(a - b), length(a + b))
}
