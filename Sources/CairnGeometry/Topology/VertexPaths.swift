/// The paths between fixed vertices, and the rings without one, each once: for the distances of Douglas
/// and Peucker.
struct VertexPaths {
  /// The vertices of all paths. A ring repeats its first vertex.
  private var vertices: [Int32] = []
  /// The index in `vertices` of the start of each path, and their number.
  private var starts: [Int] = [0]
  private let isFixed: [Bool]

  /// - Parameter chains: The ranges of lines and rings in `vertices`. The last vertex of a ring
  ///   repeats the first.
  init(_ chains: [Range<Int>], of vertices: [Int32], graph: VertexGraph) {
    isFixed = graph.isFixed
    var isSeen = Array(repeating: false, count: isFixed.count)
    for chain in chains { add(vertices[chain], isSeen: &isSeen) }
  }

  private mutating func add(_ chain: ArraySlice<Int32>, isSeen: inout [Bool]) {
    guard let first = chain.firstIndex(where: { isFixed[Int($0)] }) else {
      if let vertex = chain.first, !isSeen[Int(vertex)] { append(chain, isSeen: &isSeen) }
      return
    }
    // A ring is read from a fixed vertex on; the ends of a line are fixed.
    var turned = chain[first...]
    if first > chain.startIndex { turned += chain[chain.startIndex...first].dropFirst() }
    var start = turned.startIndex
    for index in turned.indices.dropFirst() where isFixed[Int(turned[index])] {
      if index - start > 1, !isSeen[Int(turned[start + 1])] {
        append(turned[start...index], isSeen: &isSeen)
      }
      start = index
    }
  }

  private mutating func append(_ path: ArraySlice<Int32>, isSeen: inout [Bool]) {
    for vertex in path {
      isSeen[Int(vertex)] = true
      if vertices.count == starts[starts.count - 1] || vertices.last != vertex {
        vertices.append(vertex)
      }
    }
    starts.append(vertices.count)
  }

  private func path(_ index: Int) -> ArraySlice<Int32> {
    vertices[starts[index]..<starts[index + 1]]
  }

  // MARK: Distances

  /// The tolerance in metres up to which each vertex is kept. Fixed vertices, and the two ends of a
  /// ring, are kept with any.
  func measures(_ points: [PlanePoint]) -> [Double] {
    var measures = Array(repeating: Double.infinity, count: points.count)
    var spans: [Span] = []
    for index in 0..<starts.count - 1 {
      let path = path(index)
      let (first, last) = (path.startIndex, path.endIndex - 1)
      if isFixed[Int(path[first])] {
        spans.append(Span(first: first, last: last, limit: .infinity))
      } else {
        let origin = points[Int(path[first])]
        let middle =
          (first..<last).max {
            Self.distance(points[Int(vertices[$0])], from: origin, to: origin)
              < Self.distance(points[Int(vertices[$1])], from: origin, to: origin)
          } ?? first
        spans.append(Span(first: first, last: middle, limit: .infinity))
        spans.append(Span(first: middle, last: last, limit: .infinity))
      }
      while let span = spans.popLast() {
        guard let (index, distance) = farthest(in: span, points: points) else { continue }
        let measure = min(span.limit, distance)
        measures[Int(vertices[index])] = measure
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
    var limit: Double
  }

  private func farthest(
    in span: Span, points: [PlanePoint]
  ) -> (index: Int, distance: Double)? {
    guard span.last - span.first > 1 else { return nil }
    let (a, b) = (points[Int(vertices[span.first])], points[Int(vertices[span.last])])
    var farthest = (index: span.first + 1, distance: -1.0)
    for index in span.first + 1..<span.last {
      let distance = Self.distance(points[Int(vertices[index])], from: a, to: b)
      if distance > farthest.distance { farthest = (index, distance) }
    }
    return farthest
  }

  /// The distance in metres of a point from an edge, with the scale of longitude at the point.
  static func distance(_ point: PlanePoint, from a: PlanePoint, to b: PlanePoint) -> Double {
    let scale = cosine(degrees: point.y)
    let (px, py) = ((point.x - a.x) * scale, point.y - a.y)
    let (bx, by) = ((b.x - a.x) * scale, b.y - a.y)
    let square = bx * bx + by * by
    let share = square > 0 ? min(1, max(0, (px * bx + py * by) / square)) : 0
    let (x, y) = (px - share * bx, py - share * by)
    return (x * x + y * y).squareRoot() * Sphere.metresPerDegree
  }

  // MARK: Strays

  /// Vertices that were left out and are farther from the new edge than the tolerance: the farthest
  /// one of each edge, or all of the paths that have any.
  func strays(
    isKept: [Bool], points: [PlanePoint], tolerance: Distance, all: Bool
  ) -> [Int32] {
    var strays: [Int32] = []
    for index in 0..<starts.count - 1 {
      let path = path(index)
      guard let start = path.firstIndex(where: { isKept[Int($0)] }) else { continue }
      // Only a ring may begin with a vertex that was left out.
      let own = Self.strays(
        of: start == path.startIndex ? path : path[start...] + path[...start].dropFirst(),
        isKept: isKept, points: points, tolerance: tolerance.asMeters())
      strays += all && !own.isEmpty ? Array(path) : own
    }
    return strays
  }

  private static func strays(
    of path: ArraySlice<Int32>, isKept: [Bool], points: [PlanePoint], tolerance: Double
  ) -> [Int32] {
    var strays: [Int32] = []
    var start = path.startIndex
    for index in path.indices.dropFirst() where isKept[Int(path[index])] {
      let (a, b) = (points[Int(path[start])], points[Int(path[index])])
      var farthest = (vertex: path[start], distance: tolerance)
      for vertex in path[start..<index].dropFirst() {
        let distance = distance(points[Int(vertex)], from: a, to: b)
        if distance > farthest.distance { farthest = (vertex, distance) }
      }
      if farthest.distance > tolerance { strays.append(farthest.vertex) }
      start = index
    }
    return strays
  }
}
