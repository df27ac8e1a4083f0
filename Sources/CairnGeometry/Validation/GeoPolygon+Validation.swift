extension GeoPolygon {
  /// Checks the polygon against the rules of valid polygons.
  ///
  /// - Throws: ``GeometryError`` for the first rule that is broken, with the ring and the location.
  /// - Complexity: O(*n* log *n*) in the number of points; the result is cached.
  public func validate() throws(GeometryError) {
    try preparation.value { () -> Result<Void, GeometryError> in
      do throws(GeometryError) {
        try Self.checkRings(of: polygons)
        try checkShape()
        return .success(())
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Checks that no ring crosses itself or another, and that holes lie inside.
  private func checkShape() throws(GeometryError) {
    for (index, rings) in polygons.enumerated() {
      let image =
        edges == .planar
        ? PlaneImage(planar: rings) : try PlaneImage(gnomonic: rings, polygon: index)
      let check = RingCheck(image)
      if let fault = check.fault() { throw fault.error(polygon: index) }
    }
  }
}
