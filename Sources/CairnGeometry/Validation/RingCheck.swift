/// Finds faults in the rings of one polygon, or of several whose interiors must be disjoint. The time
/// grows with the number of edges, and of locations where edges are close.
final class RingCheck {
  /// A point that two rings share, with an edge of each that contains it.
  private struct Touch {
    let one: Int
    let other: Int
    let point: PlanePoint
  }

  private let image: PlaneImage
  private let chain: EdgeChain
  private let tree: ChainTree
  private let owners: RingOwners
  private var touches: [Touch] = []

  /// Creates a check of an image of one polygon, or of polygons with `ringCounts` rings each.
  init(_ image: PlaneImage, ringCounts: [Int]? = nil) {
    self.image = image
    owners = RingOwners(ringCounts ?? [image.rings.count])
    chain = EdgeChain(image.rings)
    tree = ChainTree(chain)
  }

  /// The first fault found, or nil for valid rings.
  func fault() -> RingFault? {
    for ring in chain.rings where ring.edges.count < 3 {
      return RingFault.tooFewPoints(
        owners.ring(ring.number), location: image.locations[ring.number].first
      ).of(polygon: owners.polygon(ring.number))
    }
    return meetingFault() ?? touchFault() ?? nestingFault()
  }

  // MARK: Edges that meet

  private func meetingFault() -> RingFault? {
    // Boxes separate nearly all edges, except many slanting ones that run side by side.
    let stepLimit = 24 * chain.count + 100_000
    let first = meetings(stepLimit: stepLimit)
    touches = first.touches
    if first.isDone { return first.fault }
    var sweep = SweepLine(chain)
    switch sweep.run() {
    case .clean:
      touches = []
      return nil
    case .meeting(let one, let other): if let fault = fault(of: one, other) { return fault }
    case .unclear: break
    }
    let all = meetings(stepLimit: .max)
    touches = all.touches
    return all.fault
  }

  private func fault(of one: Int, _ other: Int) -> RingFault? {
    chain.ringOf[one] == chain.ringOf[other]
      ? ownFault(one, other: other) : fault(meeting(one, other: other), one: one, other: other)
  }

  /// The result of a search among the pairs of edges.
  private struct Meetings {
    var fault: RingFault?
    var touches: [Touch] = []
    /// Whether the search came to its end or to a fault.
    var isDone = false
  }

  /// Searches for the first fault among the pairs of edges, unless there are more than `stepLimit`
  /// pairs to compare.
  private func meetings(stepLimit: Int) -> Meetings {
    var meetings = Meetings()
    let isDone = tree.pairs(stepLimit: stepLimit) { one, other in
      if chain.ringOf[one] == chain.ringOf[other] {
        meetings.fault = ownFault(one, other: other)
      } else {
        let meeting = meeting(one, other: other)
        meetings.fault = fault(meeting, one: one, other: other)
        if case .touch(let point) = meeting {
          meetings.touches.append(Touch(one: one, other: other, point: point))
        }
      }
      return meetings.fault != nil
    }
    meetings.isDone = isDone || meetings.fault != nil
    return meetings
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
    case .cross: crossFault(one, other: other, location: crossing(one, other: other))
    case .along(let point):
      shareFault(one, other: other, location: location(point, one: one, other: other))
    case .apart, .touch: nil
    }
  }

  /// The number of an edge's polygon.
  private func polygon(_ edge: Int) -> Int { owners.polygon(chain.number(edge)) }
  /// The number of an edge's ring in its polygon.
  private func ring(_ edge: Int) -> Int { owners.ring(chain.number(edge)) }

  /// The fault of two rings that cross.
  private func crossFault(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    let (first, second) = (polygon(one), polygon(other))
    guard first == second else {
      return .polygonsOverlap(first, other: second, location: location)
    }
    return RingFault.cross(ring(one), other: ring(other), location: location).of(polygon: first)
  }

  /// The fault of two rings with a common stretch.
  private func shareFault(_ one: Int, other: Int, location: GeoPoint?) -> RingFault {
    let (first, second) = (polygon(one), polygon(other))
    guard first == second else {
      return .polygonsShareEdge(first, other: second, location: location)
    }
    return RingFault.shareEdge(ring(one), other: ring(other), location: location)
      .of(polygon: first)
  }

  /// The fault of two edges of one ring, which may meet only if one follows the other.
  private func ownFault(_ one: Int, other: Int) -> RingFault? {
    ownRingFault(one, other: other)?.of(polygon: polygon(one))
  }

  private func ownRingFault(_ one: Int, other: Int) -> RingFault? {
    if chain.next(one) == other { return spike(one, next: other) }
    if chain.next(other) == one { return spike(other, next: one) }
    let ring = ring(one)
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
    return .runsBack(ring(edge), location: location(b, one: edge, other: next))
  }

  // MARK: Points that rings share

  private func touchFault() -> RingFault? {
    for touch in touches where crosses(touch) {
      return crossFault(
        touch.one, other: touch.other,
        location: location(touch.point, one: touch.one, other: touch.other))
    }
    var outer: [Int: PlanePoint] = [:]
    for touch in touches where polygon(touch.one) == polygon(touch.other) {
      let hole = max(chain.number(touch.one), chain.number(touch.other))
      guard min(ring(touch.one), ring(touch.other)) == 0 else { continue }
      if let first = outer[hole], first != touch.point {
        return RingFault.touchesTwice(
          owners.ring(hole), location: location(touch.point, one: touch.one, other: touch.other)
        ).of(polygon: polygon(touch.one))
      }
      outer[hole] = touch.point
    }
    return chainFault()
  }

  /// The fault of rings of one polygon that touch in a closed chain, as three holes around a middle do:
  /// the inside of the polygon is not connected.
  private func chainFault() -> RingFault? {
    // Rings and the points that they touch in are connected; a second connection closes a chain.
    var parents: [Int: Int] = [:]
    func root(_ node: Int) -> Int {
      var node = node
      while let parent = parents[node] {
        // Halves the path for the next search.
        if let next = parents[parent] { parents[node] = next }
        node = parent
      }
      return node
    }
    var points: [PlanePoint: Int] = [:]
    var known: Set<[Int]> = []
    for touch in touches where polygon(touch.one) == polygon(touch.other) {
      let number = points[touch.point] ?? points.count
      points[touch.point] = number
      // Each polygon has points of its own.
      let point = -1 - number * owners.polygonCount - polygon(touch.one)
      for edge in [touch.one, touch.other] where known.insert([chain.number(edge), point]).inserted
      {
        let (ring, other) = (root(chain.number(edge)), root(point))
        if ring == other {
          return RingFault.cutsInterior(
            self.ring(edge), location: location(touch.point, one: touch.one, other: touch.other)
          ).of(polygon: polygon(edge))
        }
        parents[ring] = other
      }
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
    for ring in chain.rings where owners.polygonCount > 1 || owners.ring(ring.number) > 0 {
      let point = ownPoint(of: ring, but: shared)
      let around = tree.ringsAround(point).map { chain.rings[Int($0)].number }
      let others = around.filter { $0 != ring.number }
      let edge = ring.edges.lowerBound
      let location = location(point, one: edge, other: edge)
      if let fault = nestingFault(ring.number, in: others, location: location) { return fault }
    }
    return nil
  }

  /// The fault of a ring that goes along no edge of the rings around it.
  private func nestingFault(
    _ ring: Int, in around: [Int], location: GeoPoint?
  ) -> RingFault? {
    let (polygon, number) = (owners.polygon(ring), owners.ring(ring))
    guard number > 0 else {
      return owners.polygonAround(around, but: polygon).map {
        .polygonsOverlap(polygon, other: $0, location: location)
      }
    }
    let own = around.filter { owners.polygon($0) == polygon }.map(owners.ring)
    if !own.contains(0) {
      return RingFault.outside(number, location: location).of(polygon: polygon)
    }
    return own.first { $0 > 0 }.map {
      RingFault.nested(number, in: $0, location: location).of(polygon: polygon)
    }
  }

  /// A point of a ring that is on no other ring.
  private func ownPoint(of ring: EdgeChain.Ring, but shared: Set<PlanePoint>) -> PlanePoint {
    if shared.isEmpty { return chain.points[ring.edges.lowerBound] }
    if let free = chain.points[ring.edges].first(where: { !shared.contains($0) }) { return free }
    let middles = ring.edges.lazy.map { [chain] edge -> PlanePoint in
      let (a, b) = (chain.points[edge], chain.end(edge))
      return PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
    }
    return middles.first { !shared.contains($0) } ?? chain.points[ring.edges.lowerBound]
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

/// The polygons that the rings of an image belong to.
private struct RingOwners {
  /// The index of each polygon's first ring.
  private var firsts: [Int] = []
  /// The index of each ring's polygon.
  private var polygons: [Int32] = []

  init(_ ringCounts: [Int]) {
    for (polygon, count) in ringCounts.enumerated() {
      firsts.append(polygons.count)
      polygons.append(contentsOf: repeatElement(Int32(polygon), count: count))
    }
  }

  var polygonCount: Int { firsts.count }

  /// The index of a ring's polygon.
  func polygon(_ ring: Int) -> Int { Int(polygons[ring]) }

  /// The number of a ring in its polygon: 0 is the outer one.
  func ring(_ ring: Int) -> Int { ring - firsts[polygon(ring)] }

  /// A polygon whose interior contains a point, given the rings around the point.
  func polygonAround(_ rings: [Int], but excluded: Int) -> Int? {
    var odd: Set<Int> = []
    for ring in rings { odd.formSymmetricDifference([polygon(ring)]) }
    odd.remove(excluded)
    return odd.min()
  }
}
