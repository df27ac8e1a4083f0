/// Asks GEOS about the rare points that lie so close to a planar edge that rounding could decide.
final class BoundaryJudge: @unchecked Sendable {
  // Sendable: what GEOS holds is only touched under `lock`.
  private let polygons: [[[GeoPoint]]]
  private let lock = Lock()
  private var prepared: [Int: GEOSPreparedPolygon] = [:]

  init(_ polygons: [[[GeoPoint]]]) { self.polygons = polygons }

  /// Whether a point is inside a polygon or on its boundary.
  ///
  /// `validate` has reported a missing library before any query; without it a point this close
  /// counts as on the boundary.
  func covers(polygon: Int, x: Double, y: Double) -> Bool {
    lock.withLock {
      (try? prepare(polygon).covers(x: x, y: y)) ?? true
    }
  }

  private func prepare(_ index: Int) throws(GeometryError) -> GEOSPreparedPolygon {
    if let made = prepared[index] { return made }
    let image = PlaneImage(planar: polygons[index])
    let made = try GEOSPreparedPolygon(GEOSPolygon(image.rings, in: GEOSContext()))
    prepared[index] = made
    return made
  }
}
