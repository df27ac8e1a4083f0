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
