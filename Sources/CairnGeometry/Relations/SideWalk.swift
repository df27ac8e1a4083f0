/// The parts of a side beside a segment, at a position of a walk along it.
struct WalkState {
  let side: PlanarSide
  /// The layers of polygons on the left and on the right.
  private var left: [UInt64]
  private var right: [UInt64]
  /// The number of lines of the side that go along the segment.
  var lines = 0

  init(_ side: PlanarSide) {
    self.side = side
    left = Array(repeating: 0, count: side.groupCount)
    right = left
  }

  /// Whether a polygon lies on the left.
  var hasLeft: Bool { left.hasBits }
  /// Whether a polygon lies on the right.
  var hasRight: Bool { right.hasBits }

  mutating func start(_ start: DisplacedStart) {
    for group in left.indices {
      (left[group], right[group]) = side.layers(beside: start, group: group)
    }
  }

  mutating func toggle(_ layer: Int32, isLeft: Bool, isRight: Bool) {
    let (group, bit) = (Int(layer) >> 6, UInt64(1) << UInt64(layer & 63))
    if isLeft { left[group] ^= bit }
    if isRight { right[group] ^= bit }
  }
}

/// A walk along a segment, with what two sides have on its left and right.
struct SideWalk {
  private(set) var outer: WalkState
  private(set) var inner: WalkState
  private var events: [WalkEvent] = []

  init(outer: PlanarSide, inner: PlanarSide) {
    self.outer = WalkState(outer)
    self.inner = WalkState(inner)
  }

  // MARK: Covering

  /// Whether the outer area covers the inner one on both sides of an edge.
  mutating func coversArea(beside item: PlanarSide.Item) -> Bool {
    start()
    addArea(beside: item, isInner: false)
    addArea(beside: item, isInner: true)
    return passes(item) { walk in
      (walk.outer.hasLeft || !walk.inner.hasLeft) && (walk.outer.hasRight || !walk.inner.hasRight)
    }
  }

  /// Whether the outer side covers an edge of a line.
  mutating func coversLine(_ item: PlanarSide.Item) -> Bool {
    start()
    addArea(beside: item, isInner: false)
    if outer.side.hasLines { addLines(along: item, isInner: false) }
    return passes(item) { $0.outer.lines > 0 || $0.outer.hasLeft || $0.outer.hasRight }
  }

  /// Whether a condition holds at the start, and after the events of each position.
  private mutating func passes(
    _ item: PlanarSide.Item, _ condition: (SideWalk) -> Bool
  ) -> Bool {
    guard condition(self) else { return false }
    guard !events.isEmpty else { return true }
    let order = WalkOrder(item)
    events.sort { order.compare($0, $1) < 0 }
    for index in events.indices {
      apply(events[index])
      let isLast = index + 1 == events.count || order.compare(events[index], events[index + 1]) != 0
      if isLast, !condition(self) { return false }
    }
    return true
  }

  // MARK: Cells

  /// Calls `visit` with the cells of the plane along an edge, and with those where it crosses edges of
  /// the other side, until `visit` returns true. The ends of edges are left out.
  ///
  /// - Parameter isInner: Whether the edge is one of the inner side.
  /// - Returns: whether a call returned true.
  mutating func visitCells(
    along item: PlanarSide.Item, isInner: Bool, _ visit: (PlaneCell) -> Bool
  ) -> Bool {
    start()
    addArea(beside: item, isInner: false)
    addArea(beside: item, isInner: true)
    // Whatever else a side has along its own edge, the edge is there; beside a ring, its area counts.
    if isInner { inner.lines = 1 } else { outer.lines = 1 }
    if isInner ? outer.side.hasLines : inner.side.hasLines {
      addLines(along: item, isInner: !isInner)
    }
    for isInner in [false, true] where (isInner ? inner : outer).side.hasLines {
      addLineContacts(with: item, isInner: isInner)
    }
    if visitPiece(visit) { return true }
    let order = WalkOrder(item)
    events.sort { order.compare($0, $1) < 0 }
    var first = 0
    while first < events.count {
      var end = first + 1
      while end < events.count, order.compare(events[first], events[end]) == 0 { end += 1 }
      var crossing = WalkCrossing(outer: outer, inner: inner)
      for event in events[first..<end] {
        crossing.insert(event)
        apply(event)
      }
      if let cell = crossing.cell(outer: outer, inner: inner), visit(cell) { return true }
      if visitPiece(visit) { return true }
      first = end
    }
    return false
  }

  /// Visits a piece of the edge, and the areas on its left and right.
  private func visitPiece(_ visit: (PlaneCell) -> Bool) -> Bool {
    func area(_ one: Bool, _ other: Bool) -> PlaneCell {
      PlaneCell(one ? .interior : .exterior, other ? .interior : .exterior, dimension: 2)
    }
    return visit(area(outer.hasLeft, inner.hasLeft)) || visit(area(outer.hasRight, inner.hasRight))
      || visit(PlaneCell(outer.part, inner.part, dimension: 1))
  }

  // MARK: Events

  private mutating func start() {
    events.removeAll(keepingCapacity: true)
    outer.lines = 0
    inner.lines = 0
  }

  private mutating func apply(_ event: WalkEvent) {
    switch event.change {
    case .line(let count, isInner: true): inner.lines += Int(count)
    case .line(let count, isInner: false): outer.lines += Int(count)
    case .lineContact: break
    case .layer(let layer, isInner: true, let isLeft, let isRight):
      inner.toggle(layer, isLeft: isLeft, isRight: isRight)
    case .layer(let layer, isInner: false, let isLeft, let isRight):
      outer.toggle(layer, isLeft: isLeft, isRight: isRight)
    }
  }

  /// Takes the polygons next to the start of the segment, and adds their edges that cross it between
  /// its ends, or its left or right side.
  private mutating func addArea(beside item: PlanarSide.Item, isInner: Bool) {
    let side = isInner ? inner.side : outer.side
    guard side.hasRings else { return }
    let beginning = DisplacedStart(item.a, to: item.b)
    if isInner { inner.start(beginning) } else { outer.start(beginning) }
    let order = WalkOrder(item)
    _ = side.search(item.box) { edge in
      let layer = side.chain(edge.vertex).pointee.layer
      guard layer >= 0 else { return false }
      let from = orientation(item.a, b: item.b, c: edge.a)
      let to = orientation(item.a, b: item.b, c: edge.b)
      // A point on the segment's line lies to the right of its left side, and the other way round.
      let isLeft = (from > 0) != (to > 0)
      let isRight = (from >= 0) != (to >= 0)
      guard isLeft || isRight, let position = order.position(of: edge, from: from, to: to) else {
        return false
      }
      let change = WalkEvent.Change.layer(layer, isInner: isInner, isLeft: isLeft, isRight: isRight)
      events.append(WalkEvent(position: position, change: change))
      return false
    }
  }

  /// Adds the starts and ends of a side's lines that go along the segment.
  private mutating func addLines(along item: PlanarSide.Item, isInner: Bool) {
    let side = isInner ? inner.side : outer.side
    let order = WalkOrder(item)
    var lines = 0
    _ = side.search(item.box) { edge in
      guard !side.chain(edge.vertex).pointee.isRing, edge.a != edge.b,
        orientation(item.a, b: item.b, c: edge.a) == 0,
        orientation(item.a, b: item.b, c: edge.b) == 0
      else { return false }
      let (first, last) =
        order.compare(edge.a, edge.b) < 0 ? (edge.a, edge.b) : (edge.b, edge.a)
      guard order.compare(first, item.b) < 0, order.compare(item.a, last) < 0 else { return false }
      if order.compare(first, item.a) <= 0 {
        lines += 1
      } else {
        events.append(WalkEvent(position: .vertex(first), change: .line(1, isInner: isInner)))
      }
      if order.compare(last, item.b) < 0 {
        events.append(WalkEvent(position: .vertex(last), change: .line(-1, isInner: isInner)))
      }
      return false
    }
    if isInner { inner.lines += lines } else { outer.lines += lines }
  }

  /// Adds the points between the ends of the segment where lines of a side cross it or have a vertex.
  private mutating func addLineContacts(with item: PlanarSide.Item, isInner: Bool) {
    let side = isInner ? inner.side : outer.side
    let order = WalkOrder(item)
    func add(_ position: WalkEvent.Position) {
      events.append(WalkEvent(position: position, change: .lineContact(isInner: isInner)))
    }
    _ = side.search(item.box) { edge in
      guard !side.chain(edge.vertex).pointee.isRing else { return false }
      let from = orientation(item.a, b: item.b, c: edge.a)
      let to = orientation(item.a, b: item.b, c: edge.b)
      for (vertex, way) in [(edge.a, from), (edge.b, to)] where way == 0 {
        if order.contains(vertex) { add(.vertex(vertex)) }
      }
      if from * to < 0, let position = order.position(of: edge, from: from, to: to) {
        add(position)
      }
      return false
    }
  }
}

extension [UInt64] {
  /// Whether a bit is set.
  fileprivate var hasBits: Bool {
    for word in self where word != 0 { return true }
    return false
  }
}
