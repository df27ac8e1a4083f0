extension Geometry {
  /// The area of the geometry's polygons without their holes, in square metres on the WGS 84
  /// ellipsoid; 0 if it has no polygon.
  ///
  /// Edges are geodesics, and the smaller side of a ring is its inside. The polygons of a collection
  /// count one by one, even where they overlap.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public var area: Double {
    get throws(GeometryError) {
      let ellipsoid = try Ellipsoid.wgs84()
      return withView { ellipsoid.area(of: $0) } ?? 0
    }
  }

  /// The length of the geometry's lines in metres on the WGS 84 ellipsoid, along geodesics; 0 if it
  /// has no line. The outlines of polygons do not count.
  ///
  /// - Throws: ``GeometryError`` if PROJ is not installed.
  /// - Complexity: O(*n*) in the number of vertices.
  public var length: Double {
    get throws(GeometryError) {
      let ellipsoid = try Ellipsoid.wgs84()
      return withView { ellipsoid.length(of: $0) } ?? 0
    }
  }

  /// The centre of mass of the geometry in the plane of longitude and latitude, as GEOS and PostGIS
  /// compute it; nil if the geometry is empty.
  ///
  /// Only the members of the highest dimension count: if there are polygons with an area, then only
  /// these. The centroid may lie outside of the geometry. A geometry that was cut at the
  /// antimeridian is taken as one: its western parts continue beyond 180 degrees.
  ///
  /// - Complexity: O(*n*) in the number of vertices.
  public var centroid: GeoPoint? { withView { $0.centroid } }
}
