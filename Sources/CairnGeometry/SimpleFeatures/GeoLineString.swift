/// A line through two or more locations.
public struct GeoLineString: Hashable, Sendable {
  /// The locations that the line joins, in order.
  public let points: [GeoPoint]

  /// Creates a line; returns nil for fewer than two locations.
  public init?(_ points: [GeoPoint]) {
    guard points.count > 1 else { return nil }
    self.points = points
  }
}
