/// A polygon as somebody wrote it, not yet known to be one.
package struct PolygonDraft: Sendable {
  /// What may be done to make a polygon of it.
  package struct Allowances: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Longitudes beyond ±180 are brought back by whole turns, and planar rings cut there.
    package static let wrapping = Allowances(rawValue: 1)
    /// What breaks a rule is repaired, as far as that goes.
    package static let repairing = Allowances(rawValue: 2)
  }

  /// The outer ring and then the holes, in degrees as written.
  package internal(set) var rings: [PlaneRing]
  /// What was changed, in sentences.
  package internal(set) var changes: [String] = []

  package init(rings: [PlaneRing]) { self.rings = rings }

  /// Whether a longitude lies beyond ±180.
  package var isBeyondAntimeridian: Bool {
    rings.contains { $0.xs.contains { abs($0) > 180 } }
  }

  /// The polygons that it stands for, their rings closed; the rest is for `GeoPolygon.validate()`.
  package mutating func polygons(
    edges: GeoPolygon.Edges, allowing allowed: Allowances
  ) throws(GeometryError) -> [[[GeoPoint]]] {
    if allowed.contains(.repairing) { closeRings() }
    try checkPlaces(beyondAntimeridian: allowed.contains(.wrapping))
    try checkRings()
    if edges == .planar { try checkJumps() }
    let cuts = edges == .planar && isBeyondAntimeridian
    var parts = [rings]
    if allowed.contains(.repairing), let repaired = try repair(edges) {
      parts = repaired
    } else if cuts {
      var check = RingCheck(PlaneImage(written: rings))
      if let fault = check.fault() { throw fault.error(polygon: 0) }
    }
    if cuts { parts = try cut(parts) }
    return parts.map { $0.map(Self.places) }
  }

  static func places(_ ring: PlaneRing) -> [GeoPoint] {
    // The values were found in range, so that none is lost.
    ring.xs.indices.compactMap {
      GeoPoint(latitude: ring.ys[$0], longitude: turned(ring.xs[$0]))
    }
  }
}
