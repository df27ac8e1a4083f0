/// The common vertices of many geometries, to leave out the same ones in all of them.
///
/// A vertex is a location with its coordinates bit for bit, whichever geometries have it. It is a
/// junction where it has other neighbours in one line or ring than in another. Between junctions, all
/// that pass a vertex have the same neighbours; so it is enough to say of each vertex whether it is
/// kept, and borders that are shared stay shared.
package struct Topology {
  private var table = VertexTable()
  /// The vertices of all geometries in their order; negative for points.
  private var vertices: [Int32] = []
  /// The index in `vertices` of the first vertex of each geometry, and their number.
  private var starts: [Int] = [0]
  /// The range in `vertices` of each line and ring. The last vertex of a ring repeats the first.
  private var chains: [Range<Int>] = []
  private var graph = VertexGraph()
  /// Whether each vertex is kept.
  private var isKept: [Bool] = []
  /// The vertices of the chain that is being added, without repetitions.
  private var chain: [Int32] = []

  /// Creates a topology of nothing.
  package init() {}

  /// The number of geometries.
  package var count: Int { starts.count - 1 }

  /// The number of vertices of all geometries, including those that close rings.
  package var vertexCount: Int { vertices.count }

  /// The number of vertices that are left, including those that close rings.
  package var keptVertexCount: Int {
    if isKept.isEmpty { return vertexCount }
    let count = vertices.count { $0 < 0 || isKept[Int($0)] }
    // A ring without its first vertex is closed by another one.
    let reclosed = chains.count { chain in
      !isKept[Int(vertices[chain.lowerBound])] && vertices[chain].contains { isKept[Int($0)] }
    }
    return count + reclosed
  }

  /// Adds a geometry, whose index is the number of those that were added before.
  package mutating func add(_ view: GeometryView) {
    let start = vertices.count
    vertices.append(contentsOf: repeatElement(-1, count: view.vertexCount))
    for part in view.parts {
      switch part {
      case .point: break
      case .line(let range): add(view, range: range, from: start, isRing: false)
      case .polygon(let rings):
        for range in rings where !range.isEmpty {
          add(view, range: range, from: start, isRing: true)
        }
      }
    }
    starts.append(vertices.count)
  }

  private mutating func add(
    _ view: GeometryView, range: Range<Int>, from start: Int, isRing: Bool
  ) {
    chain.removeAll(keepingCapacity: true)
    for index in range {
      let point = PlanePoint(x: view.longitude(index), y: view.latitude(index))
      let vertex = table.number(of: point)
      vertices[start + index] = vertex
      if chain.last != vertex { chain.append(vertex) }
    }
    graph.reserve(table.points)
    if isRing, chain.count > 1, chain.first == chain.last { chain.removeLast() }
    graph.add(chain, isRing: isRing)
    chains.append(start + range.lowerBound..<start + range.upperBound)
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
      rule.method == .douglasPeucker ? VertexPaths(chains, of: vertices, graph: graph) : nil
    var graph = graph
    var rounds = 0
    while true {
      graph.findStraightEdges(of: chains, in: vertices)
      var removal = VertexRemoval(table.points, graph: graph, rule: rule, paths: paths)
      try removal.run(progress)
      isKept = removal.isKept
      guard let paths, case .tolerance(let tolerance) = rule.amount else { return }
      // Vertices that stay for the sake of another line move the edges beside them.
      let strays = paths.strays(
        isKept: isKept, points: table.points, tolerance: tolerance,
        all: rounds >= Self.singleRounds)
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
    let own = vertices[starts[index]..<starts[index + 1]]
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
