internal import CairnGeometry

extension RTree {
  /// Gives positions and their distances on the sphere in radians, nearest first, equal ones in order
  /// of position, until `visit` is false.
  ///
  /// - Parameter enough: so many positions are all that is asked for, and what is further away than
  ///   they need not come. Who turns some of them down gives none.
  package func nearest(
    longitude: Double, latitude: Double, enough: Int? = nil, _ visit: (Int, Double) -> Bool
  ) {
    guard count > 0 else { return }
    var search = NearestSearch(
      self, longitude: longitude, latitude: latitude, bar: DistanceBar(capacity: enough ?? .max))
    search.run(visit)
  }
}
