/// A place on the earth in WGS 84 degrees.
public struct GeoPoint: Hashable, Sendable {
  /// Degrees north of the equator, -90 ... 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 ... 180.
  public let longitude: Double
  /// Metres above sea level; containment and distance leave it out.
  public let altitude: Double

  /// Nil where a value is not a number, out of range, or an altitude is negative.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  init?(_ pair: (latitude: Double, longitude: Double)) {
    self.init(latitude: pair.latitude, longitude: pair.longitude)
  }

  /// The way along the sphere to another place.
  public func distance(to other: GeoPoint) -> Distance {
    Distance(
      validRadians: Sphere.angle(latitude, longitude, other.latitude, other.longitude))
  }
}

extension GeoPoint: CustomStringConvertible {
  public var description: String {
    altitude == 0 ? "(\(latitude), \(longitude))" : "(\(latitude), \(longitude), \(altitude) m)"
  }
}
