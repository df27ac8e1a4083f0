/// A binary tree of boxes over the arcs of a geometry, in their order.
struct ArcTree {
  /// A node; the nodes are in preorder.
  struct Node {
    let box: SpaceBox
    /// The index of the next node that is not below this one.
    let next: Int32
    /// The vertices of a leaf; the count is 0 if the node is not a leaf.
    let first: Int32
    let count: Int32
  }

  /// The vertices of a leaf.
  private static let leafSize = 8

  let geometry: SphericalGeometry
  private(set) var nodes: [Node] = []

  init(_ geometry: SphericalGeometry) {
    self.geometry = geometry
    nodes.reserveCapacity(2 * (geometry.count / Self.leafSize + 1))
    _ = append(0..<geometry.count)
  }

  private mutating func append(_ vertices: Range<Int>) -> SpaceBox {
    assert(
      vertices.lowerBound >= 0 && vertices.upperBound <= geometry.count,
      "a vertex is outside of the geometry")
    let index = nodes.count
    guard vertices.count > Self.leafSize else {
      var box = SpaceBox.empty
      for vertex in vertices where geometry.roles[vertex] != .end {
        let end = geometry.roles[vertex] == .start ? vertex + 1 : vertex
        box = box.union(SpaceBox(geometry.vectors[vertex], end: geometry.vectors[end]))
      }
      nodes.append(
        Node(
          box: box, next: Int32(index + 1), first: Int32(vertices.lowerBound),
          count: Int32(vertices.count)))
      return box
    }
    nodes.append(Node(box: .empty, next: 0, first: 0, count: 0))
    let leaves = (vertices.count + Self.leafSize - 1) / Self.leafSize
    let middle = vertices.lowerBound + (leaves / 2) * Self.leafSize
    let left = append(vertices.lowerBound..<middle)
    let box = left.union(append(middle..<vertices.upperBound))
    nodes[index] = Node(box: box, next: Int32(nodes.count), first: 0, count: 0)
    return box
  }

  /// The box around everything.
  var box: SpaceBox { nodes[0].box }

  /// Calls `body` with the vertices of each leaf whose box meets another box, until `body` returns
  /// false.
  @inline(__always)
  func forEachLeaf(_ box: SpaceBox, _ body: (Range<Int>) -> Bool) {
    nodes.withUnsafeBufferPointer { nodes in
      var index = 0
      while index < nodes.count {
        guard nodes[index].box.intersects(box) else {
          index = Int(nodes[index].next)
          continue
        }
        if nodes[index].count > 0 {
          let first = Int(nodes[index].first)
          guard body(first..<first + Int(nodes[index].count)) else { return }
        }
        index += 1
      }
    }
  }

  /// Whether an arc's box meets another box.
  func meets(_ box: SpaceBox) -> Bool {
    var isFound = false
    forEachLeaf(box) { leaf in
      for vertex in leaf where geometry.roles[vertex] != .end {
        let end = geometry.roles[vertex] == .start ? vertex + 1 : vertex
        if SpaceBox(geometry.vectors[vertex], end: geometry.vectors[end]).intersects(box) {
          isFound = true
          return false
        }
      }
      return true
    }
    return isFound
  }
}

extension ArcTree {
  /// The square of the least chord to an arc if it is less than `best`, else `best`.
  func leastChordSquared(to arc: Arc, below best: Double) -> Double {
    let box = SpaceBox(arc.start, end: arc.end)
    return nodes.withUnsafeBufferPointer { nodes in
      var best = seed(arc, box: box, nodes: nodes, below: best)
      var index = 0
      while index < nodes.count, best > 0 {
        if Double(nodes[index].box.distanceSquared(to: box)) > best {
          index = Int(nodes[index].next)
          continue
        }
        if nodes[index].count > 0 {
          best = leastChordSquared(to: arc, leaf: nodes[index], below: best)
        }
        index += 1
      }
      return best
    }
  }

  /// The square of the least chord to the arcs of the leaf that is found by following the nearest
  /// boxes down, if it is less than `best`, else `best`.
  private func seed(
    _ arc: Arc, box: SpaceBox, nodes: UnsafeBufferPointer<Node>, below best: Double
  ) -> Double {
    var index = 0
    while nodes[index].count == 0 {
      let (left, right) = (index + 1, Int(nodes[index + 1].next))
      let isLeft =
        nodes[left].box.distanceSquared(to: box) <= nodes[right].box.distanceSquared(to: box)
      index = isLeft ? left : right
    }
    return leastChordSquared(to: arc, leaf: nodes[index], below: best)
  }

  @inline(__always)
  private func leastChordSquared(to arc: Arc, leaf: Node, below best: Double) -> Double {
    var best = best
    if arc.isPoint {
      // The chord to each vertex serves two arcs.
      let (point, first) = (arc.start, Int(leaf.first))
      var before = geometry.vectors[first].chordSquared(to: point)
      for vertex in first..<first + Int(leaf.count) {
        best = min(best, before)
        guard vertex + 1 < geometry.count else { break }
        let next = geometry.vectors[vertex + 1]
        let after = next.chordSquared(to: point)
        if geometry.roles[vertex] == .start {
          let start = geometry.vectors[vertex]
          if Arc.isBeside(before, after, own: start.chordSquared(to: next)) {
            best = min(
              best,
              Arc(start, end: next).chordSquared(to: point, fromStart: before, fromEnd: after))
          }
        }
        before = after
      }
      return best
    }
    for vertex in Int(leaf.first)..<Int(leaf.first + leaf.count)
    where geometry.roles[vertex] != .end {
      best = geometry.leastChordSquared(from: vertex, to: arc, below: best)
    }
    return best
  }

  /// The square of the least chord between the arcs of two trees if it is less than `best`, else
  /// `best`.
  func leastChordSquared(to other: ArcTree, below best: Double) -> Double {
    nodes.withUnsafeBufferPointer { nodes in
      other.nodes.withUnsafeBufferPointer { others in
        var search = PairSearch(one: self, other: other, nodes: nodes, others: others, best: best)
        search.visit(0, 0, bound: 0)
        return search.best
      }
    }
  }

  /// The vertices at which the nearest arcs of two trees start.
  func nearestArcs(to other: ArcTree) -> (own: Int, other: Int) {
    nodes.withUnsafeBufferPointer { nodes in
      other.nodes.withUnsafeBufferPointer { others in
        var search = PairSearch(
          one: self, other: other, nodes: nodes, others: others, best: .infinity)
        search.visit(0, 0, bound: 0)
        return search.nearest
      }
    }
  }
}

extension SphericalGeometry {
  /// The square of the least chord between the arc at a vertex and another arc if it is less than
  /// `best`, else `best`.
  @inline(__always)
  func leastChordSquared(from vertex: Int, to arc: Arc, below best: Double) -> Double {
    assert(
      vertex >= 0 && vertex < count && (roles[vertex] != .start || vertex + 1 < count),
      "an arc is outside of the geometry")
    let start = vectors[vertex]
    let end = roles[vertex] == .start ? vectors[vertex + 1] : start
    let chords = (
      start.chordSquared(to: arc.start), start.chordSquared(to: arc.end),
      end.chordSquared(to: arc.start), end.chordSquared(to: arc.end)
    )
    let (own, other) = (start.chordSquared(to: end), arc.start.chordSquared(to: arc.end))
    let nearest = min(best, min(min(chords.0, chords.1), min(chords.2, chords.3)))
    // No position of an arc is farther from its start than its end is. The square of a sum is at
    // most twice the sum of the squares.
    let reach = 2 * (own + other)
    let slack = 2 * (nearest + reach)
    if chords.0 > slack * (1 + 1e-12) { return nearest }
    let mayTouch = chords.0 <= reach * (1 + 1e-12) + 1e-28
    let isBeside =
      Arc.isBeside(chords.0, chords.2, own: own) || Arc.isBeside(chords.1, chords.3, own: own)
    let isBesideOther =
      Arc.isBeside(chords.0, chords.1, own: other) || Arc.isBeside(chords.2, chords.3, own: other)
    guard mayTouch || isBeside || isBesideOther else { return nearest }
    let edge = Arc(start, end: end)
    if mayTouch, edge.touches(arc) { return 0 }
    return min(
      min(
        nearest,
        min(
          edge.chordSquared(to: arc.start, fromStart: chords.0, fromEnd: chords.2),
          edge.chordSquared(to: arc.end, fromStart: chords.1, fromEnd: chords.3))),
      min(
        arc.chordSquared(to: start, fromStart: chords.0, fromEnd: chords.1),
        arc.chordSquared(to: end, fromStart: chords.2, fromEnd: chords.3)))
  }
}

/// A search for the nearest arcs of two trees, which visits pairs of nodes, near ones first.
private struct PairSearch {
  let one: ArcTree
  let other: ArcTree
  // The nodes are valid during the search.
  let nodes: UnsafeBufferPointer<ArcTree.Node>
  let others: UnsafeBufferPointer<ArcTree.Node>
  var best: Double
  /// The vertices at which the arcs start that are so near.
  private(set) var nearest = (own: 0, other: 0)

  init(
    one: ArcTree, other: ArcTree, nodes: UnsafeBufferPointer<ArcTree.Node>,
    others: UnsafeBufferPointer<ArcTree.Node>, best: Double
  ) {
    self.one = one
    self.other = other
    self.nodes = nodes
    self.others = others
    self.best = best
  }

  mutating func visit(_ index: Int, _ otherIndex: Int, bound: Float) {
    guard best > 0, Double(bound) <= best else { return }
    let (node, partner) = (nodes[index], others[otherIndex])
    if node.count > 0, partner.count > 0 { return compare(node, partner) }
    // The one with more nodes below it is divided.
    let splitsOne =
      partner.count > 0
      || (node.count == 0 && Int(node.next) - index >= Int(partner.next) - otherIndex)
    if splitsOne {
      let (left, right) = (index + 1, Int(nodes[index + 1].next))
      let (near, far) = (
        nodes[left].box.distanceSquared(to: partner.box),
        nodes[right].box.distanceSquared(to: partner.box)
      )
      visit(near <= far ? left : right, otherIndex, bound: min(near, far))
      visit(near <= far ? right : left, otherIndex, bound: max(near, far))
    } else {
      let (left, right) = (otherIndex + 1, Int(others[otherIndex + 1].next))
      let (near, far) = (
        others[left].box.distanceSquared(to: node.box),
        others[right].box.distanceSquared(to: node.box)
      )
      visit(index, near <= far ? left : right, bound: min(near, far))
      visit(index, near <= far ? right : left, bound: max(near, far))
    }
  }

  private mutating func compare(_ node: ArcTree.Node, _ partner: ArcTree.Node) {
    for vertex in Int(node.first)..<Int(node.first + node.count)
    where one.geometry.roles[vertex] != .end {
      let arc = one.geometry.arc(vertex)
      let box = SpaceBox(arc.start, end: arc.end)
      if Double(box.distanceSquared(to: partner.box)) > best { continue }
      for pair in Int(partner.first)..<Int(partner.first + partner.count)
      where other.geometry.roles[pair] != .end {
        let square = other.geometry.leastChordSquared(from: pair, to: arc, below: best)
        if square < best { (best, nearest) = (square, (vertex, pair)) }
      }
    }
  }
}
