import CairnTestSupport

@testable import CairnGeometry

extension SplitMix64 {
  mutating func double(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// A location, evenly distributed over the sphere, or quite often at an awkward one.
  mutating func location() -> GeoPoint {
    var longitude = double(-180...180)
    var latitude = arcSine(double(-1...1)).inDegrees
    if int(0...9) == 0 { longitude = [-180, 180, 0, 179.999, -179.999][int(0...4)] }
    if int(0...9) == 0 { latitude = [-90, 90, 0, 89.9, -89.9][int(0...4)] }
    return GeoPoint(latitude: latitude, longitude: longitude) ?? .origin
  }

  /// A length between a few metres and half the earth, in radians.
  mutating func radius() -> Double {
    Double.pi * squareOfSquare(double(0...1))
  }

  private func squareOfSquare(_ x: Double) -> Double { x * x * x * x }

  /// A ring of rays around a location, each vertex at its own distance of at most `radius` radians.
  mutating func geodesicRing(about center: GeoPoint, radius: Double, count: Int) -> [GeoPoint] {
    let phase = double(0...6)
    var ring = (0..<count).map { index in
      let bearing = phase + 2 * .pi * Double(index) / Double(count)
      return center.location(bearing: bearing, angle: radius * double(0.3...1))
    }
    ring.append(ring[0])
    return ring
  }

  /// The same ring in longitude and latitude, within the world.
  mutating func planarRing(about center: (x: Double, y: Double), radius: Double, count: Int)
    -> [GeoPoint]
  {
    var ring = (0..<count).map { index in
      let bearing = 2 * .pi * Double(index) / Double(count)
      let size = radius * double(0.3...1)
      return GeoPoint(
        latitude: max(-90, min(90, center.y + size * sine(bearing))),
        longitude: max(-180, min(180, center.x + size * cosine(bearing)))) ?? .origin
    }
    ring.append(ring[0])
    return ring
  }
}

extension GeoPoint {
  static var origin: GeoPoint { GeoPoint(validLatitude: 0, longitude: 0) }

  private init(validLatitude latitude: Double, longitude: Double) {
    guard let point = GeoPoint(latitude: latitude, longitude: longitude) else {
      preconditionFailure("not a location")
    }
    self = point
  }

  /// The end of a path of `angle` radians along a bearing.
  func location(bearing: Double, angle: Double) -> GeoPoint {
    let (phi, lambda) = (latitude.inRadians, longitude.inRadians)
    let rise = sine(phi) * cosine(angle) + cosine(phi) * sine(angle) * cosine(bearing)
    let north = arcSine(max(-1, min(1, rise)))
    let east =
      lambda
      + arcTangent(
        sine(bearing) * sine(angle) * cosine(phi), x: cosine(angle) - sine(phi) * sine(north))
    return GeoPoint(latitude: north.inDegrees, longitude: wrapped(east.inDegrees)) ?? .origin
  }
}
