import CairnGeometry

/// The shapes that a location can lie within.
package enum Shape: Hashable, Sendable {
  case circle(GeoCircle)
  case box(GeoBox)
  /// One polygon with its holes, or several of them.
  case polygon(GeoPolygon)
}
