/// A sweep line that moves from west to east and keeps the edges that it crosses in order from
/// south to north. It finds whether any two edges meet in O(*n* log *n*) time, however long and
/// close together they are.
struct SweepLine {
  enum Outcome {
    /// No edge meets another one except its neighbours in the ring.
    case clean
    /// The first two edges that meet.
    case meeting(Int, Int)
    /// Two vertices coincide, or a vertex is on an edge, so that the order is not defined.
    case unclear
  }

  private let chain: EdgeChain
  private var status: SweepStatus
  /// The node of each edge that is in the status, or -1.
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

  /// Removes the two edges of a vertex from the status, or inserts them.
  private mutating func pass(_ vertex: Int) -> Outcome? {
    let last = chain.previous(vertex)
    let here = chain.points[vertex]
    let cameFromWest = chain.points[last].isBefore(here)
    let goesWest = chain.end(vertex).isBefore(here)
    switch (cameFromWest, goesWest) {
    case (true, false): return replace(last, by: vertex)
    case (false, true): return replace(vertex, by: last)
    case (false, false): return begin(last, other: vertex, at: here)
    case (true, true): return end(last, other: vertex)
    }
  }

  private mutating func replace(_ old: Int, by new: Int) -> Outcome? {
    let node = nodes[old]
    nodes[new] = node
    status.setEdge(new, of: node)
    return meeting(status.before(node), other: node) ?? meeting(node, other: status.behind(node))
  }

  private mutating func begin(_ one: Int, other: Int, at point: PlanePoint) -> Outcome? {
    // Seen from the vertex, the southern edge is the one that has the other on its left.
    let (a, b) = (chain.points[one], chain.end(other))
    let turn = orientation(point, b: a, c: b)
    if turn == 0 { return .meeting(min(one, other), max(one, other)) }
    let isOneSouth = turn > 0
    let (low, high) = isOneSouth ? (one, other) : (other, one)
    guard let south = status.insert(low, at: point),
      let north = status.insert(high, behind: south)
    else { return .unclear }
    nodes[low] = south
    nodes[high] = north
    return meeting(status.before(south), other: south)
      ?? meeting(north, other: status.behind(north))
  }

  private mutating func end(_ one: Int, other: Int) -> Outcome? {
    let (first, second) = (nodes[one], nodes[other])
    if orientation(chain.points[other], b: chain.points[one], c: chain.end(other)) == 0 {
      return .meeting(min(one, other), max(one, other))
    }
    guard status.behind(first) == second || status.behind(second) == first else { return .unclear }
    let (low, high) = status.behind(first) == second ? (first, second) : (second, first)
    let (south, north) = (status.before(low), status.behind(high))
    status.remove(low)
    status.remove(high)
    return meeting(south, other: north)
  }

  /// The outcome for the edges of two neighbours, or nil if they do not meet where they must not.
  private func meeting(_ one: Int32, other: Int32) -> Outcome? {
    guard one >= 0, other >= 0 else { return nil }
    let (first, second) = (status.edge(one), status.edge(other))
    if chain.next(first) == second || chain.next(second) == first { return nil }
    switch EdgeMeeting(first, other: second, of: chain) {
    case .apart: return nil
    case .touch: return .unclear
    case .cross, .along: return .meeting(min(first, second), max(first, second))
    }
  }
}

/// Edges in order from south to north: a treap whose nodes are also linked in order.
struct SweepStatus {
  private struct Node {
    var edge: Int32
    var low: Int32 = -1
    var high: Int32 = -1
    var parent: Int32 = -1
    var before: Int32 = -1
    var behind: Int32 = -1
    /// The random priority; a parent's is less than its children's.
    var rank: UInt32
  }

  private let chain: EdgeChain
  private var nodes: [Node] = []
  private var free: [Int32] = []
  private var root: Int32 = -1
  private var chance: UInt64 = 0x2545_F491_4F6C_DD1D

  init(_ chain: EdgeChain) { self.chain = chain }

  func edge(_ node: Int32) -> Int { Int(nodes[Int(node)].edge) }
  func before(_ node: Int32) -> Int32 { nodes[Int(node)].before }
  func behind(_ node: Int32) -> Int32 { nodes[Int(node)].behind }

  mutating func setEdge(_ edge: Int, of node: Int32) { nodes[Int(node)].edge = Int32(edge) }

  /// Inserts an edge that begins at a point, and returns its node; nil if the point is on an edge.
  mutating func insert(_ edge: Int, at point: PlanePoint) -> Int32? {
    var parent: Int32 = -1
    var isHigh = false
    var next = root
    while next >= 0 {
      parent = next
      let side = side(of: point, self.edge(next))
      guard side != 0 else { return nil }
      isHigh = side > 0
      next = isHigh ? nodes[Int(next)].high : nodes[Int(next)].low
    }
    return attach(edge, to: parent, isHigh: isHigh)
  }

  /// Inserts an edge next to another one's node, north of it.
  mutating func insert(_ edge: Int, behind node: Int32) -> Int32? {
    guard nodes[Int(node)].high >= 0 else { return attach(edge, to: node, isHigh: true) }
    return attach(edge, to: nodes[Int(node)].behind, isHigh: false)
  }

  /// The side of an edge on which a point lies: 1 north, -1 south, 0 on the edge.
  private func side(of point: PlanePoint, _ edge: Int) -> Int {
    let (a, b) = (chain.points[edge], chain.end(edge))
    return a.isBefore(b) ? orientation(a, b: b, c: point) : orientation(b, b: a, c: point)
  }

  private mutating func attach(_ edge: Int, to parent: Int32, isHigh: Bool) -> Int32 {
    let node = make(edge)
    nodes[Int(node)].parent = parent
    guard parent >= 0 else {
      root = node
      return node
    }
    if isHigh {
      nodes[Int(parent)].high = node
      link(node, other: nodes[Int(parent)].behind)
      link(parent, other: node)
    } else {
      nodes[Int(parent)].low = node
      link(nodes[Int(parent)].before, other: node)
      link(node, other: parent)
    }
    while case let above = nodes[Int(node)].parent, above >= 0,
      nodes[Int(above)].rank > nodes[Int(node)].rank
    {
      rotateUp(node)
    }
    return node
  }

  private mutating func make(_ edge: Int) -> Int32 {
    chance ^= chance << 13
    chance ^= chance >> 7
    chance ^= chance << 17
    let made = Node(edge: Int32(edge), rank: UInt32(truncatingIfNeeded: chance))
    guard let node = free.popLast() else {
      nodes.append(made)
      return Int32(nodes.count - 1)
    }
    nodes[Int(node)] = made
    return node
  }

  private mutating func link(_ one: Int32, other: Int32) {
    if one >= 0 { nodes[Int(one)].behind = other }
    if other >= 0 { nodes[Int(other)].before = one }
  }

  mutating func remove(_ node: Int32) {
    while case let (low, high) = (nodes[Int(node)].low, nodes[Int(node)].high),
      low >= 0 || high >= 0
    {
      let isLow = high < 0 || (low >= 0 && nodes[Int(low)].rank < nodes[Int(high)].rank)
      rotateUp(isLow ? low : high)
    }
    replaceChild(node, of: nodes[Int(node)].parent, by: -1)
    link(nodes[Int(node)].before, other: nodes[Int(node)].behind)
    free.append(node)
  }

  /// Rotates a node above its parent.
  private mutating func rotateUp(_ node: Int32) {
    let parent = nodes[Int(node)].parent
    let above = nodes[Int(parent)].parent
    if nodes[Int(parent)].low == node {
      let inner = nodes[Int(node)].high
      nodes[Int(parent)].low = inner
      if inner >= 0 { nodes[Int(inner)].parent = parent }
      nodes[Int(node)].high = parent
    } else {
      let inner = nodes[Int(node)].low
      nodes[Int(parent)].high = inner
      if inner >= 0 { nodes[Int(inner)].parent = parent }
      nodes[Int(node)].low = parent
    }
    nodes[Int(parent)].parent = node
    nodes[Int(node)].parent = above
    replaceChild(parent, of: above, by: node)
  }

  private mutating func replaceChild(_ old: Int32, of parent: Int32, by new: Int32) {
    guard parent >= 0 else {
      root = new
      return
    }
    if nodes[Int(parent)].low == old {
      nodes[Int(parent)].low = new
    } else {
      nodes[Int(parent)].high = new
    }
  }
}
