/// What lies between two parallels and two meridians, its edges included.
///
/// A box whose west is greater than its east crosses the antimeridian; -180 ... 180 is the whole band.
public struct GeoBox: Hashable, Sendable {
  /// The south-western corner.
  public let bottomLeft: GeoPoint
  /// The north-eastern corner.
  public let topRight: GeoPoint

  /// The box between two corners; latitudes the wrong way round are put in order when it is asked.
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// The box between two corners as (latitude, longitude); nil where one is not a place.
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
  public var description: String {
    "box of longitude \(west) to \(east), latitude \(south) to \(north)"
  }
}
