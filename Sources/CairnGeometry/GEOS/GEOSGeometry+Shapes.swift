/// Operations that compute another shape of one geometry.
extension GEOSGeometry {
  /// The smallest convex geometry around this one.
  func convexHull() throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSOperationLibrary.shared().convexHull(context.handle, geometry), in: context,
      orFailedTo: "make a convex hull")
  }

  /// A polygon around the vertices with edges up to a length between those of the convex hull and of the
  /// shortest, by a ratio of 1 to 0.
  func concaveHull(ratio: Double) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSShapeLibrary.shared().concaveHull.get()(context.handle, geometry, ratio, 0), in: context,
      orFailedTo: "make a concave hull")
  }

  /// The narrowest rectangle around the geometry, in any direction.
  func rotatedRectangle() throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSShapeLibrary.shared().rotatedRectangle(context.handle, geometry), in: context,
      orFailedTo: "make a rectangle")
  }

  /// The lines, joined where exactly two of them end.
  func mergedLines() throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSShapeLibrary.shared().lineMerge(context.handle, geometry), in: context,
      orFailedTo: "merge lines")
  }

  /// A valid geometry with all vertices on a grid. Parts that become shorter or narrower than that vanish.
  func onGrid(_ size: Double) throws(GeometryError) -> GEOSGeometry {
    try GEOSGeometry(
      GEOSShapeLibrary.shared().setPrecision(context.handle, geometry, size, 0), in: context,
      orFailedTo: "move a geometry to a grid")
  }

  /// A point inside of the polygons, or else in the middle of the lines or points; nil if the geometry is
  /// empty.
  func pointOnSurface() throws(GeometryError) -> GeoPoint? {
    try GEOSGeometry(
      GEOSPointLibrary.shared().pointOnSurface(context.handle, geometry), in: context,
      orFailedTo: "find a point"
    ).read().points.first
  }
}
