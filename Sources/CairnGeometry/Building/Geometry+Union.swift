extension Geometry {
  /// Returns the points of all geometries. Polygons that overlap or share an edge become one, and
  /// points and lines that lie in polygons are left out.
  ///
  /// Edges are straight in longitude and latitude. The result is that of pairwise unions, in one step.
  /// Where that fails by rounding, all vertices are moved to a grid of 1e-9 degrees.
  ///
  /// - Returns: Without geometries, or of empty ones, an empty collection.
  /// - Throws: ``GeometryError`` if a geometry is not valid, whose number the message names, or if
  ///   GEOS is not installed.
  /// - Complexity: O(*n* log *n*) in the number of vertices.
  public static func union(of geometries: [Geometry]) throws(GeometryError) -> Geometry {
    let context = try GEOSContext()
    var parts: [GEOSGeometry] = []
    for (index, geometry) in geometries.enumerated() {
      try geometry.validate(asNumber: index + 1)
      try geometry.withView { (view) throws(GeometryError) in
        for part in view.parts {
          parts.append(try GEOSGeometry.copy(part, of: view, in: context))
        }
      }
    }
    return try GEOSGeometry.collection(.collection, of: parts, in: context).robustUnion().read()
  }

  /// Returns the union of polygons that share whole edges and do not overlap, such as cells of a grid
  /// or districts with common borders. Edges that two of them share vanish; all others stay, with
  /// their vertices.
  ///
  /// Edges are straight in longitude and latitude. It takes a fraction of the time of `union(of:)`.
  ///
  /// - Returns: A multipolygon, or a polygon if there is exactly one.
  /// - Throws: ``GeometryError`` if a geometry is not valid or has points or lines, whose number the
  ///   message names, or if polygons overlap or share edges in part only.
  /// - Complexity: O(*n* + *r* log *r*) for *n* vertices, *r* of the result, and one step for each
  ///   hole and outer ring of the result together.
  public static func coverageUnion(of geometries: [Geometry]) throws(GeometryError) -> Geometry {
    var union = CoverageUnion()
    for (index, geometry) in geometries.enumerated() {
      try geometry.validate(asNumber: index + 1)
      try geometry.withView { (view) throws(GeometryError) in
        guard view.hasOnlyPolygons else {
          throw GeometryError(
            .overlap,
            message: "a coverage consists of polygons; geometry \(index + 1) has points or lines")
        }
        try union.add(view)
      }
    }
    return try union.geometry()
  }

  /// Checks one of several geometries, and names its number, which counts from 1, in the error.
  private func validate(asNumber number: Int) throws(GeometryError) {
    do throws(GeometryError) {
      try validate(edges: .planar)
    } catch {
      throw GeometryError(
        error.kind, message: "geometry \(number): \(error.message)", polygon: error.polygon,
        ring: error.ring, location: error.location)
    }
  }
}

extension GeometryView {
  /// Whether no part is a point or a line.
  fileprivate var hasOnlyPolygons: Bool {
    parts.allSatisfy { part in
      if case .polygon = part { return true }
      return false
    }
  }
}
