/// Relations in the plane of longitude and latitude, where edges are straight, as OGC 06-103r4 defines
/// them. Every decision is exact: it follows from signs of determinants of the given coordinates.
///
/// A collection is the union of its members. Nothing is related to the empty geometry. The longitudes
/// 180 and -180 are two edges of the plane, which are far apart.
extension Geometry {
  /// Returns whether the two have a point in common, but their interiors have none.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid.
  public func touches(_ other: Geometry) throws(GeometryError) -> Bool {
    try holds(.touches, to: other)
  }

  /// Returns whether the interiors meet, and a part of the geometry of lower dimension lies outside of
  /// the other one: a line crosses an area that it enters and leaves. Two lines cross if their interiors
  /// meet in nothing but points. Two areas, and two sets of points, never cross.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid.
  public func crosses(_ other: Geometry) throws(GeometryError) -> Bool {
    try holds(.crosses, to: other)
  }

  /// Returns whether two geometries of the same dimension have a part of this dimension in common, and
  /// neither lies in the other.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid.
  public func overlaps(_ other: Geometry) throws(GeometryError) -> Bool {
    try holds(.overlaps, to: other)
  }

  /// Returns whether the two are the same set of points, whatever the order and number of their
  /// vertices.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid.
  public func equals(_ other: Geometry) throws(GeometryError) -> Bool {
    try holds(.equals, to: other)
  }

  /// Returns the dimensions in which the interiors, boundaries and exteriors of the two meet (DE-9IM):
  /// nine characters `F`, `0`, `1` or `2`, those of this geometry's interior first.
  ///
  ///     try square.relate(neighbour)  // FF2F11212
  ///
  /// The boundary of lines is the points where an odd number of them ends. Empty geometries have only
  /// an exterior.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid.
  public func relate(_ other: Geometry) throws(GeometryError) -> String {
    try matrix(other).description
  }

  /// Returns whether the dimensions that ``relate(_:)`` returns match a pattern.
  ///
  ///     try parcel.relate(road, pattern: "T*F**F***")
  ///
  /// - Parameter pattern: nine characters: `T` for parts that meet, `F` for parts that do not, `0`, `1`
  ///   or `2` for a dimension, and `*` for any.
  /// - Throws: ``GeometryError`` if one of the geometries or the pattern is not valid.
  public func relate(_ other: Geometry, pattern: String) throws(GeometryError) -> Bool {
    try matrix(other).matches(IntersectionPattern(pattern))
  }

  private func matrix(_ other: Geometry) throws(GeometryError) -> IntersectionMatrix {
    try validate(edges: .planar)
    try other.validate(edges: .planar)
    return withView { view in other.withView { PlanarRelation.matrix(view, $0) } }
  }

  private func holds(
    _ relation: SpatialRelation, to other: Geometry
  ) throws(GeometryError) -> Bool {
    try validate(edges: .planar)
    try other.validate(edges: .planar)
    return withView { view in other.withView { PlanarRelation.holds(relation, view, to: $0) } }
  }
}
