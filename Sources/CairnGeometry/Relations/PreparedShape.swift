/// A shape prepared for tests against many geometries.
///
/// Boxes, and polygons and geometries with planar edges, are compared in the plane of longitude and
/// latitude; circles, and polygons and geometries with geodesic edges, on the sphere. Several
/// threads may ask the same prepared shape.
package final class PreparedShape: Sendable {
  /// The code that compares, chosen once, so that a test costs no dynamic cast.
  enum Matcher: Sendable {
    case planar(PlanarMatcher)
    case geodesic(GeodesicMatcher)

    /// A rectangle around the shape.
    fileprivate var bounds: Envelope {
      switch self {
      case .planar(let planar): planar.bounds
      case .geodesic(let geodesic): geodesic.bounds
      }
    }
  }

  /// The shape.
  package let shape: Shape
  /// A rectangle around the shape, in the reading of its edges.
  package let bounds: Envelope
  private let matcher: Matcher

  /// Prepares a shape. Throws if it is not valid, or a library that it needs is missing.
  package convenience init(_ shape: Shape) throws(GeometryError) {
    try shape.validate()
    try self.init(valid: shape)
  }

  /// Prepares a stored geometry, which was validated when it was stored.
  package convenience init(
    stored geometry: GeometryView, edges: GeoPolygon.Edges
  ) throws(GeometryError) {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: geometry.base, count: geometry.size))
    try self.init(valid: .geometry(Geometry(packed: bytes), edges: edges))
  }

  private init(valid shape: Shape) throws(GeometryError) {
    self.shape = shape
    if case .polygon(let polygon) = shape {
      matcher = try polygon.preparation.value { () throws(GeometryError) in
        try Matcher(of: shape)
      }
    } else {
      matcher = try Matcher(of: shape)
    }
    bounds = matcher.bounds
  }

  /// The relation of the shape to a rectangle that contains a geometry. Disjoint and contained are
  /// always right.
  package func classify(_ envelope: Envelope) -> Containment {
    switch matcher {
    case .planar(let planar): planar.classify(envelope)
    case .geodesic(let geodesic): geodesic.classify(envelope)
    }
  }

  /// Whether a geometry has the relation to the shape. An empty geometry has none.
  package func holds(_ relation: SpatialRelation, _ geometry: GeometryView) -> Bool {
    switch matcher {
    case .planar(let planar): planar.holds(relation, geometry)
    case .geodesic(let geodesic): geodesic.holds(relation, geometry)
    }
  }

  /// Whether a location in degrees has the relation to the shape.
  package func holds(_ relation: SpatialRelation, longitude: Double, latitude: Double) -> Bool {
    switch matcher {
    case .planar(let planar): planar.holds(relation, longitude: longitude, latitude: latitude)
    case .geodesic(let geodesic):
      geodesic.holds(relation, longitude: longitude, latitude: latitude)
    }
  }
}

extension PreparedShape.Matcher {
  /// Prepares a shape.
  fileprivate init(of shape: Shape) throws(GeometryError) {
    if let planar = PlanarMatcher(shape) {
      self = .planar(planar)
    } else {
      self = .geodesic(try GeodesicMatcher(of: shape))
    }
  }
}

extension GeodesicMatcher {
  /// Prepares a shape with geodesic edges.
  fileprivate convenience init(of shape: Shape) throws(GeometryError) {
    switch shape {
    case .circle(let circle): self.init(circle)
    case .polygon(let polygon): try self.init(polygon)
    case .geometry(let geometry, _): try self.init(geometry)
    case .box(let box):
      throw GeometryError(.library, message: "the \(box) has no geodesic edges")
    }
  }
}
