/// A straight line in longitude and latitude, from its southern to its northern end.
struct PlanarEdge: RegionEdge {
  let x: Double
  let south: Double
  let topX: Double
  let north: Double

  init(_ one: GeoPoint, _ other: GeoPoint) {
    let (low, high) = one.latitude <= other.latitude ? (one, other) : (other, one)
    (x, south) = (low.longitude, low.latitude)
    (topX, north) = (high.longitude, high.latitude)
  }

  func span(south low: Double, north high: Double) -> (west: Double, east: Double) {
    let (one, other) = (longitude(at: low), longitude(at: high))
    guard north > south else { return (min(x, topX), max(x, topX)) }
    return (min(one, other), max(one, other))
  }

  private func longitude(at latitude: Double) -> Double {
    if latitude <= south { return x }
    if latitude >= north { return topX }
    return x + (topX - x) * ((latitude - south) / (north - south))
  }

  static func probe(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double) {
    (longitude, latitude)
  }

  static func roughProbe(_ longitude: Double, _ latitude: Double) -> (x: Double, y: Double)? { nil }

  @inline(__always)
  func side(of point: (x: Double, y: Double)) -> EdgeSide {
    if point.y < south || point.y > north { return .apart }
    let crossing: EdgeSide = point.y < north ? .west : .apart
    let rise = (topX - x) * (point.y - south)
    let run = (point.x - x) * (north - south)
    let turn = rise - run
    // Shewchuk's bound on the rounding of an orientation.
    if abs(turn) > 3.330_669_073_875_472e-16 * (abs(rise) + abs(run)) {
      return turn > 0 ? .east : crossing
    }
    if point.x < min(x, topX) { return .east }
    return point.x > max(x, topX) ? crossing : .near
  }
}
