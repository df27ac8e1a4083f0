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
    if edges == .geodesic { return try repairGeodesic() }
    let image = PlaneImage(written: rings)
    var check = RingCheck(image)
    guard let fault = check.fault() else { return nil }
    return try made(valid: image, fault)
  }

  private mutating func repairGeodesic() throws(GeometryError) -> [[PlaneRing]]? {
    let places = rings.map { ring in
      ring.xs.indices.compactMap {
        GeoPoint(latitude: ring.ys[$0], longitude: turned(ring.xs[$0]))
      }
    }
    let image = try PlaneImage(gnomonic: places, polygon: 0)
    var check = RingCheck(image)
    guard let fault = check.fault() else { return nil }
    var written: [PlanePoint: GeoPoint] = [:]
    for (ring, places) in zip(image.rings, places) {
      for (index, place) in places.enumerated() {
        written[PlanePoint(x: ring.xs[index], y: ring.ys[index])] = place
      }
    }
    return try made(valid: image, fault).map { rings in
      rings.map { Self.unprojected($0, image, written) }
    }
  }

  /// Points that were there before come back as they were written.
  private static func unprojected(
    _ ring: PlaneRing, _ image: PlaneImage, _ written: [PlanePoint: GeoPoint]
  ) -> PlaneRing {
    var made = PlaneRing()
    for (x, y) in zip(ring.xs, ring.ys) {
      guard let place = written[PlanePoint(x: x, y: y)] ?? image.place(x, y) else { continue }
      made.append(place.longitude, place.latitude)
    }
    return made
  }

  private mutating func made(
    valid image: PlaneImage, _ fault: RingFault
  ) throws(GeometryError) -> [[PlaneRing]] {
    let made = try GEOSPolygon(image.rings, in: GEOSContext()).madeValid()
    guard !made.isEmpty else { throw fault.error(polygon: 0) }
    let spot = fault.place.map { " at \($0.asWritten)" } ?? ""
    changes.append(
      "\(fault.words)\(spot): \(Self.words(for: [image.rings])) became \(Self.words(for: made)).")
    return made
  }

  private static func words(for polygons: [[PlaneRing]]) -> String {
    let holes = polygons.reduce(0) { $0 + $1.count - 1 }
    let vertices = polygons.joined().reduce(0) { $0 + max(0, $1.count - 1) }
    let number = polygons.count == 1 ? "1 polygon" : "\(polygons.count) polygons"
    let cut = holes == 0 ? "" : holes == 1 ? " and 1 hole" : " and \(holes) holes"
    return "\(number) of \(vertices) vertices\(cut)"
  }
}
