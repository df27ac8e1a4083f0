extension Geometry {
  /// Returns the geometry with fewer vertices, by the algorithm of Douglas and Peucker. Those that are
  /// left stay as they are.
  ///
  /// Edges are straight in longitude and latitude; distances are those on the sphere. Each line and each
  /// ring is simplified by itself: lines keep their ends, rings their first vertex, and a ring keeps
  /// the vertices where it was cut at the antimeridian. A ring with fewer than four vertices left
  /// vanishes, as does a polygon with its outer ring. Where rings then cross, the polygon becomes the
  /// area of the outer ring without those of the holes; polygons of a multipolygon that overlap or
  /// share an edge are merged. That makes new vertices.
  ///
  /// - Parameter distance: the largest distance of a vertex that is left out from the new edge.
  /// - Throws: ``GeometryError`` if the geometry is not valid, or GEOS is needed because rings cross,
  ///   and not installed.
  /// - Complexity: O(*n* log *n*) in the number of vertices for most lines, O(*n*²) at worst.
  public func simplified(within distance: Distance) throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    return try withView { (view) throws(GeometryError) in
      var rewriter = GeometryRewriter(
        view, rules: PartSimplification(tolerance: distance.asDegrees()))
      return try rewriter.geometry()
    }
  }

  /// Returns the geometry with fewer vertices and the same topology: lines keep their ends, no ring
  /// vanishes, and no line or ring comes to cross another one or to pass over a vertex of it. Those that
  /// are left stay as they are.
  ///
  /// Edges are straight in longitude and latitude; distances are those on the sphere. The algorithm is
  /// that of Douglas and Peucker, where an edge must not pass over a vertex either. A ring keeps the
  /// vertices where it was cut at the antimeridian.
  ///
  /// - Parameter distance: the largest distance of a vertex that is left out from the new edge.
  /// - Throws: ``GeometryError`` if the geometry is not valid.
  /// - Complexity: O(*n* log *n*) in the number of vertices for most geometries, O(*n*²) at worst.
  public func simplifiedPreservingTopology(
    within distance: Distance
  ) throws(GeometryError) -> Geometry {
    try validate(edges: .planar)
    return withView { $0.simplified(tolerance: distance.asDegrees(), scale: .earth) }
  }

  /// Returns the geometry with fewer vertices in the plane of longitude and latitude. Lines keep their
  /// ends, and the edges of one polygon neither cross nor vanish.
  ///
  /// - Parameter tolerance: the largest distance in degrees, 0 or more, of a vertex that is left out
  ///   from the new edge.
  /// - Throws: ``GeometryError`` if the geometry is not valid.
  public func simplified(tolerance: Double) throws(GeometryError) -> Geometry {
    guard tolerance >= 0, tolerance.isFinite else {
      throw GeometryError(
        .outOfRange, message: "the tolerance is \(tolerance); expected 0 degrees or more")
    }
    try validate(edges: .planar)
    return withView { $0.simplified(tolerance: tolerance, scale: .plane) }
  }
}

extension GeometryView {
  /// The geometry without vertices that may be left out without a change of its topology.
  fileprivate func simplified(tolerance: Double, scale: DouglasPeucker.Scale) -> Geometry {
    let obstacles = VertexGrid(self)
    var builder = GeometryBuilder()
    builder.append(self) { vertices, isRing in
      var run = DouglasPeucker(ring(vertices), tolerance: tolerance, scale: scale)
      run.simplify(isRing: isRing, among: obstacles, from: vertices.lowerBound)
      return run.kept.map { vertices.lowerBound + $0 }
    }
    return builder.geometry()
  }
}

/// The rules of a simplification of each path by itself.
private struct PartSimplification: GeometryRules {
  /// The tolerance in degrees of a great circle.
  let tolerance: Double

  func lines(of line: PlaneLine) -> [PlaneLine] {
    var run = DouglasPeucker(line.ring, tolerance: tolerance, scale: .earth)
    run.simplify(isRing: false)
    var simple = PlaneLine()
    for index in run.kept {
      simple.append(line.xs[index], y: line.ys[index], altitude: line.altitudes[index])
    }
    return [simple]
  }

  func polygons(of rings: [PlaneRing], name: String) throws(GeometryError) -> [[PlaneRing]] {
    var simple: [PlaneRing] = []
    for (number, ring) in rings.enumerated() {
      var run = DouglasPeucker(ring, tolerance: tolerance, scale: .earth)
      run.simplify(isRing: true)
      let kept = run.kept
      if kept.count > 3 {
        simple.append(PlaneRing(xs: kept.map { ring.xs[$0] }, ys: kept.map { ring.ys[$0] }))
      } else if number == 0 {
        return []
      }
    }
    let check = RingCheck(PlaneImage(written: simple))
    return check.fault() == nil ? [simple] : try Self.area(of: simple)
  }

  /// The area of the outer ring without those of the holes, each made valid by itself.
  private static func area(of rings: [PlaneRing]) throws(GeometryError) -> [[PlaneRing]] {
    let context = try GEOSContext()
    var area: GEOSGeometry?
    for ring in rings {
      var parts: [GEOSGeometry] = []
      for rings in try GEOSPolygon([ring], in: context).madeValid() {
        parts.append(try GEOSGeometry.polygon(rings, in: context))
      }
      let inside = try GEOSGeometry.collection(.multiPolygon, of: parts, in: context).unaryUnion()
      area = try area?.difference(inside) ?? inside
    }
    return try area?.polygons() ?? []
  }

  func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    try PolygonBuilder.merged(polygons)?.polygons ?? polygons
  }
}
