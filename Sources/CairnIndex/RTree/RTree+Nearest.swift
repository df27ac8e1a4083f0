internal import CairnGeometry

extension RTree {
  /// Gives positions and their distances on the sphere in radians, nearest first, equal ones in order
  /// of position, until `visit` is false.
  package func nearest(
    longitude: Double, latitude: Double, _ visit: (Int, Double) -> Bool
  ) {
    guard count > 0 else { return }
    var search = NearestSearch(self, longitude: longitude, latitude: latitude)
    search.run(visit)
  }
}
