extension PolygonDraft {
  /// Closes open rings, and leaves out holes that hold nothing.
  mutating func closeRings() {
    var kept: [PlaneRing] = []
    for (number, ring) in rings.enumerated() {
      let name = RingFault.name(number)
      var ring = ring
      if ring.count > 2, !ring.isClosed {
        ring.append(ring.xs[0], ring.ys[0])
        changes.append("\(name) was not closed: its first point was added at its end.")
      }
      if number > 0, ring.count < 4 {
        changes.append("\(name) has \(ring.count) points, which hold nothing: it was left out.")
      } else {
        kept.append(ring)
      }
    }
    rings = kept
  }

  /// The polygons that GEOS makes of it where it breaks a rule; nil where it breaks none.
  mutating func repair(_ edges: GeoPolygon.Edges) throws(GeometryError) -> [[PlaneRing]]? {
    let image: PlaneImage
    switch edges {
    case .planar: image = PlaneImage(written: rings)
    case .geodesic: image = try PlaneImage(gnomonic: rings.map(Self.places), polygon: 0)
    }
    var check = RingCheck(image)
    guard let fault = check.fault() else { return nil }
    let made = try edges == .planar ? Self.valid(image) : Self.validOnSphere(image, rounds: 8)
    guard !made.isEmpty else { throw fault.error(polygon: 0) }
    let spot = fault.place.map { " at \($0.asWritten)" } ?? ""
    changes.append(
      "\(fault.words)\(spot): \(Self.words(for: [image.rings])) became \(Self.words(for: made)).")
    return made
  }

  private static func valid(_ image: PlaneImage) throws(GeometryError) -> [[PlaneRing]] {
    try GEOSPolygon(image.rings, in: GEOSContext()).madeValid()
  }

  /// The valid polygons of an image, in degrees.
  ///
  /// Points that are new are rounded on their way back to the sphere, so that edges may cross anew: these polygons are
  /// repaired once more, up to `rounds` times. Slivers are left out, as a point cannot be told from their boundary.
  private static func validOnSphere(
    _ image: PlaneImage, rounds: Int
  ) throws(GeometryError) -> [[PlaneRing]] {
    let written = image.writtenPlaces
    var valid: [[PlaneRing]] = []
    for face in try Self.valid(image) {
      guard let made = unprojected(face.withoutSlivers, image, written) else { continue }
      let places = made.map(Self.places)
      let copy = try PlaneImage(gnomonic: places, polygon: 0)
      var check = RingCheck(copy)
      guard let fault = check.fault() else {
        valid.append(made)
        continue
      }
      guard rounds > 0 else { throw fault.error(polygon: 0) }
      valid += try validOnSphere(copy, rounds: rounds - 1)
    }
    return valid
  }

  /// Points that were there before come back as they were written; nil where nothing is left.
  private static func unprojected(
    _ face: [PlaneRing], _ image: PlaneImage, _ written: [PlanePoint: GeoPoint]
  ) -> [PlaneRing]? {
    var rings: [PlaneRing] = []
    for (number, ring) in face.enumerated() {
      var made = PlaneRing()
      for (x, y) in zip(ring.xs, ring.ys) {
        guard let place = written[PlanePoint(x: x, y: y)] ?? image.place(x, y),
          place.longitude != made.xs.last || place.latitude != made.ys.last
        else { continue }
        made.append(place.longitude, place.latitude)
      }
      if made.count > 3 {
        rings.append(made)
      } else if number == 0 {
        return nil
      }
    }
    return rings.isEmpty ? nil : rings
  }

  private static func words(for polygons: [[PlaneRing]]) -> String {
    let holes = polygons.reduce(0) { $0 + $1.count - 1 }
    let vertices = polygons.joined().reduce(0) { $0 + max(0, $1.count - 1) }
    let number = polygons.count == 1 ? "1 polygon" : "\(polygons.count) polygons"
    let cut = holes == 0 ? "" : holes == 1 ? " and 1 hole" : " and \(holes) holes"
    return "\(number) of \(vertices) vertices\(cut)"
  }
}

extension PlaneImage {
  /// The places of the image's points, as they were written.
  fileprivate var writtenPlaces: [PlanePoint: GeoPoint] {
    var written: [PlanePoint: GeoPoint] = [:]
    for (ring, places) in zip(rings, places) {
      for (index, place) in places.enumerated() {
        written[PlanePoint(x: ring.xs[index], y: ring.ys[index])] = place
      }
    }
    return written
  }
}

extension [PlaneRing] {
  /// The rings without holes that are slivers; empty where the outer ring is one.
  fileprivate var withoutSlivers: [PlaneRing] {
    guard let outer = first, !outer.isSliver else { return [] }
    return [outer] + dropFirst().filter { !$0.isSliver }
  }
}

extension PlaneRing {
  /// The width of a sliver in units of the plane, about ten times that of a geodesic edge: 0.1 µm on the ground.
  private static let leastWidth = 2e-14

  /// Whether it is so narrow that every point of it counts as on its boundary.
  fileprivate var isSliver: Bool {
    guard count > 3 else { return true }
    var (area, perimeter, farthest) = (0.0, 0.0, 0.0)
    for index in 1..<count {
      let (x, y) = (xs[index] - xs[index - 1], ys[index] - ys[index - 1])
      area += (xs[index - 1] - xs[0]) * y - (ys[index - 1] - ys[0]) * x
      perimeter += (x * x + y * y).squareRoot()
      farthest = Swift.max(farthest, xs[index] * xs[index] + ys[index] * ys[index])
    }
    return abs(area) <= Self.leastWidth * (1 + farthest) * perimeter / 2
  }
}
