/// The paths between fixed vertices, and the rings without one, each once: for the distances of Douglas
/// and Peucker.
struct VertexPaths {
  /// The plane in which distances are measured.
  enum Plane {
    /// That of the coordinates.
    case flat
    /// Degrees, as metres along meridians and parallels.
    case degrees
  }

  /// A vertex of a path.
  private struct Corner {
    let x: Double
    let y: Double
    /// The length of a unit of x there, in units of y.
    let scale: Double
    let vertex: Int

    init(_ vertex: Int32, at point: PlanePoint, plane: Plane) {
      self.vertex = Int(vertex)
      switch plane {
      case .flat: (x, y, scale) = (point.x, point.y, 1)
      case .degrees:
        x = point.x * Sphere.metresPerDegree
        y = point.y * Sphere.metresPerDegree
        scale = cosine(degrees: point.y)
      }
    }
  }

  private typealias Path = UnsafeBufferPointer<Corner>

  private let vertices: [Int32]
  private let ranges: [Range<Int>]
  private let points: [PlanePoint]
  private let isFixed: [Bool]
  private let plane: Plane

  init(_ chains: VertexChains, plane: Plane) {
    vertices = chains.vertices
    ranges = chains.ranges
    points = chains.points
    isFixed = chains.graph.isFixed
    self.plane = plane
  }

  // MARK: Paths

  /// Calls `body` with each path. A ring repeats its first vertex.
  private func forEach(_ body: (Path) -> Void) {
    var isSeen = Array(repeating: false, count: isFixed.count)
    var path: [Corner] = []
    for range in ranges { forEach(of: range, isSeen: &isSeen, path: &path, body) }
  }

  /// Calls `body` with the paths of a chain that were not seen before.
  @inline(__always)
  private func forEach(
    of chain: Range<Int>, isSeen: inout [Bool], path: inout [Corner], _ body: (Path) -> Void
  ) {
    func visit(_ part: Range<Int>, _ rest: Range<Int> = 0..<0) {
      path.removeAll(keepingCapacity: true)
      append(part, to: &path, isSeen: &isSeen)
      append(rest, to: &path, isSeen: &isSeen)
      path.withUnsafeBufferPointer(body)
    }
    guard let first = chain.first(where: { isFixed[Int(vertices[$0])] }) else {
      if let start = chain.first, !isSeen[Int(vertices[start])] { visit(chain) }
      return
    }
    var start = first
    for index in first + 1..<chain.upperBound where isFixed[Int(vertices[index])] {
      if index - start > 1, !isSeen[Int(vertices[start + 1])] { visit(start..<index + 1) }
      start = index
    }
    // The ends of a line are fixed. A ring goes on from its end to its first fixed vertex.
    if first > chain.lowerBound, !isSeen[Int(vertices[chain.lowerBound])] {
      visit(start..<chain.upperBound - 1, chain.lowerBound..<first + 1)
    }
  }

  @inline(__always)
  private func append(_ part: Range<Int>, to path: inout [Corner], isSeen: inout [Bool]) {
    for index in part {
      let vertex = vertices[index]
      isSeen[Int(vertex)] = true
      if let last = path.last, last.vertex == Int(vertex) { continue }
      path.append(Corner(vertex, at: points[Int(vertex)], plane: plane))
    }
  }

  // MARK: Distances

  /// The tolerance up to which each vertex is kept. Fixed vertices, and the two ends of a ring, are
  /// kept with any.
  ///
  /// - Parameter least: The vertices that are kept up to a lower tolerance only are not told apart.
  func measures(above least: Double = -1) -> [Double] {
    var measures = isFixed.map { $0 ? Double.infinity : 0 }
    var spans: [Span] = []
    forEach { path in
      let last = path.count - 1
      if isFixed[path[0].vertex] {
        spans.append(Span(first: 0, last: last, limit: .infinity))
      } else {
        let middle = Self.farthest(from: path[0], in: path)
        for end in [0, middle] { measures[path[end].vertex] = .infinity }
        spans.append(Span(first: 0, last: middle, limit: .infinity))
        spans.append(Span(first: middle, last: last, limit: .infinity))
      }
      while let span = spans.popLast() {
        guard let (index, distance) = Self.farthest(in: span, of: path), distance > least else {
          continue
        }
        let measure = min(span.limit, distance)
        measures[path[index].vertex] = measure
        spans.append(Span(first: span.first, last: index, limit: measure))
        spans.append(Span(first: index, last: span.last, limit: measure))
      }
    }
    return measures
  }

  /// A part of a path, and the measure of the vertex that divided it from the rest.
  private struct Span {
    let first: Int
    let last: Int
    let limit: Double
  }

  /// The index of the corner of a path that is farthest from a location.
  private static func farthest(from origin: Corner, in path: Path) -> Int {
    var farthest = (index: 0, square: -1.0)
    for index in path.indices {
      let square = square(path[index], from: origin, to: origin)
      if square > farthest.square { farthest = (index, square) }
    }
    return farthest.index
  }

  private static func farthest(
    in span: Span, of path: Path
  ) -> (index: Int, distance: Double)? {
    guard span.last - span.first > 1 else { return nil }
    let (a, b) = (path[span.first], path[span.last])
    var farthest = (index: span.first + 1, square: -1.0)
    for index in span.first + 1..<span.last {
      let square = square(path[index], from: a, to: b)
      if square > farthest.square { farthest = (index, square) }
    }
    return (farthest.index, farthest.square.squareRoot())
  }

  /// The square of the distance of a corner from an edge, with the scale of the corner.
  @inline(__always)
  private static func square(_ corner: Corner, from a: Corner, to b: Corner) -> Double {
    let (px, py) = ((corner.x - a.x) * corner.scale, corner.y - a.y)
    let (bx, by) = ((b.x - a.x) * corner.scale, b.y - a.y)
    let square = bx * bx + by * by
    let share = square > 0 ? min(1, max(0, (px * bx + py * by) / square)) : 0
    let (x, y) = (px - share * bx, py - share * by)
    return x * x + y * y
  }

  // MARK: Strays

  /// Vertices that were left out and are farther from the new edge than the tolerance: the farthest
  /// one of each edge, or all of the paths that have any.
  func strays(isKept: [Bool], tolerance: Double, all: Bool) -> [Int32] {
    var strays: [Int32] = []
    forEach { path in
      guard let start = path.firstIndex(where: { isKept[$0.vertex] }) else { return }
      // Only a ring may begin with a vertex that was left out.
      let turned =
        start == 0 ? Array(path) : Array(path[start...]) + Array(path[1..<start + 1])
      let own = Self.strays(of: turned, isKept: isKept, tolerance: tolerance)
      strays += all && !own.isEmpty ? path.map { Int32($0.vertex) } : own
    }
    return strays
  }

  private static func strays(
    of path: [Corner], isKept: [Bool], tolerance: Double
  ) -> [Int32] {
    var strays: [Int32] = []
    var start = 0
    for end in path.indices.dropFirst() where isKept[path[end].vertex] {
      var farthest = (vertex: path[start].vertex, distance: tolerance)
      for corner in path[start..<end].dropFirst() {
        let distance = square(corner, from: path[start], to: path[end]).squareRoot()
        if distance > farthest.distance { farthest = (corner.vertex, distance) }
      }
      if farthest.distance > tolerance { strays.append(Int32(farthest.vertex)) }
      start = end
    }
    return strays
  }
}
