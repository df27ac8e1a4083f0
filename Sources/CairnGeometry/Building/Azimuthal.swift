/// The projection of the sphere around a location that keeps distances and directions from it, in
/// degrees of a great circle.
struct Azimuthal {
  private let center: Vector
  private let east: Vector
  private let north: Vector

  init(longitude: Double, latitude: Double) {
    center = Vector(longitude: longitude, latitude: latitude)
    east = Vector(x: -sine(degrees: longitude), y: cosine(degrees: longitude), z: 0)
    north = center.cross(east)
  }

  /// The image of a location, and its distance from the centre.
  func project(
    longitude: Double, latitude: Double
  ) -> (x: Double, y: Double, distance: Double) {
    let direction = Vector(longitude: longitude, latitude: latitude)
    let (x, y) = (direction.dot(east), direction.dot(north))
    let height = (x * x + y * y).squareRoot()
    guard height > 0 else { return (0, 0, 0) }
    let angle = arcTangent(height, x: direction.dot(center)).inDegrees
    return (x / height * angle, y / height * angle, angle)
  }

  /// The location of a point of the plane.
  func location(_ x: Double, y: Double) -> (longitude: Double, latitude: Double) {
    let angle = (x * x + y * y).squareRoot()
    guard angle > 0 else { return direction(center) }
    let side = (east * x + north * y) * (1 / angle)
    return direction(center * cosine(angle.inRadians) + side * sine(angle.inRadians))
  }

  private func direction(_ vector: Vector) -> (longitude: Double, latitude: Double) {
    (
      arcTangent(vector.y, x: vector.x).inDegrees,
      arcTangent(vector.z, x: (vector.x * vector.x + vector.y * vector.y).squareRoot()).inDegrees
    )
  }

  /// A ring of the plane in longitude and latitude, with vertices between distant ones. Longitudes
  /// continue beyond 180 degrees; a ring around the pole is closed along it.
  ///
  /// - Parameters:
  ///   - turn: The greatest difference of two longitudes.
  ///   - tolerance: The greatest distance of an edge near a pole from that of the plane.
  func outline(_ ring: PlaneRing, turn: Double, tolerance: Double) -> PlaneRing {
    var outline = PlaneRing()
    var shift = 0.0
    var last: Double?
    for (x, y) in points(ring, turn: turn, tolerance: tolerance) {
      let (longitude, latitude) = location(x, y: y)
      if let last, longitude - last > 180 { shift -= 360 }
      if let last, longitude - last < -180 { shift += 360 }
      last = longitude
      outline.append(longitude + shift, y: latitude)
    }
    return shift == 0 ? outline : aroundPole(outline, shift: shift)
  }

  /// The points of a ring, with others between those whose longitudes differ by more than `turn`.
  private func points(
    _ ring: PlaneRing, turn: Double, tolerance: Double
  ) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for index in 0..<max(0, ring.count) {
      let end = (x: ring.xs[index], y: ring.ys[index])
      if let start = points.last {
        let (from, to) = (location(start.x, y: start.y), location(end.x, y: end.y))
        let step = wrapped(to.longitude - from.longitude)
        let sag = PolarSag(east: step, from: from.latitude, to: to.latitude)
        let length =
          ((end.x - start.x) * (end.x - start.x) + (end.y - start.y) * (end.y - start.y))
          .squareRoot()
        // The longitude turns fastest near the pole, which two points may pass on either side.
        let count = min(
          4096,
          max(1, (abs(step) / turn).rounded(.up), (2 * length).rounded(.up), sag.parts(tolerance)))
        for part in stride(from: 1, to: count, by: 1) {
          points.append(
            (
              start.x + (end.x - start.x) * part / count,
              start.y + (end.y - start.y) * part / count
            ))
        }
      }
      points.append(end)
    }
    return points
  }

  /// A ring whose longitudes end a turn after they began, led along the antimeridian and the nearer
  /// pole.
  private func aroundPole(_ ring: PlaneRing, shift: Double) -> PlaneRing {
    let pole = center.z < 0 ? -90.0 : 90.0
    // The seam lies at the antimeridian, where the ring is cut anyway. Between its crossing that is
    // nearest to the pole and the pole, the ring does not cross it.
    let crossings = (1..<ring.count).compactMap { Self.seam(ring, vertex: $0) }
    guard
      let (crossing, seam, latitude) = crossings.min(by: {
        abs(pole - $0.latitude) < abs(pole - $1.latitude)
      })
    else { return ring }
    var result = PlaneRing(xs: [seam], ys: [latitude])
    for index in crossing..<ring.count { result.append(ring.xs[index], y: ring.ys[index]) }
    for index in 1..<crossing { result.append(ring.xs[index] + shift, y: ring.ys[index]) }
    result.append(seam + shift, y: latitude)
    result.append(seam + shift, y: pole)
    result.append(seam, y: pole)
    result.append(seam, y: latitude)
    return result
  }

  /// The longitude and latitude at which the edge to a vertex crosses the antimeridian; nil if it does
  /// not.
  private static func seam(
    _ ring: PlaneRing, vertex: Int
  ) -> (vertex: Int, seam: Double, latitude: Double)? {
    let (x, y) = (ring.xs[vertex - 1], ring.ys[vertex - 1])
    let (east, north) = (ring.xs[vertex] - x, ring.ys[vertex] - y)
    let world = ((max(x, x + east) - 180) / 360).rounded(.down)
    guard ((min(x, x + east) - 180) / 360).rounded(.down) != world else { return nil }
    let seam = world * 360 + 180
    return (vertex, seam, y + north * (seam - x) / east)
  }
}

/// The distance in degrees between the straight edge in longitude and latitude of two locations near a
/// pole and the shortest path; 0 for other locations.
struct PolarSag {
  private static let latitude = 85.0
  private static let mostParts = 4096.0

  private let degrees: Double

  /// - Parameter east: The difference of the longitudes.
  init(east: Double, from first: Double, to second: Double) {
    let lowest = min(abs(first), abs(second))
    guard max(abs(first), abs(second)) > Self.latitude else {
      degrees = 0
      return
    }
    // In polar coordinates, the edge is a spiral.
    let turn = abs(east).inRadians
    degrees = turn * turn * (90 - lowest) / 8 + turn * abs(first - second) / 4
  }

  /// The number of parts of an edge that are this close to the path.
  func parts(_ tolerance: Double) -> Double {
    min(Self.mostParts, (degrees / tolerance).squareRoot().rounded(.up))
  }
}
