/// The area within a distance of a location, including its boundary: a cap of the sphere.
public struct GeoCircle: Hashable, Sendable {
  /// The centre.
  public let center: GeoPoint
  /// The greatest distance from the centre that is still inside.
  public let radius: Distance

  /// The radius as an angle in radians.
  public var radiusInRadians: Double { radius.radians }

  /// Creates a circle around a location.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    self.radius = radius
  }

  /// Creates a circle around a location; returns nil if the radius is negative or NaN.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around (latitude, longitude); returns nil if that is not on the earth.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Creates a circle around (latitude, longitude); returns nil if that is not on the earth, or the
  /// radius is negative or NaN.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }
}

extension GeoCircle: CustomStringConvertible {
  /// The radius and the centre.
  public var description: String {
    "circle of \(radius) about longitude \(center.longitude), latitude \(center.latitude)"
  }
}
