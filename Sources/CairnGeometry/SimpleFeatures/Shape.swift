/// A shape that a query searches.
package enum Shape: Hashable, Sendable {
  case box(GeoBox)
  case circle(GeoCircle)
  case polygon(GeoPolygon)
  /// Any geometry, and what joins its vertices.
  case geometry(Geometry, edges: GeoPolygon.Edges)
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
