extension PolygonBuilder {
  /// Closes open rings and removes holes without an area.
  mutating func closeRings() {
    var kept: [PlaneRing] = []
    for (number, ring) in rings.enumerated() {
      let name = RingFault.name(number)
      var ring = ring
      if ring.count > 2, !ring.isClosed {
        ring.append(ring.xs[0], y: ring.ys[0])
        changes.append("\(name) was not closed: its first point was added at its end")
      }
      if number > 0, ring.count < 4 {
        changes.append("\(name) has \(ring.count) points and so no area: it was removed")
      } else {
        kept.append(ring)
      }
    }
    rings = kept
  }

  /// Replaces a polygon that breaks a rule by the valid polygons that GEOS derives from it; nil if
  /// it is valid.
  mutating func repair(_ edges: GeoPolygon.Edges) throws(GeometryError) -> [[PlaneRing]]? {
    let image: PlaneImage
    switch edges {
    case .planar: image = PlaneImage(written: rings)
    case .geodesic: image = try PlaneImage(gnomonic: rings.map(Self.locations), polygon: 0)
    }
    let check = RingCheck(image)
    guard let fault = check.fault() else { return nil }
    if let split = split(edges) {
      changes.append(
        "\(fault.description): \(Self.summary(for: [rings])) became \(Self.summary(for: split))")
      return split
    }
    let made = try edges == .planar ? Self.valid(image) : Self.validOnSphere(image, rounds: 8)
    guard !made.isEmpty else {
      hasNoArea = true
      throw fault.error(polygon: 0)
    }
    changes.append(
      "\(fault.description): \(Self.summary(for: [image.rings])) became \(Self.summary(for: made))")
    return made
  }

  /// Splits rings that touch themselves; nil if that does not make the polygon valid.
  func split(_ edges: GeoPolygon.Edges) -> [[PlaneRing]]? {
    guard let polygons = RingSplitter.split(rings) else { return nil }
    let all = Array(polygons.joined())
    let image =
      edges == .planar
      ? PlaneImage(written: all) : PlaneImage(gnomonicTogether: all.map(Self.locations))
    guard let image, RingCheck(image, ringCounts: polygons.map(\.count)).fault() == nil else {
      return nil
    }
    return polygons
  }

  private static func valid(_ image: PlaneImage) throws(GeometryError) -> [[PlaneRing]] {
    try GEOSPolygon(image.rings, in: GEOSContext()).madeValid()
  }

  /// The valid polygons of an image, in degrees.
  ///
  /// New points are rounded on their way back to the sphere, so that edges may cross again. Such
  /// polygons are repaired again, up to `rounds` times. Slivers are removed, because their
  /// points cannot be distinguished from their boundary.
  private static func validOnSphere(
    _ image: PlaneImage, rounds: Int
  ) throws(GeometryError) -> [[PlaneRing]] {
    let written = image.originalLocations
    var valid: [[PlaneRing]] = []
    for face in try Self.valid(image) {
      guard let made = unprojected(face.withoutSlivers, image: image, written: written) else {
        continue
      }
      let locations = made.map(Self.locations)
      let copy = try PlaneImage(gnomonic: locations, polygon: 0)
      let check = RingCheck(copy)
      guard let fault = check.fault() else {
        valid.append(made)
        continue
      }
      guard rounds > 0 else { throw fault.error(polygon: 0) }
      valid += try validOnSphere(copy, rounds: rounds - 1)
    }
    return valid
  }

  /// The rings of a face on the sphere; nil if nothing is left. Points of the original polygon keep
  /// their original coordinates.
  private static func unprojected(
    _ face: [PlaneRing], image: PlaneImage, written: [PlanePoint: GeoPoint]
  ) -> [PlaneRing]? {
    var rings: [PlaneRing] = []
    for (number, ring) in face.enumerated() {
      var made = PlaneRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        guard let location = written[PlanePoint(x: x, y: y)] ?? image.location(x, y: y),
          location.longitude != made.xs.last || location.latitude != made.ys.last
        else { continue }
        made.append(location.longitude, y: location.latitude)
      }
      if made.count > 3 {
        rings.append(made)
      } else if number == 0 {
        return nil
      }
    }
    return rings.isEmpty ? nil : rings
  }

  private static func summary(for polygons: [[PlaneRing]]) -> String {
    let holes = polygons.reduce(0) { $0 + $1.count - 1 }
    let vertices = polygons.joined().reduce(0) { $0 + max(0, $1.count - 1) }
    let number = polygons.count == 1 ? "1 polygon" : "\(polygons.count) polygons"
    let cut = holes == 0 ? "" : holes == 1 ? " and 1 hole" : " and \(holes) holes"
    return "\(number) of \(vertices) vertices\(cut)"
  }
}

extension PlaneImage {
  /// The original locations of the image's points.
  fileprivate var originalLocations: [PlanePoint: GeoPoint] {
    var written: [PlanePoint: GeoPoint] = [:]
    for (ring, locations) in zip(rings, locations) {
      for (index, location) in locations.enumerated() {
        written[PlanePoint(x: ring.xs[index], y: ring.ys[index])] = location
      }
    }
    return written
  }
}

extension [PlaneRing] {
  /// The rings without the holes that are slivers; empty if the outer ring is one.
  fileprivate var withoutSlivers: [PlaneRing] {
    guard let outer = first, !outer.isSliver else { return [] }
    return [outer] + dropFirst().filter { !$0.isSliver }
  }
}

extension PlaneRing {
  /// The width of a sliver in units of the plane, about ten times that of a geodesic edge: 0.1 µm
  /// on the ground.
  private static let minWidth = 2e-14

  /// Whether the ring is so narrow that every point of it counts as on its boundary.
  fileprivate var isSliver: Bool {
    guard count > 3 else { return true }
    var (area, perimeter, farthest) = (0.0, 0.0, 0.0)
    for index in 1..<count {
      let (x, y) = (xs[index] - xs[index - 1], ys[index] - ys[index - 1])
      area += (xs[index - 1] - xs[0]) * y - (ys[index - 1] - ys[0]) * x
      perimeter += (x * x + y * y).squareRoot()
      farthest = Swift.max(farthest, xs[index] * xs[index] + ys[index] * ys[index])
    }
    return abs(area) <= Self.minWidth * (1 + farthest) * perimeter / 2
  }
}
