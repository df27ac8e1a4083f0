/// Rectangles around ever longer stretches of a chain of edges.
struct ChainTree {
  /// Children of a node.
  private static let fan = 8

  /// West, south, -east, -north: of each edge, of each eight edges, and so on up to one.
  private var levels: [[SIMD4<Double>]] = []
  private let chain: EdgeChain

  init(_ chain: EdgeChain) {
    self.chain = chain
    var boxes = (0..<chain.count).map { Self.box(chain.points[$0], chain.end($0)) }
    levels.append(boxes)
    while boxes.count > 1 {
      boxes = stride(from: 0, to: boxes.count, by: Self.fan).map { start in
        boxes[start..<min(boxes.count, start + Self.fan)].reduce(boxes[start], pointwiseMin)
      }
      levels.append(boxes)
    }
  }

  private static func box(_ a: PlanePoint, _ b: PlanePoint) -> SIMD4<Double> {
    SIMD4(min(a.x, b.x), min(a.y, b.y), -max(a.x, b.x), -max(a.y, b.y))
  }

  private static func meet(_ one: SIMD4<Double>, _ other: SIMD4<Double>) -> Bool {
    one.x <= -other.z && other.x <= -one.z && one.y <= -other.w && other.y <= -one.w
  }

  private func children(of node: Int, at level: Int) -> Range<Int> {
    node * Self.fan..<min(levels[level - 1].count, (node + 1) * Self.fan)
  }

  // MARK: Pairs

  /// Calls `visit` with each two edges whose rectangles meet, the first before the second, until it
  /// answers that it has seen enough; false where that would take more steps than `patience`.
  func pairs(patience: Int, _ visit: (Int, Int) -> Bool) -> Bool {
    guard chain.count > 1 else { return true }
    var patience = patience
    _ = pairs(within: 0, at: levels.count - 1, &patience, visit)
    return patience > 0
  }

  private func pairs(
    within node: Int, at level: Int, _ patience: inout Int, _ visit: (Int, Int) -> Bool
  ) -> Bool {
    guard level > 0 else { return false }
    let children = children(of: node, at: level)
    for one in children {
      if pairs(within: one, at: level - 1, &patience, visit) { return true }
      for other in one + 1..<max(one + 1, children.upperBound)
      where pairs(between: one, other, at: level - 1, &patience, visit) { return true }
    }
    return false
  }

  /// Whether to stop.
  private func pairs(
    between one: Int, _ other: Int, at level: Int, _ patience: inout Int,
    _ visit: (Int, Int) -> Bool
  ) -> Bool {
    patience -= 1
    if patience <= 0 { return true }
    guard Self.meet(levels[level][one], levels[level][other]) else { return false }
    guard level > 0 else { return visit(one, other) }
    for left in children(of: one, at: level)
    where Self.meet(levels[level - 1][left], levels[level][other]) {
      for right in children(of: other, at: level)
      where pairs(between: left, right, at: level - 1, &patience, visit) { return true }
    }
    return false
  }

  // MARK: Rings around a point

  /// The places in `chain.rings` of those rings that go round a point which lies on none of them.
  func ringsAround(_ point: PlanePoint) -> Set<Int32> {
    var odd: Set<Int32> = []
    cross(0, at: levels.count - 1, point, &odd)
    return odd
  }

  /// Follows the ray from the point to the east.
  private func cross(
    _ node: Int, at level: Int, _ point: PlanePoint, _ odd: inout Set<Int32>
  ) {
    let box = levels[level][node]
    guard box.y <= point.y, -box.w >= point.y, -box.z >= point.x else { return }
    if box.x > point.x { return crossAll(node, at: level, point, &odd) }
    guard level > 0 else { return crossEdge(node, point, &odd) }
    for child in children(of: node, at: level) { cross(child, at: level - 1, point, &odd) }
  }

  private func crossEdge(_ edge: Int, _ point: PlanePoint, _ odd: inout Set<Int32>) {
    let (a, b) = (chain.points[edge], chain.end(edge))
    guard (a.y > point.y) != (b.y > point.y) else { return }
    if (orientation(a, b, point) > 0) == (b.y > a.y) { odd.toggle(chain.ringOf[edge]) }
  }

  /// A stretch wholly east of the point: a way crosses the ray oddly if its ends lie on two sides of it.
  private func crossAll(
    _ node: Int, at level: Int, _ point: PlanePoint, _ odd: inout Set<Int32>
  ) {
    var width = 1
    for _ in 0..<level { width *= Self.fan }
    let edges = node * width..<min(chain.count, (node + 1) * width)
    let (first, last) = (chain.ringOf[edges.lowerBound], chain.ringOf[edges.upperBound - 1])
    if first == last { return crossWay(edges, point, &odd) }
    crossWay(edges.lowerBound..<chain.rings[Int(first)].edges.upperBound, point, &odd)
    crossWay(chain.rings[Int(last)].edges.lowerBound..<edges.upperBound, point, &odd)
  }

  private func crossWay(_ edges: Range<Int>, _ point: PlanePoint, _ odd: inout Set<Int32>) {
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
