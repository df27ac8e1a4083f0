/// Where a point lies from an edge, along its own parallel.
enum EdgeSide {
  /// The edge does not reach the point's latitude.
  case apart
  /// The edge crosses the parallel west of the point.
  case west
  /// The edge crosses the parallel east of the point.
  case east
  /// The point lies on the edge, or too close to it for rounding to tell.
  case near
}

/// An edge of a region along which longitude is a function of latitude, or latitude stands still.
protocol RegionEdge: Sendable {
  /// What is worked out once for a point.
  associatedtype Probe

  /// Degrees of the southern end.
  var south: Double { get }
  /// Degrees of the northern end.
  var north: Double { get }

  /// The degrees of longitude that the edge takes between two latitudes, rounding aside.
  func span(south: Double, north: Double) -> (west: Double, east: Double)

  static func probe(_ longitude: Double, _ latitude: Double) -> Probe

  /// A probe that costs less, for which `near` only means that the exact one has to tell; nil where there is none.
  static func roughProbe(_ longitude: Double, _ latitude: Double) -> Probe?

  /// Crossings count from the southern end up to, not with, the northern one.
  func side(of point: Probe) -> EdgeSide
}
