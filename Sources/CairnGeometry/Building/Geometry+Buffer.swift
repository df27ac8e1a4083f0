extension Geometry {
  /// The greatest distance of a buffer in radians. What lies within it is less than a hemisphere.
  private static let maxBuffer = 9_000_000 / Sphere.radius

  /// Returns the area within a distance of the geometry, on the sphere.
  ///
  /// Edges are straight in longitude and latitude, as they are in the result. Arcs have 64 edges in a
  /// circle unless the style says otherwise: their vertices are at the distance within 0.01 %, and
  /// their edges come closer by up to 0.15 %. A buffer that crosses the antimeridian is cut there, and
  /// one around a pole reaches it along the edge of the map, as RFC 7946 requires.
  ///
  /// - Parameters:
  ///   - distance: the distance, up to 9 000 km. A distance of 0 returns the geometry itself.
  ///   - style: the ends of lines, and the corners of lines and outlines.
  /// - Returns: A polygon or a multipolygon; an empty geometry has itself as its buffer.
  /// - Throws: ``GeometryError`` if the geometry is not valid, the distance is too great, a number of
  ///   the style is out of its range, or GEOS is not installed.
  public func buffer(
    _ distance: Distance, style: BufferStyle = .round
  ) throws(GeometryError) -> Geometry {
    try Self.check(distance)
    try style.check()
    try validate(edges: .planar)
    if distance.radians == 0 || isEmpty { return self }
    return try withView { (view) throws(GeometryError) in
      if let circle = SphereBuffer.circle(around: view, distance: distance, style: style) {
        return circle
      }
      var buffer = try SphereBuffer(distance: distance, style: style)
      try buffer.add(view)
      return try buffer.union()?.read() ?? .noArea
    }
  }

  /// Returns the part of the geometry's polygons that is farther than a distance from their outlines,
  /// on the sphere.
  ///
  /// Edges are straight in longitude and latitude. The edges of a polygon that is cut at the
  /// antimeridian, and those along a pole, do not count as outlines. Polygons of a collection that overlap
  /// count as one; points and lines are left out.
  ///
  /// - Parameter distance: the distance, up to 9 000 km, as precise as that of a buffer.
  /// - Returns: A polygon or a multipolygon, which is empty if nothing is left.
  /// - Throws: ``GeometryError`` if the geometry is not valid, the distance is too great, or GEOS is
  ///   not installed.
  public func inset(_ distance: Distance) throws(GeometryError) -> Geometry {
    try Self.check(distance)
    try validate(edges: .planar)
    return try withView { (view) throws(GeometryError) in
      var buffer = try SphereBuffer(distance: distance, style: .round)
      let dimensions = try GEOSDimensions(view, in: buffer.context)
      guard let polygons = dimensions.polygons else { return .noArea }
      let whole = try polygons.read()
      guard distance.radians > 0 else { return whole }
      try whole.withView { (view) throws(GeometryError) in
        for outline in view.earthOutlines { try buffer.add(outline.line.ring) }
      }
      guard let edge = try buffer.union() else { return whole }
      return try polygons.difference(edge).read()
    }
  }

  private static func check(_ distance: Distance) throws(GeometryError) {
    guard distance.radians <= maxBuffer else {
      throw GeometryError(
        .outOfRange, message: "the buffer has a distance of \(distance); expected up to 9000 km")
    }
  }

  /// A multipolygon without a polygon.
  private static var noArea: Geometry { Geometry(polygons: []) }
}
