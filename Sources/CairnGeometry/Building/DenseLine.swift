/// The vertices of a line in longitude and latitude, with others between them so that each two
/// neighbours are close.
struct DenseLine {
  /// The greatest distance of two neighbours in degrees.
  private static let step = 0.2
  /// The greatest difference of their longitudes.
  private static let turn = 1.0
  /// The least number of parts of an edge that has points within.
  private static let leastParts = 4.0

  private(set) var locations: PlaneRing
  /// Whether each location is a vertex of the line.
  private var isVertex = [true]

  /// - Parameters:
  ///   - tolerance: The greatest distance in degrees of an edge near a pole from the shortest path.
  ///   - hasPointsInEdges: Whether each edge gets three points at least.
  init(_ line: PlaneRing, tolerance: Double, hasPointsInEdges: Bool = false) {
    locations = PlaneRing(xs: [line.xs[0]], ys: [line.ys[0]])
    for index in 1..<max(1, line.count) {
      let (x, y) = (line.xs[index - 1], line.ys[index - 1])
      let (east, north) = (line.xs[index] - x, line.ys[index] - y)
      guard !hasPointsInEdges || east != 0 || north != 0 else { continue }
      let angle = Sphere.angle(
        y, longitude: x, otherLatitude: line.ys[index], otherLongitude: line.xs[index])
      let count = max(
        hasPointsInEdges ? Self.leastParts : 1, (abs(east) / Self.turn).rounded(.up),
        (abs(north) / Self.step).rounded(.up), (angle.inDegrees / Self.step).rounded(.up),
        PolarSag(east: east, from: y, to: line.ys[index]).parts(tolerance))
      for part in stride(from: 1, to: count, by: 1) {
        locations.append(x + east * part / count, y: y + north * part / count)
        isVertex.append(false)
      }
      locations.append(line.xs[index], y: line.ys[index])
      isVertex.append(true)
    }
  }

  /// Lets a closed line with points in its edges begin and end within its first edge.
  mutating func beginWithinEdge() {
    // The line begins after a quarter of the edge or less, and ends behind that, in the same edge.
    let order = Array(1..<locations.count) + [1, 2]
    locations = PlaneRing(xs: order.map { locations.xs[$0] }, ys: order.map { locations.ys[$0] })
    isVertex = order.map { isVertex[$0] }
  }

  /// Whether a location and the one before are within one edge.
  func isWithinEdge(_ index: Int) -> Bool { !isVertex[index] && !isVertex[index - 1] }

  /// The corners with a turn, 1 to the left and -1 to the right: of each vertex of an image, the
  /// points before it, at it, and after it. The image begins at location `start`.
  func corners(of image: PlaneRing, from start: Int, turning turn: Int) -> [PlaneRing] {
    (1..<max(1, image.count - 1)).compactMap { index in
      guard isVertex[start + index] else { return nil }
      let points = (index - 1...index + 1).map { PlanePoint(x: image.xs[$0], y: image.ys[$0]) }
      guard orientation(points[0], b: points[1], c: points[2]) == turn else { return nil }
      return PlaneRing(xs: points.map(\.x), ys: points.map(\.y))
    }
  }
}

extension PlaneRing {
  /// Whether two points differ.
  var hasLength: Bool { xs.contains { $0 != xs[0] } || ys.contains { $0 != ys[0] } }

  /// Moves the first and the last point of a line outwards.
  mutating func extend(by distance: Double, atStart: Bool, atEnd: Bool) {
    guard count > 1 else { return }
    if atStart { extend(0, from: 1, by: distance) }
    if atEnd { extend(count - 1, from: count - 2, by: distance) }
  }

  private mutating func extend(_ end: Int, from before: Int, by distance: Double) {
    let (x, y) = (xs[end] - xs[before], ys[end] - ys[before])
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return }
    xs[end] += x / length * distance
    ys[end] += y / length * distance
  }
}
