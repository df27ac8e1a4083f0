/// Builds a valid polygon from rings as a user or a file gives them.
package struct PolygonBuilder: Sendable {
  /// The corrections that may be made.
  package struct Allowances: OptionSet, Sendable {
    /// The bits of the corrections.
    package let rawValue: Int

    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Longitudes beyond ±180 are brought back by whole turns, and planar rings are cut there.
    package static let wrapping = Allowances(rawValue: 1)
    /// Rings that break a rule are repaired, as far as possible.
    package static let repairing = Allowances(rawValue: 2)
  }

  /// The outer ring and then the holes, in degrees as given.
  package internal(set) var rings: [PlaneRing]
  /// The corrections that were made, as messages.
  package internal(set) var changes: [String] = []
  /// Whether a repair found that the polygon has no area.
  var hasNoArea = false

  /// Creates a builder for the outer ring and the holes.
  package init(rings: [PlaneRing]) { self.rings = rings }

  /// Whether a longitude is beyond ±180.
  package var isBeyondAntimeridian: Bool {
    rings.contains { $0.xs.contains { abs(EarthLimits.longitude($0)) > 180 } }
  }

  /// The polygons of the rings, all closed. `GeoPolygon.validate()` checks the other rules.
  package mutating func polygons(
    edges: GeoPolygon.Edges, allowing allowed: Allowances
  ) throws(GeometryError) -> [[[GeoPoint]]] {
    if allowed.contains(.repairing) { closeRings() }
    try checkLocations(beyondAntimeridian: allowed.contains(.wrapping))
    try checkRings()
    if edges == .planar { try checkJumps() }
    let cuts = edges == .planar && isBeyondAntimeridian
    var parts = [rings]
    if allowed.contains(.repairing), let repaired = try repair(edges) {
      parts = repaired
    } else if let split = split(edges) {
      parts = split
    } else if cuts {
      let check = RingCheck(PlaneImage(written: rings))
      if let fault = check.fault() { throw fault.error(polygon: 0) }
    }
    if cuts { parts = try cut(parts) }
    return parts.map { $0.map(Self.locations) }
  }

  static func locations(_ ring: PlaneRing) -> [GeoPoint] {
    // All values are known to be in range, so none is dropped.
    ring.xs.indices.compactMap {
      GeoPoint(latitude: ring.ys[$0], longitude: normalized(ring.xs[$0]))
    }
  }
}

extension PolygonBuilder {
  /// The limit on longitudes: more turns than these degrees are a mistake rather than a notation.
  private static let farthest = 3600.0

  /// Checks that every value is finite and on the earth.
  func checkLocations(beyondAntimeridian isAllowed: Bool) throws(GeometryError) {
    for (number, ring) in rings.enumerated() {
      for index in 0..<ring.count {
        let x = EarthLimits.longitude(ring.xs[index])
        let y = EarthLimits.latitude(ring.ys[index])
        if abs(y) <= 90, abs(x) <= 180 || (isAllowed && abs(x) <= Self.farthest) { continue }
        throw GeometryError.location(
          x, y: y, of: "\(RingFault.name(number)), point \(index + 1)", ring: number)
      }
    }
  }

  /// Checks that every ring is closed and has at least four points.
  func checkRings() throws(GeometryError) {
    try GeoPolygon.checkRings(of: [rings.map(Self.ends)])
  }

  /// The first points of a ring and its last one, which show whether it is a ring.
  private static func ends(_ ring: PlaneRing) -> [GeoPoint] {
    let kept = ring.count <= 4 ? Array(0..<ring.count) : [0, 1, 2, ring.count - 1]
    return kept.compactMap { GeoPoint(latitude: ring.ys[$0], longitude: normalized(ring.xs[$0])) }
  }

  /// Checks that no edge is so long that it must be meant to go the other way around.
  ///
  /// An edge along a whole parallel, from -180 to 180, bounds a whole band and is accepted.
  func checkJumps() throws(GeometryError) {
    for (number, ring) in rings.enumerated() {
      for index in 1..<max(1, ring.count) {
        let step = abs(ring.xs[index] - ring.xs[index - 1])
        if step <= 180 || (step == 360 && ring.ys[index] == ring.ys[index - 1]) { continue }
        throw GeometryError(
          .antimeridian,
          message:
            "\(RingFault.name(number)) jumps from longitude \(ring.xs[index - 1]) to longitude "
            + "\(ring.xs[index]) at its point \(index + 1), across the antimeridian, which straight "
            + "lines in longitude and latitude cannot cross; cut it there",
          polygon: 0, ring: number,
          location: GeoPoint(latitude: ring.ys[index], longitude: normalized(ring.xs[index])))
      }
    }
  }
}

extension PolygonBuilder {
  /// Cuts valid polygons at every multiple of the antimeridian, as RFC 7946, section 3.1.9,
  /// requires, and brings the pieces back to -180 ... 180.
  mutating func cut(_ polygons: [[PlaneRing]]) throws(GeometryError) -> [[PlaneRing]] {
    var pieces: [[PlaneRing]] = []
    for rings in polygons { pieces += try Self.cutIntoWorlds(rings) }
    changes.append(
      polygons.count == pieces.count
        ? "longitudes beyond ±180 were wrapped by multiples of 360°"
        : "longitudes beyond ±180 were wrapped by multiples of 360°, with cuts along the "
          + "antimeridian: \(polygons.count) became \(pieces.count) polygons")
    return pieces
  }

  /// The pieces of a valid polygon between multiples of the antimeridian, each in -180 ... 180.
  static func cutIntoWorlds(_ rings: [PlaneRing]) throws(GeometryError) -> [[PlaneRing]] {
    guard let outer = rings.first, let west = outer.xs.min(), let east = outer.xs.max() else {
      return []
    }
    // A polygon that only touches the end of a turn does not reach into the next.
    let first = Int(((west + 180) / 360).rounded(.down))
    let turns = first...max(first, Int(((east + 180) / 360).rounded(.up)) - 1)
    return turns.count > 1 ? try cut(rings, at: turns) : [moved(rings, by: turns.lowerBound)]
  }

  private static func cut(
    _ rings: [PlaneRing], at turns: ClosedRange<Int>
  ) throws(GeometryError) -> [[PlaneRing]] {
    let context = try GEOSContext()
    let polygon = try GEOSPolygon(rings, in: context)
    var pieces: [[PlaneRing]] = []
    for turn in turns {
      let (west, east) = (Double(turn) * 360 - 180, Double(turn) * 360 + 180)
      let world = PlaneRing(xs: [west, east, east, west, west], ys: [-90, -90, 90, 90, -90])
      let inside = try polygon.intersection(with: GEOSPolygon([world], in: context))
      pieces += inside.map { moved($0, by: turn) }
    }
    return pieces
  }

  private static func moved(_ rings: [PlaneRing], by turn: Int) -> [PlaneRing] {
    guard turn != 0 else { return rings }
    return rings.map { ring in
      PlaneRing(xs: ring.xs.map { Longitude.moved($0, by: turn) }, ys: ring.ys)
    }
  }
}
