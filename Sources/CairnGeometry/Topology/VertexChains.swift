/// Lines and rings in a plane as chains of vertices that they have in common, to leave out the same
/// vertices in all of them.
///
/// A vertex is a location with its coordinates bit for bit, whichever chains have it. It is a junction
/// where it has other neighbours in one line or ring than in another. Between junctions, all that pass
/// a vertex have the same neighbours; so it is enough to say of each vertex whether it is kept, and
/// borders that are shared stay shared.
package struct VertexChains {
  private let sharesVertices: Bool
  private var table = VertexTable()
  private(set) var graph = VertexGraph()
  /// The vertices of all chains in their order; negative for points.
  private(set) var vertices: [Int32] = []
  /// The range in `vertices` of each line and ring. The last vertex of a ring repeats the first.
  private(set) var ranges: [Range<Int>] = []
  /// The tolerance up to which each vertex is kept; empty until vertices are left out.
  private var measures: [Double] = []
  private var tolerance = 0.0

  /// Creates chains of nothing.
  ///
  /// - Parameter sharesVertices: Whether lines and rings have vertices in common. Without, each has
  ///   vertices of its own, which takes less time.
  package init(sharesVertices: Bool = true) { self.sharesVertices = sharesVertices }

  /// The location of each vertex.
  var points: [PlanePoint] { table.points }

  /// The number of lines and rings.
  package var count: Int { ranges.count }

  /// Removes all chains, and keeps their memory for others.
  package mutating func removeAll() {
    table.removeAll()
    graph.removeAll()
    vertices.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
    measures = []
  }

  /// Adds a point, which is in no chain.
  mutating func addPoint() { vertices.append(-1) }

  /// Adds a line, or a ring, which repeats its first point.
  package mutating func add(_ points: UnsafeBufferPointer<SIMD2<Double>>, isRing: Bool) {
    add(points.indices, isRing: isRing) { PlanePoint(x: points[$0].x, y: points[$0].y) }
  }

  /// Adds a line, or a ring, which repeats its first point.
  @inline(__always)
  mutating func add(_ indices: Range<Int>, isRing: Bool, point: (Int) -> PlanePoint) {
    let start = vertices.count
    if sharesVertices {
      for index in indices { vertices.append(table.number(of: point(index))) }
    } else {
      for index in indices { vertices.append(table.append(point(index))) }
    }
    graph.reserve(table.points.count)
    graph.add(start..<vertices.count, of: vertices, isRing: isRing)
    ranges.append(start..<vertices.count)
  }

  /// Lets a vertex always be kept.
  mutating func fix(_ vertex: Int32) { graph.fix(vertex) }

  /// Lets a vertex of the chain that was added last always be kept.
  ///
  /// - Parameter index: The number of points before it in the chain.
  package mutating func fixPoint(_ index: Int) {
    guard let range = ranges.last else { return }
    assert(index >= 0 && index < range.count, "the chain has no such point")
    graph.fix(vertices[range.lowerBound + index])
  }

  // MARK: Leaving out

  /// Leaves out vertices of a plane by Douglas and Peucker: between vertices that are always kept,
  /// those that are within the tolerance of the new line. New lines may cross others.
  package mutating func simplify(tolerance: Double) {
    measures = VertexPaths(self, plane: .flat).measures(above: tolerance)
    self.tolerance = tolerance
  }

  /// Calls `body` with the points that are kept, each with the number of its chain. The last one of a
  /// ring repeats the first if that is kept.
  package func forEachPoint(_ body: (_ chain: Int, _ point: SIMD2<Double>) -> Void) {
    for (chain, range) in ranges.enumerated() {
      for index in range {
        let vertex = Int(vertices[index])
        guard measures.isEmpty || measures[vertex] > tolerance else { continue }
        let point = table.points[vertex]
        body(chain, SIMD2(point.x, point.y))
      }
    }
  }
}
