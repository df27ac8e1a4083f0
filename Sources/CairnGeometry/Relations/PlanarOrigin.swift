/// A shape prepared for measuring distances in the plane of longitude and latitude, in degrees.
struct PlanarOrigin: Sendable {
  private let shape: PlanarShape

  /// Prepares a box, or a polygon or geometry, whose edges count as planar.
  ///
  /// - Throws: `GeometryError` for a circle, which is a cap of the sphere.
  init(_ shape: Shape) throws(GeometryError) {
    switch shape {
    case .box(let box): self.shape = PlanarShape(box)
    case .polygon(let polygon): self.shape = PlanarShape(Geometry(polygon))
    case .geometry(let geometry, _): self.shape = PlanarShape(geometry)
    case .circle(let circle):
      throw GeometryError(
        .library, message: "the \(circle) has no distances in degrees of the plane")
    }
  }

  /// The least distance to a geometry, 0 if they intersect; infinity if it is beyond `limit` or
  /// either is empty.
  func distance(to view: GeometryView, upTo limit: Double) -> Double {
    guard view.vertexCount > 0, shape.side.vertexCount > 0 else { return .infinity }
    if let point = shape.onlyPoint {
      return PlanarDistance.between(longitude: point.x, latitude: point.y, view, upTo: limit)
    }
    if view.kind == .point {
      return distance(longitude: view.longitude(0), latitude: view.latitude(0), upTo: limit)
    }
    return PlanarSide.read(view) { other in
      let most = PlanarDistance.searchLimit(limit)
      return PlanarDistance.root(other.distanceSquared(to: shape.side, below: most), upTo: limit)
    }
  }

  /// The least distance to a location; infinity if it is beyond `limit`.
  func distance(longitude: Double, latitude: Double, upTo limit: Double) -> Double {
    let point = PlanePoint(x: longitude, y: latitude)
    guard shape.side.vertexCount > 0 else { return .infinity }
    if shape.side.hasRings, shape.side.covers(point) { return 0 }
    let square = shape.side.leastSquare(to: point, below: PlanarDistance.searchLimit(limit))
    return PlanarDistance.root(square, upTo: limit)
  }

  /// A lower bound of the distance to anything in a rectangle.
  func lowerBound(to envelope: Envelope) -> Double {
    guard shape.side.vertexCount > 0 else { return .infinity }
    if shape.side.hasRings, shape.classify(envelope) != .disjoint { return 0 }
    return shape.side.lowerBoundSquared(to: PlanarBox(envelope)).squareRoot() * (1 - 1e-12)
  }

  /// A rectangle that contains everything up to a distance.
  func bounds(within degrees: Double) -> Envelope {
    Envelope(shape.side.bounds, grownByDegrees: degrees)
  }
}

extension PlanarShape {
  /// The only vertex of a shape that is a point.
  fileprivate var onlyPoint: PlanePoint? {
    side.vertexCount == 1 ? side.point(0) : nil
  }
}

extension Envelope {
  /// A rectangle that contains everything up to a distance in the plane from this one.
  func grown(byDegrees degrees: Double) -> Envelope {
    Envelope(PlanarBox(self), grownByDegrees: degrees)
  }

  /// A rectangle around another one and everything up to a distance from it, as far as rectangles
  /// reach.
  fileprivate init(_ box: PlanarBox, grownByDegrees degrees: Double) {
    guard !box.isEmpty else {
      self = .empty
      return
    }
    self.init(
      west: max(-200, box.west - degrees), south: max(-200, box.south - degrees),
      east: min(200, box.east + degrees), north: min(200, box.north + degrees))
  }
}
