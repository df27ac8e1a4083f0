/// A shape that a query searches.
package enum Shape: Hashable, Sendable {
  case box(GeoBox)
  case circle(GeoCircle)
  case polygon(GeoPolygon)
  /// Any geometry, and what joins its vertices.
  case geometry(Geometry, edges: GeoPolygon.Edges)

  /// Throws if the shape is a polygon or another geometry that breaks a rule.
  package func validate() throws(GeometryError) {
    switch self {
    case .box, .circle: break
    case .polygon(let polygon): try polygon.validate()
    case .geometry(let geometry, let edges): try geometry.validate(edges: edges)
    }
  }
}

extension Shape: CustomStringConvertible {
  /// The description of the box, circle or polygon.
  package var description: String {
    switch self {
    case .box(let box): box.description
    case .circle(let circle): circle.description
    case .polygon(let polygon): polygon.description
    case .geometry(let geometry, let edges): "\(geometry.kind), \(edges) edges"
    }
  }
}

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
