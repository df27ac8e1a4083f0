/// A tree of boxes around stretches of a sequence of vertices: a leaf covers eight vertices and the
/// edges that begin at them, a node eight leaves or nodes.
///
/// Neighbouring vertices are neighbours in the plane, so the tree needs no sorting. It does not own
/// its memory.
struct PlanarTree {
  /// The boxes of the leaves, of the nodes above them, and so on up to a single one.
  private let boxes: UnsafePointer<PlanarBox>
  /// The index in `boxes` of the first box of each level, and their number.
  private let starts: UnsafePointer<Int>
  private let top: Int

  /// The number of boxes over `count` vertices.
  static func boxCount(_ count: Int) -> Int {
    var level = (count + 7) >> 3
    var sum = level
    while level > 1 {
      level = (level + 7) >> 3
      sum += level
    }
    return sum
  }

  /// The most levels that a tree has, and one more.
  static var startCount: Int { 24 }

  /// Builds the tree of a side in memory for `boxCount` boxes and `startCount` starts.
  init(
    _ side: PlanarSide, boxes: UnsafeMutablePointer<PlanarBox>,
    starts: UnsafeMutablePointer<Int>
  ) {
    self.boxes = UnsafePointer(boxes)
    self.starts = UnsafePointer(starts)
    var count = (side.vertexCount + 7) >> 3
    for leaf in 0..<count {
      var box = PlanarBox.empty
      for vertex in leaf << 3..<min(side.vertexCount, (leaf + 1) << 3) {
        box.insert(side.point(vertex))
        if side.isEdge(vertex) { box.insert(side.point(vertex + 1)) }
      }
      (boxes + leaf).initialize(to: box)
    }
    starts[0] = 0
    starts[1] = count
    var level = 0
    while count > 1 {
      let children = starts[level]
      let next = (count + 7) >> 3
      for node in 0..<next {
        var box = PlanarBox.empty
        for child in node << 3..<min(count, (node + 1) << 3) { box.insert(boxes[children + child]) }
        (boxes + starts[level + 1] + node).initialize(to: box)
      }
      level += 1
      assert(level + 1 < Self.startCount, "the tree has more levels than its memory")
      count = next
      starts[level + 1] = starts[level] + count
    }
    top = level
    assert(starts[top + 1] == Self.boxCount(side.vertexCount), "the tree does not fill its memory")
  }

  /// The box of a node.
  @inline(__always)
  private func box(_ level: Int, at node: Int) -> PlanarBox {
    assert(level >= 0 && level <= top, "the level does not exist")
    assert(node >= 0 && node < count(level), "the node does not exist")
    return boxes[starts[level] &+ node]
  }

  /// Calls `visit` with the vertices of each leaf whose box meets another, until it returns true.
  ///
  /// - Returns: whether a call returned true.
  @inline(__always)
  func search(_ box: PlanarBox, _ visit: (Range<Int>) -> Bool) -> Bool {
    var level = top
    var node = 0
    while true {
      if self.box(level, at: node).meets(box) {
        if level > 0 {
          level &-= 1
          node <<= 3
          continue
        }
        if visit(node << 3..<(node &+ 1) << 3) { return true }
      }
      node &+= 1
      while node & 7 == 0 || starts[level] &+ node == starts[level &+ 1] {
        if level == top { return false }
        node = (node &+ 7) >> 3
        level &+= 1
      }
    }
  }

  /// A leaf: the range of its vertices, which may go beyond the last one, and the box of their edges.
  struct Leaf {
    let vertices: Range<Int>
    let box: PlanarBox
  }

  /// The least value that `measure` returns for the leaves near a rectangle.
  ///
  /// - Parameters:
  ///   - best: The square of the distance beyond which leaves do not matter.
  ///   - measure: Returns the least value of a leaf and of those before it, which it receives. It is
  ///     not less than the square of the distance between the leaf and the rectangle.
  @inline(__always)
  func least(
    near box: PlanarBox, below best: Double, _ measure: (Leaf, Double) -> Double
  ) -> Double {
    // The leaf that is found by following the nearest boxes down limits the search.
    var node = 0
    for level in stride(from: top - 1, through: 0, by: -1) {
      let children = node << 3..<min(count(level), (node + 1) << 3)
      var nearest = Double.infinity
      for child in children {
        let square = self.box(level, at: child).distanceSquared(to: box)
        if square < nearest { (nearest, node) = (square, child) }
      }
      if nearest == .infinity { node = children.lowerBound }
    }
    var best = measure(leaf(node), best)
    let first = node
    node = 0
    var level = top
    while true {
      if self.box(level, at: node).distanceSquared(to: box) < best {
        if level > 0 {
          level &-= 1
          node <<= 3
          continue
        }
        if node != first { best = measure(leaf(node), best) }
      }
      node &+= 1
      while node & 7 == 0 || starts[level] &+ node == starts[level &+ 1] {
        if level == top { return best }
        node = (node &+ 7) >> 3
        level &+= 1
      }
    }
  }

  private func count(_ level: Int) -> Int { starts[level + 1] - starts[level] }

  @inline(__always)
  private func leaf(_ node: Int) -> Leaf {
    Leaf(vertices: node << 3..<(node &+ 1) << 3, box: box(0, at: node))
  }
}
