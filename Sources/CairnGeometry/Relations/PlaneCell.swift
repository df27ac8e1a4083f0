/// A set of points that lies in one part of each of two geometries.
struct PlaneCell {
  /// The part of the first geometry.
  let one: IntersectionMatrix.Part
  /// The part of the second geometry.
  let other: IntersectionMatrix.Part
  /// 0 for a point, 1 for a piece of an edge, 2 for an area.
  let dimension: Int

  init(_ one: IntersectionMatrix.Part, _ other: IntersectionMatrix.Part, dimension: Int) {
    self.one = one
    self.other = other
    self.dimension = dimension
  }

  /// Whether the set is in the interior of both.
  var isInner: Bool { one == .interior && other == .interior }
}

/// The cells into which the edges and points of two sides divide the plane.
///
/// Each area lies next to an edge, so a walk along each edge finds all areas and pieces of edges. The
/// points in question are the vertices, which are given, and the crossings of edges of both sides: at
/// the crossings of edges of one side, the other side has nothing that it has not around them.
struct PlaneCells {
  let one: PlanarSide
  let other: PlanarSide

  /// Calls `body` with the cells of two sides, which have indexes of their areas where these pay.
  static func with<Result>(
    _ one: PlanarSide, other: PlanarSide, _ body: (PlaneCells) -> Result
  ) -> Result {
    one.withBands(for: other.vertexCount) { one in
      other.withBands(for: one.vertexCount) { body(PlaneCells(one: one, other: $0)) }
    }
  }

  /// Calls `visit` with the areas, pieces of edges and crossings along the edges near a box until it
  /// returns true, with some of them repeatedly.
  ///
  /// - Returns: whether a call returned true.
  func visitEdges(near box: PlanarBox, _ visit: (PlaneCell) -> Bool) -> Bool {
    var walk = SideWalk(outer: one, inner: other)
    return Self.edges(of: one, near: box) {
      walk.visitCells(along: $0, isInner: false, visit)
    }
      || Self.edges(of: other, near: box) {
        walk.visitCells(along: $0, isInner: true, visit)
      }
  }

  /// Calls `visit` with each vertex in a box, until it returns true.
  ///
  /// - Returns: whether a call returned true.
  func visitVertices(near box: PlanarBox, _ visit: (PlaneCell) -> Bool) -> Bool {
    func visitVertices(of side: PlanarSide) -> Bool {
      (0..<side.vertexCount).contains { vertex in
        let point = side.point(vertex)
        return box.contains(point)
          && visit(PlaneCell(one.part(of: point), other.part(of: point), dimension: 0))
      }
    }
    return visitVertices(of: one) || visitVertices(of: other)
  }

  /// Calls `body` with each edge that has a length and meets a box, until it returns true.
  private static func edges(
    of side: PlanarSide, near box: PlanarBox, _ body: (PlanarSide.Item) -> Bool
  ) -> Bool {
    guard side.hasRings || side.hasLines else { return false }
    return side.search(box) { $0.a != $0.b && body($0) }
  }
}

// MARK: Parts

extension WalkState {
  /// The part in which a piece of the segment lies.
  var part: IntersectionMatrix.Part {
    if hasLeft || hasRight { return hasLeft && hasRight ? .interior : .boundary }
    return lines > 0 ? .interior : .exterior
  }
}

/// A position of a walk at which edges cross that have no vertex there.
struct WalkCrossing {
  /// The part of a side at the position.
  private struct Contact {
    /// Whether areas go all around the position.
    private var isSurrounded: Bool
    private var hasArea: Bool
    private var hasLine: Bool

    init(before state: WalkState) {
      isSurrounded = state.hasLeft && state.hasRight
      hasArea = state.hasLeft || state.hasRight
      hasLine = state.lines > 0
    }

    mutating func insert(_ change: WalkEvent.Change) {
      if case .layer = change { hasArea = true } else { hasLine = true }
    }

    func part(after state: WalkState) -> IntersectionMatrix.Part {
      if isSurrounded, state.hasLeft, state.hasRight { return .interior }
      return hasArea ? .boundary : hasLine ? .interior : .exterior
    }
  }

  private var outer: Contact
  private var inner: Contact
  /// Whether there is a vertex at the position, which is compared by itself.
  private var hasVertex = false

  /// Begins a crossing with what the sides have before it.
  init(outer: WalkState, inner: WalkState) {
    self.outer = Contact(before: outer)
    self.inner = Contact(before: inner)
  }

  mutating func insert(_ event: WalkEvent) {
    if case .vertex = event.position { hasVertex = true }
    if event.change.isInner { inner.insert(event.change) } else { outer.insert(event.change) }
  }

  /// The crossing as a cell, with what the sides have behind it; nil for a vertex.
  func cell(outer: WalkState, inner: WalkState) -> PlaneCell? {
    guard !hasVertex else { return nil }
    return PlaneCell(
      self.outer.part(after: outer), self.inner.part(after: inner), dimension: 0)
  }
}

extension PlanarSide {
  /// The part of the plane in which a point lies.
  func part(of point: PlanePoint) -> IntersectionMatrix.Part {
    guard bounds.contains(point) else { return .exterior }
    var (isOnRing, isOnLine, isEnd) = (false, false, false)
    _ = search(PlanarBox(point, b: point)) { item in
      guard orientation(item.a, b: item.b, c: point) == 0 else { return false }
      let chain = chain(item.vertex).pointee
      guard !chain.isRing else {
        isOnRing = true
        return false
      }
      isOnLine = true
      // A point is a boundary of lines if an odd number of them ends there.
      guard chain.vertices.count > 1 else { return false }
      if item.vertex == chain.vertices.lowerBound, item.a == point { isEnd.toggle() }
      if item.vertex + 2 == chain.vertices.upperBound, item.b == point { isEnd.toggle() }
      return false
    }
    if isOnRing { return !polygonsAreDisjoint && isSurrounded(point) ? .interior : .boundary }
    if hasRings, hasArea(around: point) { return .interior }
    return isEnd ? .boundary : isOnLine ? .interior : .exterior
  }

  /// Whether a point that is on no ring lies in a polygon.
  private func hasArea(around point: PlanePoint) -> Bool {
    if let bands {
      return bands._withUnsafeGuaranteedRef { $0.contains(point.x, latitude: point.y) }
    }
    return areas(beside: DisplacedStart(point, to: PlanePoint(x: point.x + 1, y: point.y))).left
  }

  /// Whether polygons go all around a point of a ring.
  private func isSurrounded(_ point: PlanePoint) -> Bool {
    !search(PlanarBox(point, b: point)) { item in
      guard chain(item.vertex).pointee.isRing,
        orientation(item.a, b: item.b, c: point) == 0
      else { return false }
      return [item.a, item.b].contains { end in
        guard end != point else { return false }
        let areas = areas(beside: DisplacedStart(point, to: end))
        return !areas.left || !areas.right
      }
    }
  }

  /// Whether polygons contain the points just beyond the start of a segment.
  private func areas(beside start: DisplacedStart) -> (left: Bool, right: Bool) {
    var found = (left: false, right: false)
    for group in 0..<groupCount {
      let layers = layers(beside: start, group: group)
      found = (found.left || layers.left != 0, found.right || layers.right != 0)
    }
    return found
  }
}
