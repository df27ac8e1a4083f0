/// Shapes around a geometry in the plane of longitude and latitude. A geometry takes the shorter way
/// around the earth: where its parts take less of the longitudes if they continue beyond 180 degrees,
/// they do, and the shape is cut at the antimeridian.
extension Geometry {
  /// Returns the smallest convex geometry around this one in the plane of longitude and latitude: a
  /// polygon, or a line or point if that is enough; several where it is cut at the antimeridian.
  ///
  /// - Throws: ``GeometryError`` if a location is not on the earth, or GEOS is not installed.
  public func convexHull() throws(GeometryError) -> Geometry {
    try hull { (geometry) throws(GeometryError) in try geometry.convexHull() }
  }

  /// Returns a polygon without holes around the vertices in the plane of longitude and latitude that
  /// follows them more closely than the convex hull; several where it is cut at the antimeridian.
  ///
  /// - Parameter ratio: how long edges may be, from 1 for the convex hull to 0 for those as short as
  ///   one polygon around all vertices allows.
  /// - Throws: ``GeometryError`` if a location is not on the earth, the ratio is out of range, or GEOS
  ///   3.11 or later is not installed.
  public func concaveHull(ratio: Double) throws(GeometryError) -> Geometry {
    guard 0...1 ~= ratio else {
      throw GeometryError(
        .outOfRange, message: "the ratio of a concave hull is \(ratio); expected 0 to 1")
    }
    return try hull { (geometry) throws(GeometryError) in
      // Rounding may let the longest edge look too long.
      try ratio == 1 ? geometry.convexHull() : geometry.concaveHull(ratio: ratio)
    }
  }

  /// Returns the narrowest rectangle around the geometry in the plane of longitude and latitude, in any
  /// direction: a polygon, or a line or point if that is enough; several where it is cut at the
  /// antimeridian.
  ///
  /// - Throws: ``GeometryError`` if a location is not on the earth, the rectangle reaches beyond a pole,
  ///   or GEOS 3.11 or later is not installed.
  public func minimumRotatedRectangle() throws(GeometryError) -> Geometry {
    let rectangle = try hull { (geometry) throws(GeometryError) in
      try geometry.rotatedRectangle()
    }
    var builder = GeometryBuilder()
    rectangle.withView { builder.append($0) }
    builder.removeNoise()
    let snapped = builder.geometry()
    return snapped.withView { $0.isBeyondAntimeridian } ? try snapped.wrapped() : snapped
  }

  /// Removes noise from the latitudes of a shape, and checks that it reaches beyond no pole.
  private func withinPoles() throws(GeometryError) -> Geometry {
    var builder = GeometryBuilder()
    withView { builder.append($0) }
    let beyond = builder.withCoordinates { _, latitudes in
      for index in latitudes.indices { latitudes[index] = EarthLimits.latitude(latitudes[index]) }
      return latitudes.first { abs($0) > 90 }
    }
    guard let beyond else { return builder.geometry() }
    throw GeometryError(
      .outOfRange,
      message: "the shape around the geometry has a corner at latitude \(beyond), beyond a pole"
    )
  }

  /// Returns the least box along meridians and parallels around the geometry: a polygon, or a line or
  /// point if that is enough; two where it is cut at the antimeridian. It contains the geometry if
  /// edges are straight in longitude and latitude.
  ///
  /// - Returns: An empty geometry has itself as its envelope.
  /// - Throws: ``GeometryError`` if a location is not on the earth.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public func envelope() throws(GeometryError) -> Geometry {
    try checkLocations()
    return try acrossAntimeridian { (geometry) throws(GeometryError) in
      geometry.withView { $0.planarBounds.map(Self.box) } ?? geometry
    }
  }

  private static func box(
    _ bounds: (west: Double, south: Double, east: Double, north: Double)
  ) -> Geometry {
    let isPoint = bounds.west == bounds.east && bounds.south == bounds.north
    let isLine = !isPoint && (bounds.west == bounds.east || bounds.south == bounds.north)
    let corners =
      isPoint
      ? [(bounds.west, bounds.south)]
      : isLine
        ? [(bounds.west, bounds.south), (bounds.east, bounds.north)]
        : [
          (bounds.west, bounds.south), (bounds.east, bounds.south), (bounds.east, bounds.north),
          (bounds.west, bounds.north), (bounds.west, bounds.south),
        ]
    var builder = GeometryBuilder()
    builder.begin(isPoint ? .point : isLine ? .lineString : .polygon)
    if !isPoint, !isLine { builder.beginRing() }
    for (x, y) in corners { builder.add(longitude: x, latitude: y) }
    if !isPoint, !isLine { builder.endRing() }
    builder.end()
    return builder.geometry()
  }

  private func hull(
    _ operation: (GEOSGeometry) throws(GeometryError) -> GEOSGeometry
  ) throws(GeometryError) -> Geometry {
    try checkLocations()
    return try acrossAntimeridian { (geometry) throws(GeometryError) in
      try geometry.transformed(operation).withinPoles()
    }
  }

  private func checkLocations() throws(GeometryError) {
    try withView { (view) throws(GeometryError) in try view.checkLocations() }
  }
}
