/// The neighbours of vertices along lines and rings.
struct VertexGraph {
  /// The two neighbours of each vertex that is not fixed, in any order.
  private(set) var neighbours: [SIMD2<Int32>] = []
  /// Whether each vertex is always kept: junctions, ends of lines, and those that were fixed.
  private(set) var isFixed: [Bool] = []
  /// The edges that join two fixed vertices, as far as another path joins them too.
  private var straight: Set<UInt64> = []

  private static let none: Int32 = -1

  /// The number of vertices that may be left out.
  var removableCount: Int { isFixed.count { !$0 } }

  /// Adds the vertices up to a number.
  mutating func reserve(_ count: Int) {
    let newCount = count - neighbours.count
    neighbours.append(contentsOf: repeatElement(SIMD2(repeating: Self.none), count: newCount))
    isFixed.append(contentsOf: repeatElement(false, count: newCount))
  }

  /// Removes all vertices, and keeps their memory.
  mutating func removeAll() {
    neighbours.removeAll(keepingCapacity: true)
    isFixed.removeAll(keepingCapacity: true)
    straight.removeAll()
  }

  /// Adds a line, or a ring, which repeats its first vertex. Repetitions in a row count once.
  ///
  /// - Parameter chain: The range of the vertices in `vertices`.
  mutating func add(_ chain: Range<Int>, of vertices: [Int32], isRing: Bool) {
    guard !chain.isEmpty else { return }
    let first = vertices[chain.lowerBound]
    var (second, before, last) = (Self.none, Self.none, first)
    for index in chain where vertices[index] != last {
      let vertex = vertices[index]
      if before == Self.none {
        second = vertex
      } else {
        link(last, one: before, other: vertex)
      }
      (before, last) = (last, vertex)
    }
    if isRing, last == first, second != Self.none {
      link(first, one: before, other: second)
    } else {
      fix(first)
      fix(last)
    }
  }

  @inline(__always)
  private mutating func link(_ vertex: Int32, one: Int32, other: Int32) {
    let known = neighbours[Int(vertex)]
    if one == other {
      fix(vertex)
    } else if known.x == Self.none {
      neighbours[Int(vertex)] = SIMD2(one, other)
    } else if known != SIMD2(one, other), known != SIMD2(other, one) {
      fix(vertex)
    }
  }

  /// Lets a vertex always be kept.
  mutating func fix(_ vertex: Int32) { isFixed[Int(vertex)] = true }

  // MARK: Leaving out

  /// Finds the edges between fixed vertices, when all chains are added.
  ///
  /// - Parameter chains: The ranges of lines and rings in `vertices`.
  mutating func findStraightEdges(of chains: [Range<Int>], in vertices: [Int32]) {
    var endsPath = Array(repeating: false, count: isFixed.count)
    for vertex in isFixed.indices where !isFixed[vertex] {
      let (a, b) = (neighbours[vertex].x, neighbours[vertex].y)
      endsPath[Int(a)] = isFixed[Int(a)]
      endsPath[Int(b)] = isFixed[Int(b)]
    }
    for chain in chains {
      for index in chain.dropLast() {
        let (a, b) = (vertices[index], vertices[index + 1])
        if endsPath[Int(a)], endsPath[Int(b)] { straight.insert(Self.key(a, b)) }
      }
    }
  }

  /// Whether an edge joins the neighbours of a vertex, so that a ring would have no area without it.
  func closesTriangle(_ vertex: Int32) -> Bool {
    let (a, b) = (neighbours[Int(vertex)].x, neighbours[Int(vertex)].y)
    if !isFixed[Int(a)] { return any(neighbours[Int(a)] .== b) }
    if !isFixed[Int(b)] { return any(neighbours[Int(b)] .== a) }
    return straight.contains(Self.key(a, b))
  }

  /// Joins the neighbours of a vertex that is left out.
  mutating func bypass(_ vertex: Int32) {
    let (a, b) = (neighbours[Int(vertex)].x, neighbours[Int(vertex)].y)
    replace(vertex, by: b, of: a)
    replace(vertex, by: a, of: b)
    if isFixed[Int(a)], isFixed[Int(b)] { straight.insert(Self.key(a, b)) }
  }

  private mutating func replace(_ old: Int32, by new: Int32, of vertex: Int32) {
    guard !isFixed[Int(vertex)] else { return }
    neighbours[Int(vertex)].replace(with: new, where: neighbours[Int(vertex)] .== old)
  }

  private static func key(_ a: Int32, _ b: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: min(a, b))) << 32 | UInt64(UInt32(bitPattern: max(a, b)))
  }
}
