/// A tree of bounding boxes around stretches of an edge chain, each level covering longer
/// stretches.
struct ChainTree {
  /// The children of a node.
  private static let fan = 8

  /// The boxes as west, south, -east, -north: of each edge, of each eight edges, and so on up to a
  /// single box.
  private var levels: [[SIMD4<Double>]] = []
  private let chain: EdgeChain

  init(_ chain: EdgeChain) {
    self.chain = chain
    var boxes = (0..<chain.count).map { Self.box(chain.points[$0], b: chain.end($0)) }
    levels.append(boxes)
    while boxes.count > 1 {
      boxes = stride(from: 0, to: boxes.count, by: Self.fan).map { start in
        boxes[start..<min(boxes.count, start + Self.fan)].reduce(boxes[start], pointwiseMin)
      }
      levels.append(boxes)
    }
  }

  private static func box(_ a: PlanePoint, b: PlanePoint) -> SIMD4<Double> {
    SIMD4(min(a.x, b.x), min(a.y, b.y), -max(a.x, b.x), -max(a.y, b.y))
  }

  private static func meet(_ one: SIMD4<Double>, other: SIMD4<Double>) -> Bool {
    one.x <= -other.z && other.x <= -one.z && one.y <= -other.w && other.y <= -one.w
  }

  private func children(of node: Int, at level: Int) -> Range<Int> {
    node * Self.fan..<min(levels[level - 1].count, (node + 1) * Self.fan)
  }

  // MARK: Pairs

  /// Calls `visit` with each two edges whose boxes meet, the first before the second, until it
  /// returns true.
  ///
  /// - Returns: false if this would take more steps than `stepLimit`.
  func pairs(stepLimit: Int, _ visit: (Int, Int) -> Bool) -> Bool {
    guard chain.count > 1 else { return true }
    var stepLimit = stepLimit
    _ = pairs(within: 0, at: levels.count - 1, &stepLimit, visit: visit)
    return stepLimit > 0
  }

  private func pairs(
    within node: Int, at level: Int, _ stepLimit: inout Int, visit: (Int, Int) -> Bool
  ) -> Bool {
    guard level > 0 else { return false }
    let children = children(of: node, at: level)
    for one in children {
      if pairs(within: one, at: level - 1, &stepLimit, visit: visit) { return true }
      for other in one + 1..<max(one + 1, children.upperBound)
      where pairs(between: one, other, at: level - 1, stepLimit: &stepLimit, visit: visit) {
        return true
      }
    }
    return false
  }

  /// Visits the pairs between two nodes; returns whether to stop.
  private func pairs(
    between one: Int, _ other: Int, at level: Int, stepLimit: inout Int,
    visit: (Int, Int) -> Bool
  ) -> Bool {
    stepLimit -= 1
    if stepLimit <= 0 { return true }
    guard Self.meet(levels[level][one], other: levels[level][other]) else { return false }
    guard level > 0 else { return visit(one, other) }
    for left in children(of: one, at: level)
    where Self.meet(levels[level - 1][left], other: levels[level][other]) {
      for right in children(of: other, at: level)
      where pairs(between: left, right, at: level - 1, stepLimit: &stepLimit, visit: visit) {
        return true
      }
    }
    return false
  }

  // MARK: Rings around a point

  /// The indexes in `chain.rings` of the rings that go around a point, which must lie on none of
  /// them.
  func ringsAround(_ point: PlanePoint) -> Set<Int32> {
    var odd: Set<Int32> = []
    cross(0, at: levels.count - 1, point: point, odd: &odd)
    return odd
  }

  /// Follows the ray from the point to the east.
  private func cross(
    _ node: Int, at level: Int, point: PlanePoint, odd: inout Set<Int32>
  ) {
    let box = levels[level][node]
    guard box.y <= point.y, -box.w >= point.y, -box.z >= point.x else { return }
    if box.x > point.x { return crossAll(node, at: level, point: point, odd: &odd) }
    guard level > 0 else { return crossEdge(node, point: point, odd: &odd) }
    for child in children(of: node, at: level) {
      cross(child, at: level - 1, point: point, odd: &odd)
    }
  }

  private func crossEdge(_ edge: Int, point: PlanePoint, odd: inout Set<Int32>) {
    let (a, b) = (chain.points[edge], chain.end(edge))
    guard (a.y > point.y) != (b.y > point.y) else { return }
    if (orientation(a, b: b, c: point) > 0) == (b.y > a.y) { odd.toggle(chain.ringOf[edge]) }
  }

  /// Counts a stretch entirely east of the point: a path crosses the ray an odd number of times if
  /// its ends are on different sides of it.
  private func crossAll(
    _ node: Int, at level: Int, point: PlanePoint, odd: inout Set<Int32>
  ) {
    var width = 1
    for _ in 0..<level { width *= Self.fan }
    let edges = node * width..<min(chain.count, (node + 1) * width)
    let (first, last) = (chain.ringOf[edges.lowerBound], chain.ringOf[edges.upperBound - 1])
    if first == last { return crossPath(edges, point: point, odd: &odd) }
    crossPath(edges.lowerBound..<chain.rings[Int(first)].edges.upperBound, point: point, odd: &odd)
    crossPath(chain.rings[Int(last)].edges.lowerBound..<edges.upperBound, point: point, odd: &odd)
  }

  private func crossPath(_ edges: Range<Int>, point: PlanePoint, odd: inout Set<Int32>) {
    let end = chain.end(edges.upperBound - 1)
    if (chain.points[edges.lowerBound].y > point.y) != (end.y > point.y) {
      odd.toggle(chain.ringOf[edges.lowerBound])
    }
  }
}

extension Set {
  fileprivate mutating func toggle(_ member: Element) {
    if remove(member) == nil { insert(member) }
  }
}
