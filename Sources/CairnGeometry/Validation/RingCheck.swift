/// Finds faults in the rings of a polygon. The time grows with the number of edges, and of
/// locations where edges are close.
struct RingCheck {
  /// A point that two rings share, with an edge of each that contains it.
  private struct Touch {
    let one: Int
    let other: Int
    let point: PlanePoint
  }

  private let image: PlaneImage
  private let chain: EdgeChain
  private let tree: ChainTree
  private var touches: [Touch] = []

  init(_ image: PlaneImage) {
    self.image = image
    chain = EdgeChain(image.rings)
    tree = ChainTree(chain)
  }

  /// The first fault found, or nil if the polygon is valid.
  mutating func fault() -> RingFault? {
    for ring in chain.rings where ring.edges.count < 3 {
      return .tooFewPoints(ring.number, location: image.locations[ring.number].first)
    }
    return meetingFault() ?? touchFault() ?? nestingFault()
  }

  // MARK: Edges that meet

  private mutating func meetingFault() -> RingFault? {
    // Boxes separate nearly all edges, except many slanting ones that run side by side.
    let stepLimit = 24 * chain.count + 100_000
    var (found, isDone) = meetingFault(stepLimit: stepLimit)
    if isDone { return found }
    var sweep = SweepLine(chain)
    switch sweep.run() {
    case .clean:
      touches = []
      return nil
    case .meeting(let one, let other): found = fault(of: one, other)
    case .unclear: break
    }
    return found ?? meetingFault(stepLimit: .max).found
  }

  private func fault(of one: Int, _ other: Int) -> RingFault? {
    chain.ringOf[one] == chain.ringOf[other]
      ? ownFault(one, other: other) : fault(meeting(one, other: other), one: one, other: other)
  }

  /// The first fault among pairs of edges, unless there are more than `stepLimit` pairs to compare.
  private mutating func meetingFault(stepLimit: Int) -> (found: RingFault?, isDone: Bool) {
    var found: RingFault?
    var touches: [Touch] = []
    let isDone = tree.pairs(stepLimit: stepLimit) { one, other in
      if chain.ringOf[one] == chain.ringOf[other] {
        found = ownFault(one, other: other)
      } else {
        let meeting = meeting(one, other: other)
        found = fault(meeting, one: one, other: other)
        if case .touch(let point) = meeting {
          touches.append(Touch(one: one, other: other, point: point))
        }
      }
      return found != nil
    }
    self.touches = touches
    return (found, isDone || found != nil)
  }

  /// The way in which two edges meet. On the sphere, rounding moves a vertex that lies on an edge
  /// beyond it as often as not.
  private func meeting(_ one: Int, other: Int) -> EdgeMeeting {
    let meeting = EdgeMeeting(one, other: other, of: chain)
    guard image.isGnomonic, case .cross = meeting else { return meeting }
    let ends = [(one, other), (chain.next(one), other), (other, one), (chain.next(other), one)]
    for (end, edge) in ends where grazes(chain.points[end], edge: edge) {
      return .touch(chain.points[end])
    }
    return meeting
  }

  /// Whether a point is as close to an edge as rounding may bring it.
  private func grazes(_ point: PlanePoint, edge: Int) -> Bool {
    let (a, b) = (chain.points[edge], chain.end(edge))
    let (x, y) = (b.x - a.x, b.y - a.y)
    let offset = abs(x * (point.y - a.y) - y * (point.x - a.x)) / (x * x + y * y).squareRoot()
    return offset <= 2e-15 * (1 + point.x * point.x + point.y * point.y)
  }

  private func fault(_ meeting: EdgeMeeting, one: Int, other: Int) -> RingFault? {
    switch meeting {
    case .cross:
      .cross(chain.number(one), other: chain.number(other), location: crossing(one, other: other))
    case .along(let point):
      .shareEdge(
        chain.number(one), other: chain.number(other),
        location: location(point, one: one, other: other))
    case .apart, .touch: nil
    }
  }

  /// The fault of two edges of one ring, which may meet only if one follows the other.
  private func ownFault(_ one: Int, other: Int) -> RingFault? {
    if chain.next(one) == other { return spike(one, next: other) }
    if chain.next(other) == one { return spike(other, next: one) }
    let ring = chain.number(one)
    switch EdgeMeeting(one, other: other, of: chain) {
    case .apart: return nil
    case .cross: return .crossesItself(ring, location: crossing(one, other: other))
    case .along(let point):
      return .runsBack(ring, location: location(point, one: one, other: other))
    case .touch(let point):
      let isVertexOfBoth = isEnd(point, edge: one) && isEnd(point, edge: other)
      let location = location(point, one: one, other: other)
      return isVertexOfBoth
        ? .hasVertexTwice(ring, location: location) : .touchesItself(ring, location: location)
    }
  }

  private func isEnd(_ point: PlanePoint, edge: Int) -> Bool {
    chain.points[edge] == point || chain.end(edge) == point
  }

  /// The fault of an edge that goes back along the one before it.
  private func spike(_ edge: Int, next: Int) -> RingFault? {
    let (a, b, c) = (chain.points[edge], chain.points[next], chain.end(next))
    let way = (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y)
    guard way > 0, orientation(a, b: b, c: c) == 0 else { return nil }
    return .runsBack(chain.number(edge), location: location(b, one: edge, other: next))
  }

  // MARK: Points that rings share

  private func touchFault() -> RingFault? {
    for touch in touches where crosses(touch) {
      return .cross(
        chain.number(touch.one), other: chain.number(touch.other),
        location: location(touch.point, one: touch.one, other: touch.other))
    }
    var outer: [Int: PlanePoint] = [:]
    for touch in touches {
      let (one, other) = (chain.number(touch.one), chain.number(touch.other))
      guard min(one, other) == 0 else { continue }
      let hole = max(one, other)
      if let first = outer[hole], first != touch.point {
        return .touchesTwice(
          hole, location: location(touch.point, one: touch.one, other: touch.other))
      }
      outer[hole] = touch.point
    }
    return nil
  }

  /// Whether one ring's path through the point leads from one side of the other ring to the other.
  private func crosses(_ touch: Touch) -> Bool {
    let one = neighbours(touch.one, point: touch.point)
    let other = neighbours(touch.other, point: touch.point)
    return isBetween(touch.point, from: one.next, to: one.last, direction: other.last)
      != isBetween(touch.point, from: one.next, to: one.last, direction: other.next)
  }

  /// The points of a ring before and after a point of one of its edges.
  private func neighbours(_ edge: Int, point: PlanePoint) -> (last: PlanePoint, next: PlanePoint) {
    if chain.points[edge] == point {
      return (chain.points[chain.previous(edge)], chain.end(edge))
    }
    let end = chain.end(edge)
    return (chain.points[edge], end == point ? chain.end(chain.next(edge)) : end)
  }

  /// Whether a direction lies in the left rotation from one direction to another.
  private func isBetween(
    _ point: PlanePoint, from: PlanePoint, to: PlanePoint, direction: PlanePoint
  ) -> Bool {
    let turn = orientation(point, b: from, c: to)
    let (start, end) = (
      orientation(point, b: from, c: direction), orientation(point, b: direction, c: to)
    )
    return turn > 0 ? start > 0 && end > 0 : turn < 0 ? start > 0 || end > 0 : start > 0
  }

  // MARK: Rings in rings

  private func nestingFault() -> RingFault? {
    let shared = Set(touches.map(\.point))
    for ring in chain.rings where ring.number > 0 {
      let point = ownPoint(of: ring, but: shared)
      let around = tree.ringsAround(point).map { chain.rings[Int($0)].number }
      let others = around.filter { $0 != ring.number }
      let location = location(point, one: ring.edges.lowerBound, other: ring.edges.lowerBound)
      if !others.contains(0) { return .outside(ring.number, location: location) }
      if let hole = others.first(where: { $0 > 0 }) {
        return .nested(ring.number, in: hole, location: location)
      }
    }
    return nil
  }

  /// A point of a ring that is on no other ring.
  private func ownPoint(of ring: EdgeChain.Ring, but shared: Set<PlanePoint>) -> PlanePoint {
    if shared.isEmpty { return chain.points[ring.edges.lowerBound] }
    if let free = chain.points[ring.edges].first(where: { !shared.contains($0) }) { return free }
    let (a, b) = (chain.points[ring.edges.lowerBound], chain.end(ring.edges.lowerBound))
    return PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
  }

  // MARK: Locations

  private func crossing(_ one: Int, other: Int) -> GeoPoint? {
    let (a, b) = (chain.points[one], chain.end(one))
    let (c, d) = (chain.points[other], chain.end(other))
    let whole = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
    let share = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / whole
    guard share.isFinite else { return image.location(a.x, y: a.y) }
    return image.location(a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
  }

  /// The location of a point, with the original coordinates if it is a vertex.
  private func location(_ point: PlanePoint, one: Int, other: Int) -> GeoPoint? {
    for edge in [one, other, chain.next(one), chain.next(other)] where chain.points[edge] == point {
      return image.locations[chain.number(edge)][Int(chain.vertices[edge])]
    }
    return image.location(point.x, y: point.y)
  }
}
