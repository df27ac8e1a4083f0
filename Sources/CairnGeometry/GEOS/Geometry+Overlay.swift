/// Operations of GEOS in the plane of longitude and latitude, where edges are straight. Altitudes are
/// kept, and interpolated at new vertices.
extension Geometry {
  /// Returns the points that this geometry and another one have in common. Without any, it
  /// returns an empty collection.
  ///
  /// Edges are straight in longitude and latitude. Geometries that touch have their common points and
  /// lines.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid, or GEOS is not installed.
  public func intersection(_ other: Geometry) throws(GeometryError) -> Geometry {
    try overlay(other) { (own, other, _) throws(GeometryError) in
      try own.intersections(with: other)
    }
  }

  /// Returns the points of this geometry and of another one. Polygons that overlap or share an edge
  /// become one, and points and lines that lie in polygons are left out.
  ///
  /// Edges are straight in longitude and latitude.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid, or GEOS is not installed.
  public func union(_ other: Geometry) throws(GeometryError) -> Geometry {
    try overlay(other) { (own, other, context) throws(GeometryError) in
      let all = (own.members + other.members).compactMap { $0 }
      return [try GEOSGeometry.collection(.collection, of: all, in: context).robustUnion()]
    }
  }

  /// Returns the points of this geometry that another one does not have. Without any, it
  /// returns an empty collection.
  ///
  /// Edges are straight in longitude and latitude. The boundary of a polygon that remains belongs to
  /// the result.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid, or GEOS is not installed.
  public func difference(_ other: Geometry) throws(GeometryError) -> Geometry {
    try overlay(other) { (own, other, _) throws(GeometryError) in
      try own.differences(from: other)
    }
  }

  /// Returns the points that only one of this geometry and another one has. Without any, it returns
  /// an empty collection.
  ///
  /// Edges are straight in longitude and latitude. The boundaries of polygons that remain belong to
  /// the result.
  ///
  /// - Throws: ``GeometryError`` if one of the geometries is not valid, or GEOS is not installed.
  public func symmetricDifference(_ other: Geometry) throws(GeometryError) -> Geometry {
    try overlay(other) { (own, other, _) throws(GeometryError) in
      try own.symmetricDifferences(with: other)
    }
  }

  /// Returns the result of a function of GEOS, or the geometry itself if it is empty.
  func transformed(
    _ transform: (GEOSGeometry) throws(GeometryError) -> GEOSGeometry
  ) throws(GeometryError) -> Geometry {
    try withView { (view) throws(GeometryError) in
      guard let geometry = try GEOSGeometry.copy(view, in: GEOSContext()) else { return self }
      return try transform(geometry).read()
    }
  }

  private func overlay(
    _ other: Geometry,
    _ operation: (GEOSDimensions, GEOSDimensions, GEOSContext) throws(GeometryError)
      -> [GEOSGeometry]
  ) throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    try other.validate(edges: .planar)
    let context = try GEOSContext()
    let own = try withView { (view) throws(GeometryError) in
      try GEOSDimensions(view, in: context)
    }
    let others = try other.withView { (view) throws(GeometryError) in
      try GEOSDimensions(view, in: context)
    }
    return try GEOSDimensions.union(try operation(own, others, context), in: context)
  }
}
