extension GeoPolygon {
  /// Throws the first rule that is broken: its kind, the ring, the place and a sentence about it.
  public func validate() throws(GeometryError) {
    try preparation.verdict { () -> Result<Void, GeometryError> in
      do throws(GeometryError) {
        try Self.checkRings(of: polygons)
        try checkShape()
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Every ring closed, with four points at least.
  static func checkRings(of polygons: [[[GeoPoint]]]) throws(GeometryError) {
    for (polygon, rings) in polygons.enumerated() {
      guard rings.isEmpty == false else {
        throw GeometryError(.tooFewPoints, "A polygon has no ring.", polygon: polygon)
      }
      for (ring, points) in rings.enumerated() {
        try check(points, polygon: polygon, ring: ring)
      }
    }
  }

  private static func check(
    _ points: [GeoPoint], polygon: Int, ring: Int
  ) throws(GeometryError) {
    let name = ring == 0 ? "The outer ring" : "Hole \(ring)"
    guard let first = points.first, let last = points.last else {
      throw GeometryError(
        ring == 0 ? .tooFewPoints : .emptyHole, "\(name) has no points.", polygon: polygon,
        ring: ring)
    }
    guard first == last else {
      throw GeometryError(
        .closed,
        "\(name) is not closed: it begins at \(words(first)) and ends at \(words(last)).",
        polygon: polygon, ring: ring, place: last)
    }
    guard points.count > 3 else {
      throw GeometryError(
        .tooFewPoints,
        "\(name) has \(points.count) points; a ring needs at least 4, the last repeating the first.",
        polygon: polygon, ring: ring, place: first)
    }
  }

  private static func words(_ point: GeoPoint) -> String {
    "longitude \(point.longitude), latitude \(point.latitude)"
  }

  /// No ring crosses itself or another, holes lie inside.
  private func checkShape() throws(GeometryError) {
    for (index, rings) in polygons.enumerated() {
      let image =
        edges == .planar
        ? PlaneImage(planar: rings) : try PlaneImage(gnomonic: rings, polygon: index)
      var check = RingCheck(image)
      if let fault = check.fault() { throw fault.error(polygon: index) }
    }
  }
}
