extension Geometry {
  /// Returns a valid geometry with the area of this one. Edges are straight in longitude and
  /// latitude.
  ///
  /// Open rings are closed, and holes of fewer than four points are removed. A polygon that breaks
  /// another rule becomes the polygons that are left when the area between its edges is filled and
  /// emptied in turn, from the outside to the inside: a bow tie becomes two triangles. Polygons of a
  /// multipolygon that overlap or share an edge are merged. Valid parts stay as they are. Vertices
  /// keep their altitudes; new ones have none.
  ///
  /// - Throws: ``GeometryError`` if a location is not on the earth, a line has one point, nothing is
  ///   left of a polygon, or GEOS is not installed.
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

  mutating func polygons(
    of rings: [PlaneRing], name: String
  ) throws(GeometryError) -> [[PlaneRing]] {
    var draft = PolygonBuilder(rings: rings)
    draft.closeRings()
    try draft.checkRings()
    let polygons = try draft.repair(.planar)
    changes += draft.changes.map { name + $0 }
    return polygons ?? [draft.rings]
  }

  mutating func merged(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    guard let (merged, fault) = try PolygonBuilder.merged(polygons) else { return polygons }
    let suffix = fault.location.map { " at \($0.messageText)" } ?? ""
    changes.append(
      "\(fault.summary)\(suffix): \(polygons.count) polygons were merged into \(merged.count)")
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
