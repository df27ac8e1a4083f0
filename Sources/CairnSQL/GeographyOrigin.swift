import CairnGeometry
import CairnSystem

/// The point from which PostGIS's index over a geography orders rows.
///
/// The index keeps boxes of geocentric coordinates, rounded outwards to single precision, and a query
/// ends with "index returned tuples in wrong order" if the distance of two boxes is greater than the
/// distance that PostGIS then computes from the points. The rounding leaves more slack than any error
/// of that computation, unless a coordinate is close to zero: on the equator, at the poles, and on the
/// meridians of 0, 90 and 180 degrees. PostGIS also takes points within 6 µm as equal. Near these
/// lines, the origin is therefore a point ten metres away, whose coordinates leave enough slack. The
/// order only proposes candidates, so any origin near the point serves.
enum GeographyOrigin {
  /// The rounding that makes any row harmless: far more than the 1e-12 within which points are equal.
  private static let safeSlack = 1.5e-11
  /// The rounding that is far more than the error of a distance. A row that is within 6 µm of the
  /// origin could still be harmful; an origin with digits from trigonometric functions has none.
  private static let leastSlack = 1e-14
  /// Ten to twenty metres in radians.
  private static let distance = 1.6e-6

  /// Returns the origin for the rows near a point: the point itself, or one a few metres away.
  static func near(_ point: GeoPoint) -> (longitude: Double, latitude: Double) {
    let place = (longitude: point.longitude, latitude: point.latitude)
    if slack(longitude: place.longitude, latitude: place.latitude) >= safeSlack { return place }
    for number in 0..<1000 {
      let angle = 1 + Double(number) * 2.399_963_229_728_653
      let moved = Self.moved(point, by: distance * (1 + Double(number) / 1000), angle: angle)
      if slack(longitude: moved.longitude, latitude: moved.latitude) >= leastSlack { return moved }
    }
    return place
  }

  /// The least difference between a geocentric coordinate and its neighbours in single precision.
  private static func slack(longitude: Double, latitude: Double) -> Double {
    let (length, width) = (longitude * .pi / 180, latitude * .pi / 180)
    return [cos(width) * cos(length), cos(width) * sin(length), sin(width)].map { coordinate in
      let near = Float(coordinate)
      let (below, above) =
        Double(near) <= coordinate ? (near, near.nextUp) : (near.nextDown, near)
      return min(coordinate - Double(below), Double(above) - coordinate)
    }.min() ?? 0
  }

  /// A point at a small distance in a direction.
  ///
  /// - Parameter angle: The direction in radians, counterclockwise from the east.
  private static func moved(
    _ point: GeoPoint, by distance: Double, angle: Double
  ) -> (longitude: Double, latitude: Double) {
    let (length, width) = (point.longitude * .pi / 180, point.latitude * .pi / 180)
    let (east, north) = (distance * cos(angle), distance * sin(angle))
    let outward = cos(width) - north * sin(width)
    let x = outward * cos(length) - east * sin(length)
    let y = outward * sin(length) + east * cos(length)
    let z = sin(width) + north * cos(width)
    return (atan2(y, x) * 180 / .pi, atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi)
  }
}
