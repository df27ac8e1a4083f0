import CairnGeometry
import CairnSystem

/// A rectangle of longitude and latitude in degrees, which does not cross the antimeridian.
struct Bounds: Hashable {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  init(_ west: Double, _ south: Double, _ east: Double, _ north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The rectangles of a box: two if it crosses the antimeridian or touches it, because the
  /// antimeridian has two longitudes.
  static func rectangles(of box: GeoBox) -> [Bounds] {
    let south = min(box.bottomLeft.latitude, box.topRight.latitude)
    let north = max(box.bottomLeft.latitude, box.topRight.latitude)
    return rectangles(
      west: box.bottomLeft.longitude, south: south, east: box.topRight.longitude, north: north)
  }

  static func rectangles(
    west: Double, south: Double, east: Double, north: Double
  ) -> [Bounds] {
    if west > east {
      return [Bounds(west, south, 180, north), Bounds(-180, south, east, north)]
    }
    let one = Bounds(west, south, east, north)
    if east == 180, west > -180 { return [one, Bounds(-180, south, -180, north)] }
    if west == -180, east < 180 { return [one, Bounds(180, south, 180, north)] }
    return [one]
  }

  /// The rectangles around an envelope in fixed point.
  static func rectangles(around envelope: Envelope) -> [Bounds] {
    rectangles(
      west: envelope.west, south: envelope.south, east: envelope.east, north: envelope.north)
  }

  /// The rectangles around a circle.
  ///
  /// - Parameter radius: The radius in radians.
  static func rectangles(
    longitude: Double, latitude: Double, radius: Double
  ) -> [Bounds] {
    let degrees = radius * 180 / .pi
    let (south, north) = (latitude - degrees, latitude + degrees)
    let (sine, cosine) = (sin(radius), cos(latitude * .pi / 180))
    guard south > -90, north < 90, sine < cosine else {
      return [Bounds(-180, max(south, -90), 180, min(north, 90))]
    }
    let half = asin(sine / cosine) * 180 / .pi * (1 + 1e-12) + 1e-9
    if half >= 180 { return [Bounds(-180, south, 180, north)] }
    var (west, east) = (longitude - half, longitude + half)
    if west < -180 { west += 360 }
    if east > 180 { east -= 360 }
    return rectangles(west: west, south: south, east: east, north: north)
  }

  /// The cosine of an angle in degrees, never zero.
  static func cosine(degrees: Double) -> Double { max(cos(degrees * .pi / 180), 1e-9) }

  /// The rectangles around everything within an angle of this one.
  ///
  /// - Parameter angle: The angle in radians.
  func grown(by angle: Double) -> [Bounds] {
    let degrees = angle * 180 / .pi * (1 + 1e-12) + 1e-9
    let (south, north) = (max(south - degrees, -90), min(north + degrees, 90))
    let cosine = cos(max(abs(self.south), abs(self.north)) * .pi / 180)
    guard south > -90, north < 90, sin(angle) < cosine, angle < .pi / 2 else {
      return [Bounds(-180, south, 180, north)]
    }
    let half = asin(sin(angle) / cosine) * 180 / .pi * (1 + 1e-12) + 1e-9
    guard east - west + 2 * half < 360 else { return [Bounds(-180, south, 180, north)] }
    var (west, east) = (west - half, east + half)
    if west < -180 { west += 360 }
    if east > 180 { east -= 360 }
    return Self.rectangles(west: west, south: south, east: east, north: north)
  }

  /// A circle around the rectangle; nil if the rectangle is wider than a quarter turn.
  ///
  /// A cap of less than a quarter turn that contains two points contains the shortest path between
  /// them, so a cap around the corners contains the meridians between them.
  var circle: (longitude: Double, latitude: Double, radius: Double)? {
    guard east - west <= 90,
      let center = GeoPoint(
        latitude: (south + north) / 2, longitude: (west + east) / 2)
    else { return nil }
    let corners = [(south, west), (south, east), (north, west), (north, east)]
    let radius =
      corners.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
      .map { center.distance(to: $0).radians }.max() ?? .pi
    return radius < 1.5 ? (center.longitude, center.latitude, radius + 1e-9) : nil
  }
}
