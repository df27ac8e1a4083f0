/// Everything within a distance of a place, the boundary included: a cap of the sphere.
public struct GeoCircle: Hashable, Sendable {
  /// The middle.
  public let center: GeoPoint
  /// The greatest distance from the middle that still counts.
  public let radius: Distance

  /// The radius as an angle.
  public var radiusInRadians: Double { radius.radians }

  /// A circle about a place.
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    self.radius = radius
  }

  /// Nil where the radius is negative or not a number.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard let radius = Distance.radians(radiusInRadians) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// A circle about (latitude, longitude); nil where that is not a place.
  public init?(center: (Double, Double), radius: Distance) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radius: radius)
  }

  /// Nil where (latitude, longitude) is not a place, or the radius negative or not a number.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let center = GeoPoint(center) else { return nil }
    self.init(center: center, radiusInRadians: radiusInRadians)
  }
}

extension GeoCircle: CustomStringConvertible {
  public var description: String {
    "circle of \(radius) about longitude \(center.longitude), latitude \(center.latitude)"
  }
}
