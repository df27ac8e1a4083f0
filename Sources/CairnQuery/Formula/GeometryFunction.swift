import CairnValues

/// A function of geometries in a formula. The raw value is its name, which is that of Simple Features
/// where it has one.
///
/// A name is read in any case, and with `ST_` in front of it. Arguments that are locations are taken as
/// points. A result is null if an argument is.
package enum GeometryFunction: String, CaseIterable, Sendable {
  // MARK: Measures

  /// The area of polygons in square metres, on the ellipsoid.
  case area
  /// The length of lines in metres, on the ellipsoid.
  case length
  /// The length of the outlines of polygons in metres, on the ellipsoid.
  case perimeter
  /// The least distance of two geometries in metres, on the sphere; null if one is empty.
  case distance
  /// The direction from a point to another one in degrees clockwise from north; null for other
  /// geometries.
  case azimuth
  /// The longitude of a point in degrees; null for another geometry.
  case x
  /// The latitude of a point in degrees; null for another geometry.
  case y
  /// The number of parts: points, lines and polygons.
  case parts
  /// The number of vertices, including those that close rings.
  case vertices
  /// The name of the kind, as GeoJSON writes it.
  case geometryType
  /// Whether the geometry has no vertex.
  case isEmpty
  /// Whether the geometry keeps the rules of Simple Features, with edges straight in longitude and
  /// latitude.
  case isValid
  /// The geometry as well-known text.
  case asText
  /// The geometry as well-known binary in hexadecimal digits.
  case hex
  /// The geohash of a point, with 12 characters or as many as the second argument says; null for
  /// other geometries.
  case geohash

  // MARK: Points of a geometry

  /// The centre of mass in the plane; null for an empty geometry.
  case centroid
  /// A point of the geometry, in the plane; null for an empty one.
  case pointOnSurface
  /// The point of a line at a share of its length, 0 to 1; null for other geometries.
  case lineInterpolate
  /// The share of a line's length at which it is nearest to a point; null for other geometries.
  case lineLocate
  /// The point of the first geometry that is nearest to the second, on the sphere; null if one is
  /// empty.
  case closestPoint

  // MARK: New shapes

  /// The area within a distance of the geometry, on the sphere; with a negative distance, the part of
  /// polygons that is farther than it from their outlines. A third argument is the number of edges of
  /// a quarter of a circle.
  case buffer
  /// The geometry with fewer vertices, each of the others within a distance of the new line.
  case simplify
  /// The same, with rings that neither cross nor vanish.
  case simplifyPreservingTopology
  /// The geometry with vertices along geodesics, so that no edge is longer than a distance.
  case densify
  /// The smallest convex geometry around it, in the plane.
  case convexHull
  /// A polygon around all points that follows them more closely, the less its second argument is: 0
  /// to 1. It is computed in the plane.
  case concaveHull
  /// The smallest box of meridians and parallels around it.
  case envelope
  /// The rectangle of the least area around it, in the plane.
  case minimumRotatedRectangle
  /// The outlines of polygons, and the ends of lines.
  case boundary
  /// The outer ring of a polygon; null for other geometries.
  case exteriorRing
  /// Lines that end where others begin, joined.
  case lineMerge
  /// The part of a line between two shares of its length; null for other geometries.
  case lineSubstring
  /// Points along a line, one at its start and others at equal distances; null for other geometries.
  case pointsAlong
  /// So many points at random in polygons, on lines or among points. A third argument is the seed.
  case randomPoints
  /// The polygons that lines and outlines enclose, in the plane.
  case polygonize
  /// The geometry made valid.
  case makeValid
  /// The geometry with coordinates on a grid of so many degrees, and valid.
  case setPrecision
  /// The geometry with its vertices in the opposite order.
  case reverse
  /// The geometry without altitudes.
  case force2D

  // MARK: Two geometries

  /// The line from the point of the first that is nearest to the second to the nearest point there, on
  /// the sphere; null if one is empty.
  case shortestLine
  /// The first with vertices moved to those of the second within a distance, and with new vertices
  /// where its edges pass others.
  case snap
  /// The pieces into which the second splits the first, in the plane: polygons along lines and outlines,
  /// and lines at points, too.
  case divide
  /// The points that both have, in the plane.
  case intersection
  /// The points of either, in the plane.
  case union
  /// The points of the first that the second does not have, in the plane.
  case difference
  /// The points that exactly one of them has, in the plane.
  case symmetricDifference
  /// Whether the two have a point in common, in the plane, as all relations.
  case intersects
  /// Whether they have none in common.
  case disjoint
  /// Whether no point of the first lies outside of the second.
  case within
  /// Whether no point of the second lies outside of the first.
  case contains
  /// Whether only boundaries have points in common.
  case touches
  /// Whether the interiors have points in common, fewer than both have dimensions for, or a line
  /// leaves an area.
  case crosses
  /// Whether each of two geometries of one dimension has interior points that the other lacks, and
  /// some in common.
  case overlaps
  /// Whether both have the same points.
  case equals
  /// Whether the matrix of dimensions (DE-9IM) fits a pattern such as `T*F**F***`.
  case relate
  /// The part of the first in the polygons of the second, in the plane: of lines lines, of polygons
  /// polygons. Null if nothing is left.
  case clip
  /// The part of the first outside of the polygons of the second, in the plane. Null if nothing is
  /// left.
  case erase
}

extension GeometryFunction {
  /// The function of a name in any case, with or without `ST_`; nil for an unknown name.
  package init?(named name: some StringProtocol) {
    let word = name.lowercased()
    let plain = word.hasPrefix("st_") ? String(word.dropFirst(3)) : word
    guard let found = Self.names[plain] else { return nil }
    self = found
  }

  private static let names: [String: GeometryFunction] = {
    var names: [String: GeometryFunction] = [
      "npoints": .vertices, "numpoints": .vertices,
      "numgeometries": .parts, "ashexwkb": .hex, "lineinterpolatepoint": .lineInterpolate,
      "orientedenvelope": .minimumRotatedRectangle, "symdifference": .symmetricDifference,
      "segmentize": .densify, "reduceprecision": .setPrecision, "snaptogrid": .setPrecision,
      "linelocatepoint": .lineLocate, "generatepoints": .randomPoints,
      // Without `ST_`, it is the function of texts.
      "split": .divide,
    ]
    for function in allCases { names[function.rawValue.lowercased()] = function }
    return names
  }()

  /// The kinds of arguments.
  enum Parameter {
    /// A geometry, or a location.
    case geometry
    /// A length in metres, or with its unit.
    case distance
    /// A number.
    case number
    /// A whole number.
    case int
    /// A text.
    case text

    /// The type of the values that the function computes with.
    var type: ValueType {
      switch self {
      case .geometry: .geometry
      case .distance, .number: .double
      case .int: .int
      case .text: .string
      }
    }

    /// The arguments, as messages name them.
    var name: String {
      switch self {
      case .geometry: "a geometry"
      case .distance: "a length such as 5km"
      case .number: "a number"
      case .int: "an int"
      case .text: "a text"
      }
    }
  }

  /// The arguments that a call has, and those that may follow.
  var parameters: (required: [Parameter], optional: [Parameter]) {
    switch self {
    case .buffer: ([.geometry, .distance], [.int])
    case .simplify, .simplifyPreservingTopology, .densify, .pointsAlong:
      ([.geometry, .distance], [])
    case .snap: ([.geometry, .geometry, .distance], [])
    case .randomPoints: ([.geometry, .int], [.int])
    case .lineSubstring: ([.geometry, .number, .number], [])
    case .concaveHull, .setPrecision, .lineInterpolate: ([.geometry, .number], [])
    case .geohash: ([.geometry], [.int])
    case .relate: ([.geometry, .geometry, .text], [])
    case .intersects, .disjoint, .within, .contains, .touches, .crosses, .overlaps, .equals,
      .intersection, .union, .difference, .symmetricDifference, .distance, .azimuth, .clip,
      .erase, .lineLocate, .closestPoint, .shortestLine, .divide:
      ([.geometry, .geometry], [])
    default: ([.geometry], [])
    }
  }

  /// The numbers of arguments that it takes.
  var arguments: ClosedRange<Int> {
    let (required, optional) = parameters
    return required.count...required.count + optional.count
  }

  /// The type of the results.
  var type: ValueType {
    switch self {
    case .area, .length, .perimeter, .distance, .azimuth, .x, .y, .lineLocate: .double
    case .parts, .vertices: .int
    case .isEmpty, .isValid, .intersects, .disjoint, .within, .contains, .touches, .crosses,
      .overlaps, .equals, .relate:
      .bool
    case .geometryType, .asText, .hex, .geohash: .string
    case .centroid, .pointOnSurface, .lineInterpolate, .closestPoint: .point
    default: .geometry
    }
  }
}
