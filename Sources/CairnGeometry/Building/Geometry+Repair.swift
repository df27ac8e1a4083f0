extension Geometry {
  /// Returns a valid geometry with the area of this one. Edges are straight in longitude and
  /// latitude.
  ///
  /// Open rings are closed. Holes of fewer than four points, lines of one point and polygons without
  /// an area are removed, unless nothing else is left. A ring that only touches itself is split there,
  /// which leaves the area as it is. A polygon that breaks another rule becomes the polygons that are left when the area between its edges is filled and
  /// emptied in turn, from the outside to the inside: a bow tie becomes two triangles. Polygons of a
  /// multipolygon that overlap or share an edge are merged. Valid parts stay as they are. Vertices
  /// keep their altitudes; new ones have none.
  ///
  /// - Throws: ``GeometryError`` if a location is not on the earth, nothing is left of the geometry,
  ///   or GEOS is not installed.
  public func repaired() throws(GeometryError) -> Geometry {
    var changes: [String] = []
    return try repaired(reporting: &changes)
  }

  /// Returns a valid geometry, and appends the changes as messages.
  package func repaired(reporting changes: inout [String]) throws(GeometryError) -> Geometry {
    do throws(GeometryError) {
      try validate(edges: .planar)
      return self
    } catch {
      let (result, repair) = try withView { (view) throws(GeometryError) in
        try view.checkLocations()
        var rewriter = GeometryRewriter(view, rules: Repair())
        return (try rewriter.geometry(), rewriter.rules)
      }
      if result.isEmpty, let fault = repair.firstRemoval { throw fault }
      try result.validate(edges: .planar)
      changes += repair.changes
      return result
    }
  }
}

/// The rules of a repair.
private struct Repair: GeometryRules {
  /// The changes that were made, as messages.
  private(set) var changes: [String] = []
  /// The fault of the first part that was removed.
  private(set) var firstRemoval: GeometryError?

  mutating func lines(of line: PlaneLine) -> [PlaneLine] {
    guard line.count == 1 else { return [line] }
    remove(
      GeometryError(
        .tooFewPoints, message: "a line has 1 point; it needs at least 2",
        location: GeoPoint(latitude: line.ys[0], longitude: line.xs[0])), name: "")
    return []
  }

  mutating func polygons(
    of rings: [PlaneRing], name: String
  ) throws(GeometryError) -> [[PlaneRing]] {
    var draft = PolygonBuilder(rings: rings)
    draft.closeRings()
    do throws(GeometryError) {
      try draft.checkRings()
      let polygons = try draft.repair(.planar)
      changes += draft.changes.map { name + $0 }
      return polygons ?? [draft.rings]
    } catch {
      guard error.kind == .tooFewPoints || draft.hasNoArea else { throw error }
      remove(error, name: name)
      return []
    }
  }

  private mutating func remove(_ fault: GeometryError, name: String) {
    changes.append("\(name)\(fault.message): it was removed")
    if firstRemoval == nil { firstRemoval = fault }
  }

  mutating func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    guard let (merged, fault) = try PolygonBuilder.merged(polygons) else { return polygons }
    changes.append(
      "\(fault.description): \(polygons.count) polygons were merged into \(merged.count)")
    return merged
  }
}

extension PolygonBuilder {
  /// Merges polygons that overlap or share an edge, and returns the first fault too; nil if there is
  /// none.
  static func merged(
    _ polygons: [[PlaneRing]]
  ) throws(GeometryError) -> (polygons: [[PlaneRing]], fault: RingFault)? {
    guard polygons.count > 1 else { return nil }
    let image = PlaneImage(written: Array(polygons.joined()))
    let check = RingCheck(image, ringCounts: polygons.map(\.count))
    guard let fault = check.fault() else { return nil }
    let context = try GEOSContext()
    var parts: [GEOSGeometry] = []
    for rings in polygons { parts.append(try GEOSGeometry.polygon(rings, in: context)) }
    let merged = try GEOSGeometry.collection(.multiPolygon, of: parts, in: context)
      .unaryUnion().polygons()
    return (merged, fault)
  }
}
