/// Decides whether a side covers another one when their edges touch.
///
/// The boundaries of both divide the plane. If a part of the inner area is not covered, some edge
/// of either side has it on its left or right. So it is enough to walk along each edge and to
/// compare what lies just beside it. The events of a walk are the edges that it crosses; their order
/// is decided exactly.
struct CoverCheck {
  private let outer: PlanarSide
  private let inner: PlanarSide
  private let shared: SharedEdges
  /// The index of the inner area, if it was not prepared and is large.
  private let bands: BandIndex<PlanarEdge>?

  init(_ outer: PlanarSide, inner: PlanarSide, shared: SharedEdges) {
    self.outer = outer
    self.shared = shared
    bands = shared.restCount > PlanarSide.bandThreshold ? inner.missingBands : nil
    var inner = inner
    if let bands { inner.bands = .passUnretained(bands) }
    self.inner = inner
  }

  /// Whether no edge has a part of the inner side next to it that the outer side does not cover.
  func covers() -> Bool {
    // The inner side refers to the index without owning it.
    withExtendedLifetime(bands) { coversAll() }
  }

  private func coversAll() -> Bool {
    var walk = SideWalk(outer: outer, inner: inner)
    let isOpen = inner.search(inner.bounds) { item in
      guard item.a != item.b, !shared.containsInner(item.vertex) else { return false }
      let isRing = inner.chain(item.vertex).pointee.isRing
      return isRing ? !walk.coversArea(beside: item) : !walk.coversLine(item)
    }
    guard !isOpen, inner.hasRings else { return !isOpen }
    return !outer.search(inner.bounds) { item in
      guard item.a != item.b, !shared.containsOuter(item.vertex),
        outer.chain(item.vertex).pointee.isRing
      else { return false }
      return !walk.coversArea(beside: item)
    }
  }
}

/// A walk along a segment, with the layers of polygons on its left and right.
struct SideWalk {
  private let outer: PlanarSide
  private let inner: PlanarSide
  private var events: [WalkEvent] = []
  private var outerLeft: [UInt64]
  private var outerRight: [UInt64]
  private var innerLeft: [UInt64]
  private var innerRight: [UInt64]
  /// The number of lines of the outer side that go along the segment.
  private var lines = 0

  init(outer: PlanarSide, inner: PlanarSide) {
    self.outer = outer
    self.inner = inner
    outerLeft = Array(repeating: 0, count: outer.groupCount)
    outerRight = outerLeft
    innerLeft = Array(repeating: 0, count: inner.groupCount)
    innerRight = innerLeft
  }

  /// Whether the outer area covers the inner one on both sides of an edge.
  mutating func coversArea(beside item: PlanarSide.Item) -> Bool {
    start(item)
    let beginning = DisplacedStart(item.a, to: item.b)
    for group in innerLeft.indices {
      (innerLeft[group], innerRight[group]) = inner.layers(beside: beginning, group: group)
    }
    addCrossings(of: inner, with: item, isInner: true)
    return passes(item) { walk in
      (walk.outerLeft.hasBits || !walk.innerLeft.hasBits)
        && (walk.outerRight.hasBits || !walk.innerRight.hasBits)
    }
  }

  /// Whether the outer side covers an edge of a line.
  mutating func coversLine(_ item: PlanarSide.Item) -> Bool {
    start(item)
    if outer.hasLines { addLines(along: item) }
    return passes(item) { $0.lines > 0 || $0.outerLeft.hasBits || $0.outerRight.hasBits }
  }

  /// Begins a walk with what the outer side has next to the start and on the way.
  private mutating func start(_ item: PlanarSide.Item) {
    events.removeAll(keepingCapacity: true)
    lines = 0
    let beginning = DisplacedStart(item.a, to: item.b)
    for group in outerLeft.indices {
      (outerLeft[group], outerRight[group]) = outer.layers(beside: beginning, group: group)
    }
    addCrossings(of: outer, with: item, isInner: false)
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

  private mutating func apply(_ event: WalkEvent) {
    switch event.change {
    case .line(let count): lines += count
    case .layer(let layer, let isInner, let isLeft, let isRight):
      let (group, bit) = (Int(layer) >> 6, UInt64(1) << UInt64(layer & 63))
      if isInner {
        if isLeft { innerLeft[group] ^= bit }
        if isRight { innerRight[group] ^= bit }
      } else {
        if isLeft { outerLeft[group] ^= bit }
        if isRight { outerRight[group] ^= bit }
      }
    }
  }

  // MARK: Events

  /// Adds the edges of polygons that cross the segment between its ends, or its left or right side.
  private mutating func addCrossings(
    of side: PlanarSide, with item: PlanarSide.Item, isInner: Bool
  ) {
    guard side.hasRings else { return }
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

  /// Adds the starts and ends of the outer side's lines that go along the segment.
  private mutating func addLines(along item: PlanarSide.Item) {
    let order = WalkOrder(item)
    _ = outer.search(item.box) { edge in
      guard !outer.chain(edge.vertex).pointee.isRing, edge.a != edge.b,
        orientation(item.a, b: item.b, c: edge.a) == 0,
        orientation(item.a, b: item.b, c: edge.b) == 0
      else { return false }
      let (first, last) =
        order.compare(edge.a, edge.b) < 0 ? (edge.a, edge.b) : (edge.b, edge.a)
      guard order.compare(first, item.b) < 0, order.compare(item.a, last) < 0 else { return false }
      if order.compare(first, item.a) <= 0 {
        lines += 1
      } else {
        events.append(WalkEvent(position: .vertex(first), change: .line(1)))
      }
      if order.compare(last, item.b) < 0 {
        events.append(WalkEvent(position: .vertex(last), change: .line(-1)))
      }
      return false
    }
  }
}

extension Array where Element == UInt64 {
  /// Whether a bit is set.
  fileprivate var hasBits: Bool {
    for word in self where word != 0 { return true }
    return false
  }
}
