/// The edges of rings that two sides have in common, with the area on the same side of both.
///
/// No other edge crosses such an edge, because each side is valid; so a comparison may leave it out.
/// Neighbours and copies of a large outline differ in few edges, if any.
struct SharedEdges {
  /// Whether the edge at each vertex is shared; empty if no edge is.
  private var inner: [Bool] = []
  private var outer: [Bool] = []
  /// The number of the inner side's vertices whose edges are not shared.
  private(set) var restCount: Int

  /// The fewest vertices of a side for which it pays to search.
  private static var threshold: Int { 64 }

  /// Searches for edges that two sides share.
  init(outer: PlanarSide, inner: PlanarSide) {
    restCount = inner.vertexCount
    // Polygons that overlap may have area on both sides of an edge.
    guard inner.vertexCount > Self.threshold, inner.hasRings, outer.hasRings,
      inner.polygonsAreDisjoint, outer.vertexCount / 16 < inner.vertexCount
    else { return }
    var table = EdgeTable(outer, within: inner.bounds)
    let found = table.matches(inner)
    guard !found.isEmpty else { return }
    self.inner = Array(repeating: false, count: inner.vertexCount)
    self.outer = Array(repeating: false, count: outer.vertexCount)
    for pair in found {
      self.inner[pair.inner] = true
      self.outer[pair.outer] = true
    }
    restCount -= found.count
  }

  /// Whether no edge is shared.
  var isEmpty: Bool { inner.isEmpty }

  /// Whether the edge at a vertex of the inner side is shared.
  @inline(__always)
  func containsInner(_ vertex: Int) -> Bool { !inner.isEmpty && inner[vertex] }

  /// Whether an edge that ends at a vertex of the inner side is shared.
  @inline(__always)
  func containsEnd(_ vertex: Int) -> Bool {
    !inner.isEmpty && (inner[vertex] || (vertex > 0 && inner[vertex - 1]))
  }

  /// Whether the edge at a vertex of the outer side is shared.
  @inline(__always)
  func containsOuter(_ vertex: Int) -> Bool { !outer.isEmpty && outer[vertex] }
}

/// A hash table of a side's edges that belong to rings.
private struct EdgeTable {
  private let side: PlanarSide
  /// For each slot the edge's vertex, `free`, or `repeated` above a vertex whose edge occurs twice.
  private var slots: [UInt32]
  /// For each slot the vertex of the matching edge of the other side, or `free`.
  private var partners: [UInt32]

  private static var free: UInt32 { .max }
  /// The mark of an edge that occurs more than once on its side or the other.
  private static var repeated: UInt32 { 1 << 31 }

  /// Enters the edges that meet a rectangle.
  init(_ side: PlanarSide, within box: PlanarBox) {
    self.side = side
    var vertices: [UInt32] = []
    _ = side.search(box) { item in
      if side.isRingEdge(item) { vertices.append(UInt32(item.vertex)) }
      return false
    }
    var capacity = 16
    while capacity < 2 * vertices.count { capacity *= 2 }
    slots = Array(repeating: Self.free, count: capacity)
    partners = slots
    for vertex in vertices {
      let slot = slot(of: side.edge(Int(vertex)))
      slots[slot] = slots[slot] == Self.free ? vertex : slots[slot] | Self.repeated
    }
  }

  /// The slot of an edge, or the free one where it would be entered.
  private func slot(of edge: EdgeKey) -> Int {
    var slot = Int(truncatingIfNeeded: edge.hash) & (slots.count - 1)
    while slots[slot] != Self.free,
      side.edge(Int(slots[slot] & ~Self.repeated)) != edge
    {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// The pairs of edges, each by its vertex, that occur once in the table and once in another side,
  /// and have the area on the same side.
  mutating func matches(_ other: PlanarSide) -> [(outer: Int, inner: Int)] {
    _ = other.search(side.bounds) { item in
      guard other.isRingEdge(item) else { return false }
      let slot = slot(of: other.edge(item.vertex))
      guard slots[slot] != Self.free else { return false }
      if partners[slot] != Self.free { slots[slot] |= Self.repeated }
      partners[slot] = UInt32(item.vertex)
      return false
    }
    guard partners.contains(where: { $0 != Self.free }) else { return [] }
    let (sides, others) = (side.interiorSides(), other.interiorSides())
    return slots.indices.compactMap { slot in
      guard partners[slot] != Self.free, slots[slot] & Self.repeated == 0 else { return nil }
      let (vertex, partner) = (Int(slots[slot]), Int(partners[slot]))
      let isSameWay = side.point(vertex) == other.point(partner)
      let (one, two) = (sides[Int(side.labels[vertex])], others[Int(other.labels[partner])])
      return one != 0 && one == (isSameWay ? two : -two) ? (vertex, partner) : nil
    }
  }
}

/// The two ends of an edge, the same for both directions.
private struct EdgeKey: Equatable {
  let low: PlanePoint
  let high: PlanePoint

  init(_ a: PlanePoint, b: PlanePoint) {
    (low, high) = a.isBefore(b) ? (a, b) : (b, a)
  }

  var hash: UInt64 {
    func mix(_ hash: UInt64, _ value: Double) -> UInt64 {
      // 0 and -0 are equal.
      let product = (hash ^ (value + 0).bitPattern) &* 0x9E37_79B9_7F4A_7C15
      return product ^ product >> 32
    }
    return mix(mix(mix(mix(0, low.x), low.y), high.x), high.y)
  }
}

extension PlanarSide {
  /// Whether an item is an edge of a ring that has a length.
  @inline(__always)
  fileprivate func isRingEdge(_ item: Item) -> Bool {
    item.a != item.b && chain(item.vertex).pointee.isRing
  }

  @inline(__always)
  fileprivate func edge(_ vertex: Int) -> EdgeKey {
    EdgeKey(point(vertex), b: point(vertex + 1))
  }

  /// On which side of each chain's edges the area lies: 1 is left, -1 right, 0 for points, lines and
  /// rings whose side is not certain.
  fileprivate func interiorSides() -> [Int] {
    (0..<chainCount).map { index in
      guard chains[index].isRing else { return 0 }
      let turn = turn(
        ofRing: Int(chains[index].vertices.lowerBound)..<Int(chains[index].vertices.upperBound))
      return chains[index].isOuter ? turn : -turn
    }
  }

  /// 1 for a ring that turns left, -1 for one that turns right: as it does at its first vertex from
  /// the west.
  private func turn(ofRing vertices: Range<Int>) -> Int {
    // The last vertex repeats the first.
    let ring = vertices.dropLast()
    guard let corner = ring.min(by: { point($0).isBefore(point($1)) }) else { return 0 }
    let here = point(corner)
    let after = ring[corner...].first { point($0) != here } ?? ring.first { point($0) != here }
    let before = ring[..<corner].last { point($0) != here } ?? ring.last { point($0) != here }
    guard let after, let before else { return 0 }
    return orientation(point(before), b: here, c: point(after))
  }
}
