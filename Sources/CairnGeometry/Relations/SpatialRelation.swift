/// A relation between a stored geometry and another shape. Boundaries belong to both.
///
/// The definitions are those of OGC 06-103r4, with two exceptions: `within` and `contains` are named
/// `coveredBy` and `covers` there, because a geometry on the boundary of a shape is within it here.
package enum SpatialRelation: String, Hashable, Sendable, CaseIterable {
  /// No point of the geometry lies outside of the shape.
  case within = "GEOWITHIN"
  /// The two have a point in common.
  case intersects = "GEOINTERSECTS"
  /// No point of the shape lies outside of the geometry.
  case contains = "GEOCONTAINS"
  /// The two have no point in common.
  case disjoint = "GEODISJOINT"
  /// The two have a point in common, and their interiors have none.
  case touches = "GEOTOUCHES"
  /// The interiors meet, and a part of the one of lower dimension lies outside of the other; the
  /// interiors of two lines meet in nothing but points.
  case crosses = "GEOCROSSES"
  /// The two have the same dimension, their interiors meet in this dimension, and neither lies in the
  /// other.
  case overlaps = "GEOOVERLAPS"
  /// No point of either lies outside of the other.
  case equals = "GEOEQUALS"
}

extension SpatialRelation {
  /// The name in messages and options: `within`, `touches`.
  package var name: String { rawValue.dropFirst("GEO".count).lowercased() }

  /// Whether the relation is defined in the plane of longitude and latitude only.
  ///
  /// Edges on the sphere hardly ever meet exactly in a point or along a line, so that a relation which
  /// asks for this would depend on rounding.
  package var isPlanar: Bool {
    switch self {
    case .touches, .crosses, .overlaps, .equals: true
    case .within, .intersects, .contains, .disjoint: false
    }
  }

  /// Whether a location has the relation exactly if the shape covers it.
  package var isCovering: Bool { self == .within || self == .intersects }

  /// The relation of the second geometry to the first one.
  package var inverse: SpatialRelation {
    switch self {
    case .within: .contains
    case .contains: .within
    case .intersects, .disjoint, .touches, .crosses, .overlaps, .equals: self
    }
  }

  /// Whether the relation is the same from either side.
  package var isSymmetric: Bool { inverse == self }

  /// The answer for all geometries in a box, from the relation of the shape to the box.
  package func answer(for box: Containment) -> Containment {
    switch (self, box) {
    case (.within, _), (.intersects, _): box
    case (.disjoint, .disjoint): .contained
    case (.disjoint, .contained): .disjoint
    // The shape covers whatever is in such a box.
    case (.crosses, .contained), (.overlaps, .contained): .disjoint
    case (_, .contained): .intersecting
    case (_, .disjoint), (_, .intersecting): box
    }
  }
}
