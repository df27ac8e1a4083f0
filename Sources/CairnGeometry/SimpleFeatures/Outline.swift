/// The boundary of a shape as locations close enough together to be drawn with straight lines.
package struct Outline: Sendable {
  /// A location on the boundary. Longitudes continue beyond ±180 rather than jump.
  package struct Vertex: Sendable, Equatable {
    /// The longitude in degrees.
    package let longitude: Double
    /// The latitude in degrees.
    package let latitude: Double
  }

  /// Closed rings, outer ones and holes alike. A ring around a pole ends 360 degrees from its
  /// start.
  package let rings: [[Vertex]]
  /// The lines of a geometry.
  package let lines: [[Vertex]]
  /// The points of a geometry.
  package let points: [Vertex]

  /// The largest distance of two locations of a curve in degrees.
  private static let step = 1.0

  /// Creates the outline of a shape.
  package init(_ shape: Shape) {
    var (rings, lines, points): ([[Vertex]], [[Vertex]], [Vertex]) = ([], [], [])
    switch shape {
    case .box(let box): rings = [Self.ring(box)]
    case .circle(let circle): rings = [Self.ring(circle)]
    case .polygon(let polygon):
      rings = polygon.polygons.joined().map { Self.path($0, edges: polygon.edges) }
    case .geometry(let geometry, let edges):
      geometry.withView { view in
        for part in view.parts {
          switch part {
          case .polygon(let parts): rings += parts.map { Self.path(view, $0, edges: edges) }
          case .line(let vertices): lines.append(Self.path(view, vertices, edges: edges))
          case .point(let vertex): points += Self.path(view, vertex..<vertex + 1, edges: .planar)
          }
        }
      }
    }
    (self.rings, self.lines, self.points) = (rings, lines, points)
  }

  /// The edges between some vertices of a geometry.
  private static func path(
    _ view: GeometryView, _ vertices: Range<Int>, edges: GeoPolygon.Edges
  ) -> [Vertex] {
    let points = vertices.compactMap {
      GeoPoint(latitude: view.latitude($0), longitude: view.longitude($0))
    }
    return path(points, edges: edges)
  }

  /// The sides of a box, which are straight in longitude and latitude.
  private static func ring(_ box: GeoBox) -> [Vertex] {
    let (west, south) = (box.bottomLeft.longitude, box.bottomLeft.latitude)
    let north = box.topRight.latitude
    let east = box.topRight.longitude + (box.topRight.longitude < west ? 360 : 0)
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]
      .map { Vertex(longitude: $0.0, latitude: $0.1) }
  }

  private static func ring(_ circle: GeoCircle) -> [Vertex] {
    let angle = min(circle.radiusInRadians, .pi)
    let centre = Vector(circle.center)
    let east = Vector(
      x: -sine(degrees: circle.center.longitude), y: cosine(degrees: circle.center.longitude), z: 0)
    let north = centre.cross(east)
    let locations = (0...360).compactMap { step -> GeoPoint? in
      let turn = Double(step == 360 ? 0 : step)
      let side = east * sine(turn.inRadians) + north * cosine(turn.inRadians)
      return (centre * cosine(angle) + side * sine(angle)).location
    }
    return runningOn(locations)
  }

  private static func path(_ points: [GeoPoint], edges: GeoPolygon.Edges) -> [Vertex] {
    guard edges == .geodesic else {
      return points.map { Vertex(longitude: $0.longitude, latitude: $0.latitude) }
    }
    var locations = Array(points.prefix(1))
    for (start, end) in zip(points, points.dropFirst()) { locations += arc(start, end: end) }
    return runningOn(locations)
  }

  /// The locations of the shortest path from `start`, exclusive, to `end`, inclusive.
  private static func arc(_ start: GeoPoint, end: GeoPoint) -> [GeoPoint] {
    let angle = Sphere.angle(
      start.latitude, longitude: start.longitude, otherLatitude: end.latitude,
      otherLongitude: end.longitude)
    let count = max(1, Int((angle.inDegrees / step).rounded(.up)))
    guard count > 1 else { return [end] }
    let (from, to) = (Vector(start), Vector(end))
    let between = (1..<count).compactMap { index -> GeoPoint? in
      let part = Double(index) / Double(count) * angle
      return (from * sine(angle - part) + to * sine(part)).location
    }
    return between + [end]
  }

  /// The points with longitudes that continue where those of the points jump by a full turn.
  private static func runningOn(_ points: [GeoPoint]) -> [Vertex] {
    var locations: [Vertex] = []
    for point in points {
      guard let last = locations.last else {
        locations.append(Vertex(longitude: point.longitude, latitude: point.latitude))
        continue
      }
      let step = wrapped(point.longitude - last.longitude)
      locations.append(Vertex(longitude: last.longitude + step, latitude: point.latitude))
    }
    return locations
  }
}
