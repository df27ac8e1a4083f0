/// Edges in order from south to north: a search tree balanced by chance, its nodes also in a row.
struct SweepStatus {
  private struct Node {
    var edge: Int32
    var low: Int32 = -1
    var high: Int32 = -1
    var parent: Int32 = -1
    var before: Int32 = -1
    var behind: Int32 = -1
    /// Smaller above greater.
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

  /// The node of a new edge that begins at a point; nil where the point lies on an edge.
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

  /// The node of a new edge next to another's, north of it.
  mutating func insert(_ edge: Int, behind node: Int32) -> Int32? {
    guard nodes[Int(node)].high >= 0 else { return attach(edge, to: node, isHigh: true) }
    return attach(edge, to: nodes[Int(node)].behind, isHigh: false)
  }

  /// 1 where a point lies north of an edge, -1 south of it.
  private func side(of point: PlanePoint, _ edge: Int) -> Int {
    let (a, b) = (chain.points[edge], chain.end(edge))
    return a.isBefore(b) ? orientation(a, b, point) : orientation(b, a, point)
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
      link(node, nodes[Int(parent)].behind)
      link(parent, node)
    } else {
      nodes[Int(parent)].low = node
      link(nodes[Int(parent)].before, node)
      link(node, parent)
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

  private mutating func link(_ one: Int32, _ other: Int32) {
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
    link(nodes[Int(node)].before, nodes[Int(node)].behind)
    free.append(node)
  }

  /// Puts a node in the place of its parent, which becomes its child.
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
