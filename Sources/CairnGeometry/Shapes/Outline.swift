/// The boundary of a shape as places close enough together to be drawn with straight lines.
package struct Outline: Sendable {
  /// A place on the way round; longitudes run on beyond ±180 rather than jump.
  package struct Place: Sendable, Equatable {
    package let longitude: Double
    package let latitude: Double
  }

  /// Closed rings, outer ones and holes alike; one round a pole ends 360 degrees from where it begins.
  package let rings: [[Place]]

  /// Degrees between two places of a curve, at most.
  private static let step = 1.0

  /// The outline of any shape.
  package init(_ shape: Shape) {
    switch shape {
    case .box(let box): rings = [Self.ring(box)]
    case .circle(let circle): rings = [Self.ring(circle)]
    case .polygon(let polygon):
      rings = polygon.polygons.joined().map { Self.ring($0, polygon.edges) }
    }
  }

  /// Its sides are straight in longitude and latitude.
  private static func ring(_ box: GeoBox) -> [Place] {
    let (west, south) = (box.bottomLeft.longitude, box.bottomLeft.latitude)
    let north = box.topRight.latitude
    let east = box.topRight.longitude + (box.topRight.longitude < west ? 360 : 0)
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]
      .map { Place(longitude: $0.0, latitude: $0.1) }
  }

  private static func ring(_ circle: GeoCircle) -> [Place] {
    let angle = min(circle.radiusInRadians, .pi)
    let centre = Vector(circle.center)
    let east = Vector(
      x: -sine(degrees: circle.center.longitude), y: cosine(degrees: circle.center.longitude), z: 0)
    let north = centre.cross(east)
    let places = (0...360).compactMap { step -> GeoPoint? in
      let turn = Double(step == 360 ? 0 : step)
      let side = east * sine(turn.inRadians) + north * cosine(turn.inRadians)
      return (centre * cosine(angle) + side * sine(angle)).place
    }
    return runningOn(places)
  }

  private static func ring(_ points: [GeoPoint], _ edges: GeoPolygon.Edges) -> [Place] {
    guard edges == .geodesic else {
      return points.map { Place(longitude: $0.longitude, latitude: $0.latitude) }
    }
    var places = Array(points.prefix(1))
    for (start, end) in zip(points, points.dropFirst()) { places += arc(start, end) }
    return runningOn(places)
  }

  /// The places of the shortest way from `start`, exclusive, to `end`, inclusive.
  private static func arc(_ start: GeoPoint, _ end: GeoPoint) -> [GeoPoint] {
    let angle = Sphere.angle(start.latitude, start.longitude, end.latitude, end.longitude)
    let count = max(1, Int((angle.inDegrees / step).rounded(.up)))
    guard count > 1 else { return [end] }
    let (from, to) = (Vector(start), Vector(end))
    let between = (1..<count).compactMap { index -> GeoPoint? in
      let part = Double(index) / Double(count) * angle
      return (from * sine(angle - part) + to * sine(part)).place
    }
    return between + [end]
  }

  /// Longitudes that go on where those of the points jump by a turn.
  private static func runningOn(_ points: [GeoPoint]) -> [Place] {
    var places: [Place] = []
    for point in points {
      guard let last = places.last else {
        places.append(Place(longitude: point.longitude, latitude: point.latitude))
        continue
      }
      let step = wrapped(point.longitude - last.longitude)
      places.append(Place(longitude: last.longitude + step, latitude: point.latitude))
    }
    return places
  }
}
