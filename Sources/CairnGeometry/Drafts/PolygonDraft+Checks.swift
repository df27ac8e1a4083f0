extension PolygonDraft {
  /// Whole turns beyond this many degrees are a mistake rather than a way of writing.
  private static let farthest = 3600.0

  /// Every value finite and on the earth.
  func checkPlaces(beyondAntimeridian isAllowed: Bool) throws(GeometryError) {
    for (number, ring) in rings.enumerated() {
      for index in 0..<ring.count {
        let (x, y) = (ring.xs[index], ring.ys[index])
        if abs(y) <= 90, abs(x) <= 180 || (isAllowed && abs(x) <= Self.farthest) { continue }
        throw Self.placeError(x, y, ring: number, index: index)
      }
    }
  }

  private static func placeError(
    _ x: Double, _ y: Double, ring: Int, index: Int
  ) -> GeometryError {
    let name = "\(RingFault.name(ring)), point \(index + 1)"
    guard x.isFinite, y.isFinite else {
      return GeometryError(
        .notFinite, "\(name): longitude \(x), latitude \(y) is not finite.", polygon: 0, ring: ring)
    }
    let range =
      abs(y) > 90 ? "a latitude lies within ±90 degrees" : "a longitude lies within ±180 degrees"
    return GeometryError(
      .outOfRange, "\(name): longitude \(x), latitude \(y) is not on the earth; \(range).",
      polygon: 0, ring: ring)
  }

  /// Every ring closed, with four points at least.
  func checkRings() throws(GeometryError) {
    try GeoPolygon.checkRings(of: [rings.map(Self.ends)])
  }

  /// The first points of a ring and its last: what tells whether it is one.
  private static func ends(_ ring: PlaneRing) -> [GeoPoint] {
    let kept = ring.count <= 4 ? Array(0..<ring.count) : [0, 1, 2, ring.count - 1]
    return kept.compactMap { GeoPoint(latitude: ring.ys[$0], longitude: turned(ring.xs[$0])) }
  }

  /// No edge so long that it can only mean to go the other way round.
  ///
  /// One all along a parallel, from -180 to 180, bounds a whole band and goes nowhere else.
  func checkJumps() throws(GeometryError) {
    for (number, ring) in rings.enumerated() {
      for index in 1..<max(1, ring.count) {
        let step = abs(ring.xs[index] - ring.xs[index - 1])
        if step <= 180 || (step == 360 && ring.ys[index] == ring.ys[index - 1]) { continue }
        throw GeometryError(
          .antimeridian,
          "\(RingFault.name(number)) jumps from longitude \(ring.xs[index - 1]) to longitude "
            + "\(ring.xs[index]) at its point \(index + 1): across the antimeridian it has no meaning as "
            + "straight lines in longitude and latitude; cut it there.",
          polygon: 0, ring: number,
          place: GeoPoint(latitude: ring.ys[index], longitude: turned(ring.xs[index])))
      }
    }
  }
}
