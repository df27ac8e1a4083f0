/// The area between two parallels and two meridians, including its edges.
///
/// A box whose west is greater than its east crosses the antimeridian; -180 ... 180 covers all
/// longitudes.
public struct GeoBox: Hashable, Sendable {
  /// The south-western corner.
  public let bottomLeft: GeoPoint
  /// The north-eastern corner.
  public let topRight: GeoPoint

  /// Creates a box between two corners. Queries swap latitudes that are in the wrong order.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Creates a box between two corners as (latitude, longitude); returns nil if one is not on the
  /// earth.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let low = GeoPoint(bottomLeft), let high = GeoPoint(topRight) else { return nil }
    self.init(bottomLeft: low, topRight: high)
  }

  var west: Double { bottomLeft.longitude }
  var east: Double { topRight.longitude }
  var south: Double { min(bottomLeft.latitude, topRight.latitude) }
  var north: Double { max(bottomLeft.latitude, topRight.latitude) }
}

extension GeoBox: CustomStringConvertible {
  /// The bounds of the box in degrees.
  public var description: String {
    "box of longitude \(west) to \(east), latitude \(south) to \(north)"
  }
}
