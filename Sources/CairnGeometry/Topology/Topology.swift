/// The common vertices of many geometries, to leave out the same ones in all of them.
///
/// Vertices on ±180 degrees and the poles, where halves of geometries meet that were cut there, are
/// always kept.
package struct Topology {
  private var chains = VertexChains()
  /// The index of the first vertex of each geometry among those of the chains, and their number.
  private var starts: [Int] = [0]
  /// Whether each vertex is kept.
  private var isKept: [Bool] = []

  /// Creates a topology of nothing.
  package init() {}

  /// The number of geometries.
  package var count: Int { starts.count - 1 }

  /// The number of vertices of all geometries, including those that close rings.
  package var vertexCount: Int { chains.vertices.count }

  /// The number of vertices that are left, including those that close rings.
  package var keptVertexCount: Int {
    if isKept.isEmpty { return vertexCount }
    let vertices = chains.vertices
    let count = vertices.count { $0 < 0 || isKept[Int($0)] }
    // A ring without its first vertex is closed by another one.
    let reclosed = chains.ranges.count { range in
      !isKept[Int(vertices[range.lowerBound])] && vertices[range].contains { isKept[Int($0)] }
    }
    return count + reclosed
  }

  /// Adds a geometry, whose index is the number of those that were added before.
  package mutating func add(_ view: GeometryView) {
    let known = chains.points.count
    for part in view.parts {
      switch part {
      case .point: chains.addPoint()
      case .line(let range): add(view, range: range, isRing: false)
      case .polygon(let rings):
        for range in rings where !range.isEmpty { add(view, range: range, isRing: true) }
      }
    }
    let points = chains.points
    for vertex in known..<points.count {
      let point = points[vertex]
      if abs(point.x) == 180 || abs(point.y) == 90 { chains.fix(Int32(vertex)) }
    }
    starts.append(vertexCount)
  }

  private mutating func add(_ view: GeometryView, range: Range<Int>, isRing: Bool) {
    chains.add(range, isRing: isRing) { index in
      PlanePoint(x: view.longitude(index), y: view.latitude(index))
    }
  }

  /// Chooses the vertices that are left out, from all that were added.
  package mutating func simplify(by rule: Simplification) {
    simplify(by: rule) { (_: Double) throws(Never) in }
  }

  /// Chooses the vertices that are left out, from all that were added.
  ///
  /// - Parameter progress: Receives the share of the work that is done, now and then.
  /// - Throws: The error of `progress`.
  package mutating func simplify<Failure: Error>(
    by rule: Simplification, progress: (Double) throws(Failure) -> Void
  ) throws(Failure) {
    let paths =
      rule.method == .douglasPeucker ? VertexPaths(chains, plane: .degrees) : nil
    var graph = chains.graph
    var rounds = 0
    while true {
      graph.findStraightEdges(of: chains.ranges, in: chains.vertices)
      var removal = VertexRemoval(chains.points, graph: graph, rule: rule, paths: paths)
      try removal.run(progress)
      isKept = removal.isKept
      guard let paths, case .tolerance(let tolerance) = rule.amount else { return }
      // Vertices that stay for the sake of another line move the edges beside them.
      let strays = paths.strays(
        isKept: isKept, tolerance: tolerance.asMeters(), all: rounds >= Self.singleRounds)
      if strays.isEmpty { return }
      for vertex in strays { graph.fix(vertex) }
      rounds += 1
    }
  }

  /// The number of rounds that give back a vertex of an edge; later ones give back whole paths.
  private static let singleRounds = 8

  /// The simplified form of a geometry.
  ///
  /// - Parameters:
  ///   - index: The number of geometries that were added before it.
  ///   - view: The same geometry that was added.
  package func geometry(_ index: Int, of view: GeometryView) -> Geometry {
    let own = chains.vertices[starts[index]..<starts[index + 1]]
    assert(own.count == view.vertexCount, "this is not the geometry that was added")
    if isKept.isEmpty || own.allSatisfy({ $0 < 0 || isKept[Int($0)] }) {
      return Geometry(packed: Array(UnsafeRawBufferPointer(start: view.base, count: view.size)))
    }
    var writer = KeptVertices(view) { vertex in
      let vertex = own[own.startIndex + vertex]
      return vertex < 0 || isKept[Int(vertex)]
    }
    return writer.geometry()
  }
}
