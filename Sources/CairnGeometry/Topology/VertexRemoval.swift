/// Leaves out vertices one by one, the least important first, and none that would change how lines and
/// rings lie to each other.
///
/// Without a vertex, the two edges to its neighbours become one. If no other vertex that is left lies
/// in the triangle of the three, no edge crosses the new one that did not cross the old ones, and
/// nothing comes to lie on its other side.
struct VertexRemoval {
  /// Whether each vertex is kept.
  private(set) var isKept: [Bool]
  private let points: [PlanePoint]
  private var graph: VertexGraph
  private var tree: VertexTree
  private let keepsSmallRings: Bool
  private let usesTriangles: Bool
  /// The measure of each vertex.
  private var measures: [Double]
  private var queue = RemovalQueue([])
  /// The greatest measure of vertices that may be left out.
  private let limit: Double
  /// The number of vertices to leave out, if that is the limit.
  private let wanted: Int
  private var removedCount = 0

  /// The least measure with which a vertex waits for others to be left out.
  private static let leastWait = 1e-6

  /// More than the measure of any vertex on the earth.
  private static let greatestMeasure = 1e16

  /// - Parameter paths: The paths of Douglas and Peucker; nil for triangles.
  init(_ points: [PlanePoint], graph: VertexGraph, rule: Simplification, paths: VertexPaths?) {
    self.points = points
    self.graph = graph
    tree = VertexTree(points)
    isKept = Array(repeating: true, count: points.count)
    keepsSmallRings = rule.keepsSmallRings
    usesTriangles = paths == nil
    switch rule.amount {
    case .share(let share):
      let share = share.isNaN ? 1 : min(1, max(0, share))
      wanted = Int(((1 - share) * Double(graph.removableCount)).rounded())
      limit = Self.greatestMeasure
    case .tolerance(let tolerance):
      wanted = .max
      limit = usesTriangles ? TriangleMeasure.limit(tolerance) : tolerance.asMeters()
    }
    if let paths {
      measures = paths.measures()
    } else {
      measures = points.indices.map { vertex in
        if graph.isFixed[vertex] { return .infinity }
        let neighbours = graph.neighbours[vertex]
        return TriangleMeasure.weightedArea(
          points[Int(neighbours.x)], corner: points[vertex], points[Int(neighbours.y)])
      }
    }
  }

  /// Leaves out vertices up to the limit.
  ///
  /// - Parameter progress: Receives the share of the work that is done, now and then.
  mutating func run<Failure: Error>(
    _ progress: (Double) throws(Failure) -> Void
  ) throws(Failure) {
    var entries: [RemovalQueue.Entry] = []
    for vertex in points.indices where !graph.isFixed[vertex] && measures[vertex] <= limit {
      entries.append(.init(measure: measures[vertex], vertex: Int32(vertex)))
    }
    let expected = Double(max(1, min(wanted, entries.count)))
    queue = RemovalQueue(entries)
    entries = []
    var steps = 0
    while removedCount < wanted, let entry = queue.next() {
      let vertex = entry.vertex
      guard isKept[Int(vertex)], measures[Int(vertex)] == entry.measure else { continue }
      steps += 1
      if steps & 0xFFFF == 0 { try progress(min(1, Double(removedCount) / expected)) }
      leaveOut(vertex, measure: entry.measure)
    }
  }

  private mutating func leaveOut(_ vertex: Int32, measure: Double) {
    let neighbours = graph.neighbours[Int(vertex)]
    let isLast = graph.closesTriangle(vertex)
    if isLast, keepsSmallRings || isAttached(neighbours) { return }
    guard isTriangleEmpty(vertex, neighbours) else { return postpone(vertex, measure: measure) }
    remove(vertex)
    if isLast {
      remove(neighbours.x)
      return remove(neighbours.y)
    }
    graph.bypass(vertex)
    guard usesTriangles else { return }
    update(neighbours.x, least: measure)
    update(neighbours.y, least: measure)
  }

  /// Whether a triangle with these corners is more than a ring of its own.
  private func isAttached(_ corners: SIMD2<Int32>) -> Bool {
    graph.isFixed[Int(corners.x)] || graph.isFixed[Int(corners.y)]
  }

  private mutating func remove(_ vertex: Int32) {
    isKept[Int(vertex)] = false
    tree.remove(vertex)
    removedCount += 1
  }

  /// Whether no other vertex lies in the triangle of a vertex and its neighbours, or on its edges.
  private func isTriangleEmpty(_ vertex: Int32, _ neighbours: SIMD2<Int32>) -> Bool {
    let (a, b) = (points[Int(neighbours.x)], points[Int(neighbours.y)])
    let corner = points[Int(vertex)]
    var box = PlanarBox(a, b: b)
    box.insert(corner)
    return !tree.contains(in: box, points: points) { other in
      if other == vertex || other == neighbours.x || other == neighbours.y { return false }
      let point = points[Int(other)]
      let one = orientation(a, b: corner, c: point)
      let two = orientation(corner, b: b, c: point)
      if one * two < 0 { return false }
      let three = orientation(b, b: a, c: point)
      return one * three >= 0 && two * three >= 0
    }
  }

  /// Tries a vertex again when vertices of twice its measure are left out.
  private mutating func postpone(_ vertex: Int32, measure: Double) {
    guard measure < limit else { return }
    let later = min(limit, max(Self.leastWait, 2 * measure))
    measures[Int(vertex)] = later
    queue.add(vertex, measure: later)
  }

  /// Measures a vertex with a new neighbour, by no less than the one that was left out.
  private mutating func update(_ vertex: Int32, least: Double) {
    guard !graph.isFixed[Int(vertex)] else { return }
    let neighbours = graph.neighbours[Int(vertex)]
    let area = TriangleMeasure.weightedArea(
      points[Int(neighbours.x)], corner: points[Int(vertex)], points[Int(neighbours.y)])
    let measure = max(least, area)
    guard measure != measures[Int(vertex)] else { return }
    measures[Int(vertex)] = measure
    if measure <= limit { queue.add(vertex, measure: measure) }
  }
}

/// The importance of a corner: the area of its triangle on the earth in square metres, less if the
/// corner is sharp.
enum TriangleMeasure {
  /// The weight of the angle, as in mapshaper: an area counts 0.3 times at a corner that turns back,
  /// and 1.7 times where the line goes straight on.
  private static let angleWeight = 0.7
  /// The tolerance that corresponds to the side of a square of that area, as in mapshaper.
  private static let sideScale = 0.65

  /// The measure that corresponds to a tolerance.
  static func limit(_ tolerance: Distance) -> Double {
    let side = tolerance.asMeters() / sideScale
    return side * side
  }

  /// The measure of the corner between two neighbours, in degrees.
  static func weightedArea(_ a: PlanePoint, corner: PlanePoint, _ b: PlanePoint) -> Double {
    let scale = cosine(degrees: corner.y)
    let (ax, ay) = ((a.x - corner.x) * scale, a.y - corner.y)
    let (bx, by) = ((b.x - corner.x) * scale, b.y - corner.y)
    let lengths = ((ax * ax + ay * ay) * (bx * bx + by * by)).squareRoot()
    guard lengths > 0 else { return 0 }
    let area = abs(ax * by - ay * bx) / 2 * Sphere.metresPerDegree * Sphere.metresPerDegree
    return area * (1 - angleWeight * (ax * bx + ay * by) / lengths)
  }
}

extension Sphere {
  /// The length of a degree of a great circle.
  static let metresPerDegree = radius * .pi / 180
}
