/// A shape that a query searches.
package enum Shape: Hashable, Sendable {
  case box(GeoBox)
  case circle(GeoCircle)
  case polygon(GeoPolygon)
  /// Any geometry, and what joins its vertices.
  case geometry(Geometry, edges: GeoPolygon.Edges)
}

extension Shape {
  /// The shape with planar edges; nil for a circle, which has none.
  package var withPlanarEdges: Shape? {
    switch self {
    case .box: self
    case .circle: nil
    case .polygon(let polygon):
      polygon.edges == .planar ? self : .geometry(Geometry(polygon), edges: .planar)
    case .geometry(let geometry, _): .geometry(geometry, edges: .planar)
    }
  }

  /// Whether a geodesic edge crosses the antimeridian, where a planar one would go the other way round
  /// the earth.
  package var crossesAntimeridian: Bool {
    switch self {
    case .polygon(let polygon) where polygon.edges == .geodesic:
      Shape.geometry(Geometry(polygon), edges: .geodesic).crossesAntimeridian
    case .geometry(let geometry, .geodesic): geometry.withView { $0.hasWideEdge }
    case .box, .circle, .polygon, .geometry: false
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

extension GeometryView {
  /// Whether the ends of an edge are more than half a turn of longitude apart.
  fileprivate var hasWideEdge: Bool {
    func isWide(_ vertices: Range<Int>) -> Bool {
      vertices.dropFirst().contains { abs(longitude($0) - longitude($0 - 1)) > 180 }
    }
    return parts.contains { part in
      switch part {
      case .point: false
      case .line(let vertices): isWide(vertices)
      case .polygon(let rings): rings.contains(where: isWide)
      }
    }
  }
}
