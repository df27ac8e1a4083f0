/// Any shape that a place can lie within.
package enum Shape: Hashable, Sendable {
  case box(GeoBox)
  case circle(GeoCircle)
  case polygon(GeoPolygon)

  /// Throws where the shape is a polygon that breaks a rule.
  package func validate() throws(GeometryError) {
    if case .polygon(let polygon) = self { try polygon.validate() }
  }
}

extension Shape: CustomStringConvertible {
  package var description: String {
    switch self {
    case .box(let box): box.description
    case .circle(let circle): circle.description
    case .polygon(let polygon): polygon.description
    }
  }
}
