/// Looks for what the rings of a polygon must not do; in time that grows with the edges, and the places where they come close.
struct RingCheck {
  /// Where two rings have a point in common, by an edge of each that has it.
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

  /// The first fault found; nil where the polygon is valid.
  mutating func fault() -> RingFault? {
    for ring in chain.rings where ring.edges.count < 3 {
      return .tooFewPoints(ring.number, image.places[ring.number].first)
    }
    return meetingFault() ?? touchFault() ?? nestingFault()
  }

  // MARK: Edges that meet

  private mutating func meetingFault() -> RingFault? {
    // Rectangles tell nearly all edges apart, but not many that run slantwise side by side.
    let patience = 24 * chain.count + 100_000
    var (found, isDone) = meetingFault(patience: patience)
    if isDone { return found }
    var sweep = SweepLine(chain)
    switch sweep.run() {
    case .clean:
      touches = []
      return nil
    case .meeting(let one, let other): found = fault(of: one, other)
    case .unclear: break
    }
    return found ?? meetingFault(patience: .max).found
  }

  private func fault(of one: Int, _ other: Int) -> RingFault? {
    chain.ringOf[one] == chain.ringOf[other]
      ? ownFault(one, other) : fault(meeting(one, other), one, other)
  }

  /// The first fault among pairs of edges, unless there are more pairs to look at than that.
  private mutating func meetingFault(patience: Int) -> (found: RingFault?, isDone: Bool) {
    var found: RingFault?
    var touches: [Touch] = []
    let isDone = tree.pairs(patience: patience) { one, other in
      if chain.ringOf[one] == chain.ringOf[other] {
        found = ownFault(one, other)
      } else {
        let meeting = meeting(one, other)
        found = fault(meeting, one, other)
        if case .touch(let point) = meeting {
          touches.append(Touch(one: one, other: other, point: point))
        }
      }
      return found != nil
    }
    self.touches = touches
    return (found, isDone || found != nil)
  }

  /// On the sphere a vertex that lies on an edge is beyond it by rounding as often as not.
  private func meeting(_ one: Int, _ other: Int) -> EdgeMeeting {
    let meeting = EdgeMeeting(one, other, of: chain)
    guard image.isGnomonic, case .cross = meeting else { return meeting }
    let ends = [(one, other), (chain.next(one), other), (other, one), (chain.next(other), one)]
    for (end, edge) in ends where grazes(chain.points[end], edge) {
      return .touch(chain.points[end])
    }
    return meeting
  }

  /// Whether a point is as close to an edge as rounding may bring it.
  private func grazes(_ point: PlanePoint, _ edge: Int) -> Bool {
    let (a, b) = (chain.points[edge], chain.end(edge))
    let (x, y) = (b.x - a.x, b.y - a.y)
    let offset = abs(x * (point.y - a.y) - y * (point.x - a.x)) / (x * x + y * y).squareRoot()
    return offset <= 2e-15 * (1 + point.x * point.x + point.y * point.y)
  }

  private func fault(_ meeting: EdgeMeeting, _ one: Int, _ other: Int) -> RingFault? {
    switch meeting {
    case .cross: .cross(chain.number(one), chain.number(other), crossing(one, other))
    case .along(let point):
      .shareEdge(chain.number(one), chain.number(other), place(point, one, other))
    case .apart, .touch: nil
    }
  }

  /// Two edges of one ring may meet only where one follows the other.
  private func ownFault(_ one: Int, _ other: Int) -> RingFault? {
    if chain.next(one) == other { return spike(one, other) }
    if chain.next(other) == one { return spike(other, one) }
    let ring = chain.number(one)
    switch EdgeMeeting(one, other, of: chain) {
    case .apart: return nil
    case .cross: return .crossesItself(ring, crossing(one, other))
    case .along(let point): return .runsBack(ring, place(point, one, other))
    case .touch(let point):
      let isVertexOfBoth = isEnd(point, one) && isEnd(point, other)
      let place = place(point, one, other)
      return isVertexOfBoth ? .hasVertexTwice(ring, place) : .touchesItself(ring, place)
    }
  }

  private func isEnd(_ point: PlanePoint, _ edge: Int) -> Bool {
    chain.points[edge] == point || chain.end(edge) == point
  }

  /// An edge that goes back on the one before it.
  private func spike(_ edge: Int, _ next: Int) -> RingFault? {
    let (a, b, c) = (chain.points[edge], chain.points[next], chain.end(next))
    let way = (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y)
    guard way > 0, orientation(a, b, c) == 0 else { return nil }
    return .runsBack(chain.number(edge), place(b, edge, next))
  }

  // MARK: Points that rings share

  private func touchFault() -> RingFault? {
    for touch in touches where crosses(touch) {
      return .cross(
        chain.number(touch.one), chain.number(touch.other),
        place(touch.point, touch.one, touch.other))
    }
    var outer: [Int: PlanePoint] = [:]
    for touch in touches {
      let (one, other) = (chain.number(touch.one), chain.number(touch.other))
      guard min(one, other) == 0 else { continue }
      let hole = max(one, other)
      if let first = outer[hole], first != touch.point {
        return .touchesTwice(hole, place(touch.point, touch.one, touch.other))
      }
      outer[hole] = touch.point
    }
    return nil
  }

  /// Whether the way of one ring through the point leads from one side of the other's to the other.
  private func crosses(_ touch: Touch) -> Bool {
    let one = ways(touch.one, touch.point)
    let other = ways(touch.other, touch.point)
    return isBetween(touch.point, one.next, one.last, other.last)
      != isBetween(touch.point, one.next, one.last, other.next)
  }

  /// The points of a ring before and behind the one that an edge has.
  private func ways(_ edge: Int, _ point: PlanePoint) -> (last: PlanePoint, next: PlanePoint) {
    if chain.points[edge] == point {
      return (chain.points[chain.previous(edge)], chain.end(edge))
    }
    let end = chain.end(edge)
    return (chain.points[edge], end == point ? chain.end(chain.next(edge)) : end)
  }

  /// Whether a direction lies within the turn to the left from one to another.
  private func isBetween(
    _ point: PlanePoint, _ from: PlanePoint, _ to: PlanePoint, _ direction: PlanePoint
  ) -> Bool {
    let turn = orientation(point, from, to)
    let (start, end) = (
      orientation(point, from, direction), orientation(point, direction, to)
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
      let place = place(point, ring.edges.lowerBound, ring.edges.lowerBound)
      if !others.contains(0) { return .outside(ring.number, place) }
      if let hole = others.first(where: { $0 > 0 }) {
        return .nested(ring.number, in: hole, place)
      }
    }
    return nil
  }

  /// A point of a ring that lies on no other.
  private func ownPoint(of ring: EdgeChain.Ring, but shared: Set<PlanePoint>) -> PlanePoint {
    if shared.isEmpty { return chain.points[ring.edges.lowerBound] }
    if let free = chain.points[ring.edges].first(where: { !shared.contains($0) }) { return free }
    let (a, b) = (chain.points[ring.edges.lowerBound], chain.end(ring.edges.lowerBound))
    return PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
  }

  // MARK: Places

  private func crossing(_ one: Int, _ other: Int) -> GeoPoint? {
    let (a, b) = (chain.points[one], chain.end(one))
    let (c, d) = (chain.points[other], chain.end(other))
    let whole = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
    let share = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / whole
    guard share.isFinite else { return image.place(a.x, a.y) }
    return image.place(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
  }

  /// The place of a point, as the vertex there is written.
  private func place(_ point: PlanePoint, _ one: Int, _ other: Int) -> GeoPoint? {
    for edge in [one, other, chain.next(one), chain.next(other)] where chain.points[edge] == point {
      return image.places[chain.number(edge)][Int(chain.vertices[edge])]
    }
    return image.place(point.x, point.y)
  }
}
