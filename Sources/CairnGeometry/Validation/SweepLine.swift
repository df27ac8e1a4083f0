/// Goes over the plane from west to east with the edges that it meets in order from south to north:
/// finds whether any two meet in time n log n, however long and close together they are.
struct SweepLine {
  enum Outcome {
    /// No edge meets another but the next of its ring.
    case clean
    /// The first two that meet.
    case meeting(Int, Int)
    /// A vertex lies where another one does, which an order cannot tell.
    case unclear
  }

  private let chain: EdgeChain
  private var status: SweepStatus
  /// The node of each edge that is in the status.
  private var nodes: [Int32]

  init(_ chain: EdgeChain) {
    self.chain = chain
    status = SweepStatus(chain)
    nodes = Array(repeating: -1, count: chain.count)
  }

  /// Sweeps until two edges are found that meet.
  mutating func run() -> Outcome {
    let points = chain.points
    let order = points.indices.sorted { points[$0].isBefore(points[$1]) }
    for (one, other) in zip(order, order.dropFirst()) where points[one] == points[other] {
      return .unclear
    }
    for vertex in order {
      if let found = pass(vertex) { return found }
    }
    return .clean
  }

  /// Takes the two edges of a vertex out of the status or into it.
  private mutating func pass(_ vertex: Int) -> Outcome? {
    let last = chain.previous(vertex)
    let here = chain.points[vertex]
    let cameFromWest = chain.points[last].isBefore(here)
    let goesWest = chain.end(vertex).isBefore(here)
    switch (cameFromWest, goesWest) {
    case (true, false): return replace(last, by: vertex)
    case (false, true): return replace(vertex, by: last)
    case (false, false): return begin(last, vertex, at: here)
    case (true, true): return end(last, vertex)
    }
  }

  private mutating func replace(_ old: Int, by new: Int) -> Outcome? {
    let node = nodes[old]
    nodes[new] = node
    status.setEdge(new, of: node)
    return meeting(status.before(node), node) ?? meeting(node, status.behind(node))
  }

  private mutating func begin(_ one: Int, _ other: Int, at point: PlanePoint) -> Outcome? {
    // From the vertex, the southern edge is the one with the other on its left.
    let (a, b) = (chain.points[one], chain.end(other))
    let turn = orientation(point, a, b)
    if turn == 0 { return .meeting(min(one, other), max(one, other)) }
    let isOneSouth = turn > 0
    let (low, high) = isOneSouth ? (one, other) : (other, one)
    guard let south = status.insert(low, at: point),
      let north = status.insert(high, behind: south)
    else { return .unclear }
    nodes[low] = south
    nodes[high] = north
    return meeting(status.before(south), south) ?? meeting(north, status.behind(north))
  }

  private mutating func end(_ one: Int, _ other: Int) -> Outcome? {
    let (first, second) = (nodes[one], nodes[other])
    if orientation(chain.points[other], chain.points[one], chain.end(other)) == 0 {
      return .meeting(min(one, other), max(one, other))
    }
    guard status.behind(first) == second || status.behind(second) == first else { return .unclear }
    let (low, high) = status.behind(first) == second ? (first, second) : (second, first)
    let (south, north) = (status.before(low), status.behind(high))
    status.remove(low)
    status.remove(high)
    return meeting(south, north)
  }

  /// Whether the edges of two neighbours meet where they should not.
  private func meeting(_ one: Int32, _ other: Int32) -> Outcome? {
    guard one >= 0, other >= 0 else { return nil }
    let (first, second) = (status.edge(one), status.edge(other))
    if chain.next(first) == second || chain.next(second) == first { return nil }
    switch EdgeMeeting(first, second, of: chain) {
    case .apart: return nil
    case .touch: return .unclear
    case .cross, .along: return .meeting(min(first, second), max(first, second))
    }
  }
}
