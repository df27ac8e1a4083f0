/// Exact relations of geometries whose edges are straight in longitude and latitude.
///
/// Every decision is the sign of a determinant of given coordinates; no point is computed.
package enum PlanarRelation {
  /// Whether the first geometry has a relation to the second one, neither of them prepared. Nothing
  /// holds for an empty geometry.
  package static func holds(
    _ relation: SpatialRelation, _ one: GeometryView, to other: GeometryView
  ) -> Bool {
    PlanarSide.read(one) { one in
      PlanarSide.read(other) { holds(relation, one, to: $0) }
    }
  }

  static func holds(
    _ relation: SpatialRelation, _ one: PlanarSide, to other: PlanarSide
  ) -> Bool {
    guard one.vertexCount > 0, other.vertexCount > 0 else { return false }
    switch relation {
    case .intersects: return intersect(one, other: other)
    case .disjoint: return !intersect(one, other: other)
    case .within: return covers(other, inner: one)
    case .contains: return covers(one, inner: other)
    case .touches: return touch(one, other: other)
    case .crosses: return cross(one, other: other)
    case .overlaps: return overlap(one, other: other)
    case .equals: return equal(one, other: other)
    }
  }

  // MARK: Intersection

  /// Whether the two have a point in common.
  static func intersect(_ one: PlanarSide, other: PlanarSide) -> Bool {
    guard one.bounds.meets(other.bounds) else { return false }
    return coversStart(other, ofChainIn: one) || coversStart(one, ofChainIn: other)
      || meetings(one, other: other) { meet($0, $1) }
  }

  /// Whether the area of a side contains the first vertex of a chain of another one.
  private static func coversStart(
    _ side: PlanarSide, ofChainIn other: PlanarSide
  ) -> Bool {
    guard side.hasRings else { return false }
    if other.tree == nil || other.chainCount < 16 {
      for index in 0..<other.chainCount where other.chains[index].box.meets(side.bounds) {
        if side.covers(other.point(Int(other.chains[index].vertices.lowerBound))) { return true }
      }
      return false
    }
    return other.search(side.bounds) { item in
      item.vertex == other.chain(item.vertex).pointee.vertices.lowerBound && side.covers(item.a)
    }
  }

  /// Calls `visit` with an edge or point of each side whose boxes meet, until it returns true.
  @inline(__always)
  private static func meetings(
    _ one: PlanarSide, other: PlanarSide,
    _ visit: (PlanarSide.Item, PlanarSide.Item) -> Bool
  ) -> Bool {
    if one.tree == nil {
      // The vertices of a small side are cheaper to look at than a tree.
      return other.search(one.bounds) { b in one.search(b.box) { a in visit(a, b) } }
    }
    if other.tree == nil || one.vertexCount > other.vertexCount {
      return one.search(other.bounds) { a in other.search(a.box) { b in visit(a, b) } }
    }
    return other.search(one.bounds) { b in one.search(b.box) { a in visit(a, b) } }
  }

  /// Whether two edges or points whose boxes meet have a point in common.
  @inline(__always)
  private static func meet(_ one: PlanarSide.Item, _ other: PlanarSide.Item) -> Bool {
    let (a, b) = (one.a, one.b)
    let (c, d) = (other.a, other.b)
    // If all four are on one line, they meet because their boxes do.
    return orientation(a, b: b, c: c) * orientation(a, b: b, c: d) <= 0
      && orientation(c, b: d, c: a) * orientation(c, b: d, c: b) <= 0
  }

  // MARK: Covering

  /// Whether no point of `inner` lies outside of `outer`.
  static func covers(_ outer: PlanarSide, inner: PlanarSide) -> Bool {
    guard outer.bounds.contains(inner.bounds) else { return false }
    if inner.hasRings, !outer.hasRings { return false }
    let shared = SharedEdges(outer: outer, inner: inner)
    return outer.withBands(for: shared.restCount) {
      coversPart($0, inner: inner, shared: shared)
    }
  }

  /// Whether no point of `inner`, which lies in the box of `outer`, lies outside of it.
  private static func coversPart(
    _ outer: PlanarSide, inner: PlanarSide, shared: SharedEdges
  ) -> Bool {
    for vertex in 0..<inner.vertexCount where !shared.containsEnd(vertex) {
      if !outer.covers(inner.point(vertex)) { return false }
    }
    guard inner.hasRings || inner.hasLines else { return true }
    switch contact(outer, inner: inner, shared: shared) {
    case .none: return true
    case .crossing: return false
    case .touching: return CoverCheck(outer, inner: inner, shared: shared).covers()
    }
  }

  private enum Contact {
    /// The edges of the two are disjoint, and no chain of the outer one begins inside of the inner
    /// one.
    case none
    case touching
    /// The outer side does not cover the inner one.
    case crossing
  }

  /// The way in which the edges of two sides meet.
  private static func contact(
    _ outer: PlanarSide, inner: PlanarSide, shared: SharedEdges
  ) -> Contact {
    if shared.isEmpty, coversStart(inner, ofChainIn: outer) { return .touching }
    let isSingle = outer.isSinglePolygon
    guard shared.isEmpty || isSingle else { return .touching }
    var contact = shared.isEmpty ? Contact.none : .touching
    _ = meetings(outer, other: inner, shared: shared) { one, other in
      guard meet(one, other) else { return false }
      contact = isSingle && cross(one, other) ? .crossing : .touching
      // Where several polygons make up the area, another one may go on where an edge ends one.
      return contact == .crossing || !isSingle
    }
    return contact
  }

  /// Calls `visit` with an edge or point of each side that is not shared and whose boxes meet, until
  /// it returns true.
  private static func meetings(
    _ outer: PlanarSide, other inner: PlanarSide, shared: SharedEdges,
    _ visit: (PlanarSide.Item, PlanarSide.Item) -> Bool
  ) -> Bool {
    guard !shared.isEmpty else { return meetings(outer, other: inner, visit) }
    return inner.search(outer.bounds) { item in
      !shared.containsInner(item.vertex)
        && outer.search(item.box) { !shared.containsOuter($0.vertex) && visit($0, item) }
    }
  }

  /// Whether two edges that meet cross in the interior of both.
  private static func cross(_ one: PlanarSide.Item, _ other: PlanarSide.Item) -> Bool {
    let (a, b) = (one.a, one.b)
    let (c, d) = (other.a, other.b)
    return orientation(a, b: b, c: c) * orientation(a, b: b, c: d) < 0
      && orientation(c, b: d, c: a) * orientation(c, b: d, c: b) < 0
  }
}
