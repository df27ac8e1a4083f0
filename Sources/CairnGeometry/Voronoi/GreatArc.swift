/// A location as a direction, and in degrees as it is written.
struct SphereCorner {
  let direction: Vector
  /// The location, rounded to 1e-9 degrees. A pole has the longitude 0, and the antimeridian 180.
  let location: PlanePoint

  init(_ direction: Vector) {
    self.direction = direction
    let height = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    let latitude = Self.rounded(arcTangent(direction.z, x: height).inDegrees)
    let longitude = Self.rounded(arcTangent(direction.y, x: direction.x).inDegrees)
    let isPole = abs(latitude) >= 90
    location = PlanePoint(x: isPole ? 0 : longitude <= -180 ? 180 : longitude, y: latitude)
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 + 0 }

  /// Whether the location is a pole.
  var isPole: Bool { abs(location.y) == 90 }
}

/// A directed great circle, and its parts with vertices that keep straight edges in longitude and
/// latitude near it. A part has a vertex where it crosses the antimeridian or a pole.
struct GreatArc {
  /// The unit vector on the left of the circle, at a right angle to it.
  let normal: Vector
  /// The greatest distance of an edge from the circle in radians.
  let tolerance: Double

  /// The angle that a piece of the arc has at most before it is divided further.
  private static let piece = 2.0
  /// The chord of an arc that is surely a piece.
  private static let shortChord = 1.0
  /// The chord from which an edge may leave the circle and return at its middle.
  private static let longEdge = 0.05
  /// The distance in radians from which a pole is on the circle.
  private static let nothing = 2e-11

  /// The vertices of the whole circle, without repeating the first.
  func circle() -> [PlanePoint] {
    let axis = abs(normal.z) < 0.9 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
    let start = SphereCorner(axis.cross(normal).unit)
    return points(from: start, over: 2 * .pi, to: start).dropLast()
  }

  /// The vertices from one corner to another one, which are on the circle less than a whole turn apart.
  func points(from start: SphereCorner, to end: SphereCorner) -> [PlanePoint] {
    if (end.direction - start.direction).length < Self.shortChord {
      return points(from: start, over: 0, to: end)
    }
    let angle = arcTangent(
      normal.dot(start.direction.cross(end.direction)), x: start.direction.dot(end.direction))
    return points(from: start, over: angle < 0 ? angle + 2 * .pi : angle, to: end)
  }

  private func points(
    from start: SphereCorner, over angle: Double, to end: SphereCorner
  ) -> [PlanePoint] {
    let side = normal.cross(start.direction)
    let pieces = (angle / Self.piece).rounded(.up)
    var points = [start.location]
    var last = start
    func add(_ corner: SphereCorner) {
      if let crossing = Self.crossing(last.direction, corner.direction) {
        divide(last, crossing, depth: 0, into: &points)
        points.append(crossing.location)
        last = crossing
      }
      divide(last, corner, depth: 0, into: &points)
      points.append(corner.location)
      last = corner
    }
    for piece in stride(from: 1, to: pieces, by: 1) {
      let way = angle * piece / pieces
      add(SphereCorner(start.direction * cosine(way) + side * sine(way)))
    }
    add(end)
    return points
  }

  /// The vertex of a piece at a pole or on the antimeridian; nil without one.
  private static func crossing(_ start: Vector, _ end: Vector) -> SphereCorner? {
    let isAround = start.x * end.x + start.y * end.y < 0
    if isAround, abs(start.normal(to: end).z) < nothing {
      return SphereCorner(Vector(x: 0, y: 0, z: start.z + end.z < 0 ? -1 : 1))
    }
    guard start.y != 0, end.y != 0, (start.y < 0) != (end.y < 0) else { return nil }
    let crossing = (start * abs(end.y) + end * abs(start.y)).unit
    return crossing.x < 0 ? SphereCorner(Vector(x: crossing.x, y: 0, z: crossing.z)) : nil
  }

  /// Adds vertices between two corners, until the edges are near the circle.
  private func divide(
    _ start: SphereCorner, _ end: SphereCorner, depth: Int, into points: inout [PlanePoint]
  ) {
    guard depth < 24, start.location != end.location, !isNear(start, end) else { return }
    let middle = SphereCorner((start.direction + end.direction).unit)
    guard middle.location != start.location, middle.location != end.location else { return }
    divide(start, middle, depth: depth + 1, into: &points)
    points.append(middle.location)
    divide(middle, end, depth: depth + 1, into: &points)
  }

  /// Whether the straight edge between two corners is near the circle.
  private func isNear(_ start: SphereCorner, _ end: SphereCorner) -> Bool {
    // An edge from a pole is a part of a meridian.
    if start.isPole || end.isPole { return true }
    let turn = wrapped(end.location.x - start.location.x)
    if turn == 0 { return true }
    guard abs(turn) < 60, (end.direction - start.direction).length < Self.longEdge else {
      return false
    }
    let straight = Vector(
      longitude: start.location.x + turn / 2, latitude: (start.location.y + end.location.y) / 2)
    return (straight - (start.direction + end.direction).unit).length <= tolerance
  }
}
