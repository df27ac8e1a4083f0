/// Geometries that GEOS derives from one, in the plane of longitude and latitude.
extension Geometry {
  /// Returns a point that lies inside of the geometry's polygons, or else of its lines or points; nil if
  /// the geometry is empty.
  ///
  /// It is the middle of the widest stretch inside of a polygon along a parallel, or the vertex that is
  /// nearest to the centroid. Edges are straight in longitude and latitude.
  ///
  /// - Throws: ``GeometryError`` if the geometry is not valid, or GEOS is not installed.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func pointOnSurface() throws(GeometryError) -> GeoPoint? {
    try validate(edges: .planar)
    return try withView { (view) throws(GeometryError) in
      try GEOSGeometry.copy(view, in: GEOSContext())?.pointOnSurface()
    }
  }

  /// Returns the geometry's lines, joined to longer ones where exactly two of them end. Points and
  /// polygons are left out.
  ///
  /// Lines that were cut at the antimeridian stay apart. Some lines are reversed where that joins them.
  ///
  /// - Returns: A line or a multiline; an empty multiline if the geometry has no line.
  /// - Throws: ``GeometryError`` if the geometry is not valid, or GEOS is not installed.
  public func lineMerged() throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    return try withView { (view) throws(GeometryError) in
      let dimensions = try GEOSDimensions(view, in: GEOSContext())
      guard let lines = dimensions.lines else { return Geometry(lines: []) }
      let merged = try lines.mergedLines().read()
      return merged.isEmpty ? Geometry(lines: []) : merged
    }
  }

  /// Returns a valid geometry with all vertices on a grid. Parts that are shorter or narrower than the grid
  /// vanish, and others may merge or split where they come to touch.
  ///
  /// - Parameter degrees: the distance between the lines of the grid in degrees of longitude and
  ///   latitude, more than 0 and up to 90. The edges of the map should be on it, as for 1e-5; a vertex
  ///   beyond them is moved there.
  /// - Throws: ``GeometryError`` if the geometry is not valid, the distance is out of range, or GEOS 3.11
  ///   or later is not installed.
  public func withPrecision(_ degrees: Double) throws(GeometryError) -> Geometry {
    guard degrees > 0, degrees <= 90 else {
      throw GeometryError(
        .outOfRange, message: "the precision is \(degrees) degrees; expected more than 0, up to 90")
    }
    try validate(edges: .planar)
    let rounded = try transformed { (geometry) throws(GeometryError) in
      try geometry.onGrid(degrees)
    }
    var builder = GeometryBuilder()
    rounded.withView { builder.append($0) }
    let isBeyond = builder.withCoordinates { xs, ys in
      var isBeyond = false
      for index in xs.indices {
        let x = Self.multiple(of: degrees, near: xs[index])
        let y = Self.multiple(of: degrees, near: ys[index])
        isBeyond = isBeyond || abs(x) > 180 || abs(y) > 90
        xs[index] = max(-180, min(180, x))
        ys[index] = max(-90, min(90, y))
      }
      return isBeyond
    }
    return isBeyond ? try builder.geometry().repaired() : builder.geometry()
  }

  /// The multiple of a number that is nearest to a value. For 1e-5, it is the quotient by 100 000, which
  /// is the number that a person would write.
  private static func multiple(of unit: Double, near value: Double) -> Double {
    let inverse = (1 / unit).rounded()
    let isFraction = inverse >= 1 && abs(inverse * unit - 1) < 1e-12
    let count = (value / unit).rounded()
    // Zero has no sign on a grid.
    return (isFraction ? count / inverse : count * unit) + 0
  }
}
