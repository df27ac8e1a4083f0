import CairnGeometry
import CairnQuery

/// A shape that stored locations and geometries are compared with: a box, a circle, a polygon, a
/// point, a line, or any geometry.
public protocol GeoShape {
  /// Returns the shape for a query. Only Cairn calls it.
  func _shape(edges: GeoPolygon.Edges?) -> _QueryShape
}

/// A shape as a query uses it.
public struct _QueryShape {
  let shape: Shape

  init(_ shape: Shape) { self.shape = shape }

  /// - Parameter edges: the kind of edges; geodesic if nil.
  fileprivate init(_ geometry: Geometry, edges: GeoPolygon.Edges?) {
    shape = .geometry(geometry, edges: edges ?? .geodesic)
  }
}

extension GeoShape {
  /// The shape, after a check. An invalid one is a programming error.
  func checkedShape(edges: GeoPolygon.Edges? = nil) -> Shape {
    let shape = _shape(edges: edges).shape
    do { try shape.validate() } catch { programmingError(error.message) }
    return shape
  }
}

extension GeoBox: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape { _QueryShape(.box(self)) }
}

extension GeoCircle: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape { _QueryShape(.circle(self)) }
}

extension GeoPolygon: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape {
    guard let edges, edges != self.edges else { return _QueryShape(.polygon(self)) }
    return _QueryShape(Geometry(self), edges: edges)
  }
}

extension GeoPoint: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape {
    _QueryShape(Geometry(self), edges: edges)
  }
}

extension GeoLineString: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape {
    _QueryShape(Geometry(self), edges: edges)
  }
}

extension Geometry: GeoShape {
  public func _shape(edges: GeoPolygon.Edges?) -> _QueryShape { _QueryShape(self, edges: edges) }
}
