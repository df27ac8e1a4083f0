/// Two arcs that touch each other, by their first vertices: one of the geometry that may be covered,
/// and one of the geometry that may cover it.
struct ArcPair {
  var inner: Int
  var outer: Int
}

/// A test whether one geometry covers another, from the pairs of their arcs that touch each other.
///
/// An arc that touches nothing of the other geometry lies wholly on one side of it. So do all arcs up
/// to the next touch. An arc that touches others is cut there into pieces, each of which lies wholly
/// on one side too, or along an arc.
struct Coverage {
  /// How far beside an arc a position is taken to tell what is there, in radians.
  private static let probe = 1e-10

  private let inner: SphericalSide
  private let outer: SphericalSide
  private var pairs: [ArcPair]
  /// Whether the interior of a polygon is left of its ring's arcs, by the index of the chain.
  private var innerSides: [Int: Bool] = [:]
  private var outerSides: [Int: Bool] = [:]

  init(inner: SphericalSide, outer: SphericalSide, pairs: [ArcPair]) {
    self.inner = inner
    self.outer = outer
    self.pairs = pairs
  }

  /// Whether no point of the inner geometry lies outside of the outer one.
  mutating func isComplete() -> Bool {
    let hasArea = inner.geometry.hasPolygons
    guard !hasArea || outer.geometry.hasPolygons else { return false }
    guard chainsAreCovered() else { return false }
    return !hasArea || !hasGapInside()
  }

  // MARK: Points, lines and rings

  private mutating func chainsAreCovered() -> Bool {
    pairs.sort { ($0.inner, $0.outer) < ($1.inner, $1.outer) }
    let geometry = inner.geometry
    var cursor = 0
    for index in 0..<geometry.chainCount {
      let chain = geometry.chains[index]
      let first = cursor
      while cursor < pairs.count, pairs[cursor].inner < chain.vertices.upperBound { cursor += 1 }
      if first == cursor {
        guard outer.contains(geometry.vectors[chain.vertices.lowerBound]) else { return false }
        continue
      }
      if chain.vertices.count == 1 { continue }
      var start = first
      while start < cursor {
        var end = start
        while end < cursor, pairs[end].inner == pairs[start].inner { end += 1 }
        guard isCovered(start..<end, chain: index) else { return false }
        start = end
      }
    }
    return true
  }

  /// Whether an arc is covered that touches the outer arcs of some pairs.
  private mutating func isCovered(_ range: Range<Int>, chain: Int) -> Bool {
    let arc = inner.geometry.arc(pairs[range.lowerBound].inner)
    let partners = pairs[range].map(\.outer)
    let isRing = inner.geometry.chains[chain].polygon >= 0
    let cuts = ArcCuts(arc, partners: partners, of: outer.geometry)
    return cuts.pieces().allSatisfy { middle in
      let along = cuts.partners(along: middle)
      guard isRing else { return !along.isEmpty || outer.contains(middle) }
      return isRingCovered(at: middle, arc: arc, chain: chain, along: along)
    }
  }

  /// Whether the interior beside a piece of a ring is covered.
  private mutating func isRingCovered(
    at middle: Vector, arc: Arc, chain: Int, along: [Int]
  ) -> Bool {
    let rings = along.filter { isOuterRing($0) }
    guard !rings.isEmpty else { return outer.contains(middle) }
    let isLeft = innerIsLeft(chain)
    for vertex in rings {
      let isSameWay = outer.geometry.arc(vertex).normal.dot(arc.normal) > 0
      if (outerIsLeft(outer.geometry.chain(ofVertex: vertex)) == isLeft) == isSameWay {
        return true
      }
    }
    guard outer.geometry.polygonCount > 1 else { return false }
    return outer.contains(arc.position(beside: middle, by: isLeft ? Self.probe : -Self.probe))
  }

  private func isOuterRing(_ vertex: Int) -> Bool {
    outer.geometry.chains[outer.geometry.chain(ofVertex: vertex)].polygon >= 0
  }

  private mutating func innerIsLeft(_ chain: Int) -> Bool {
    if let known = innerSides[chain] { return known }
    let isLeft = inner.geometry.interiorIsLeft(ofRing: chain)
    innerSides[chain] = isLeft
    return isLeft
  }

  private mutating func outerIsLeft(_ chain: Int) -> Bool {
    if let known = outerSides[chain] { return known }
    let isLeft = outer.geometry.interiorIsLeft(ofRing: chain)
    outerSides[chain] = isLeft
    return isLeft
  }

  // MARK: The interior of polygons

  /// Whether a boundary of the outer geometry runs through the interior of the inner one, and what
  /// is beside it is not covered.
  private mutating func hasGapInside() -> Bool {
    pairs.sort { ($0.outer, $0.inner) < ($1.outer, $1.inner) }
    let geometry = outer.geometry
    var cursor = 0
    for chain in geometry.chains[..<geometry.chainCount] {
      let first = cursor
      while cursor < pairs.count, pairs[cursor].outer < chain.vertices.upperBound { cursor += 1 }
      guard chain.polygon >= 0, chain.vertices.count > 1 else { continue }
      if first == cursor {
        if hasGap(along: chain) { return true }
        continue
      }
      var start = first
      while start < cursor {
        var end = start
        while end < cursor, pairs[end].outer == pairs[start].outer { end += 1 }
        if hasGap(along: start..<end) { return true }
        start = end
      }
    }
    return false
  }

  /// Whether a ring of the outer geometry that touches nothing bounds a gap.
  private func hasGap(along chain: SphericalGeometry.Chain) -> Bool {
    let geometry = outer.geometry
    guard inner.contains(geometry.vectors[chain.vertices.lowerBound]) else { return false }
    return chain.vertices.dropLast().contains { vertex in
      let arc = geometry.arc(vertex)
      return !isCoveredBeside(arc.middle, arc: arc)
    }
  }

  /// Whether an arc of the outer geometry that touches the inner arcs of some pairs bounds a gap.
  private func hasGap(along range: Range<Int>) -> Bool {
    let arc = outer.geometry.arc(pairs[range.lowerBound].outer)
    let partners = pairs[range].map(\.inner).filter {
      inner.geometry.chains[inner.geometry.chain(ofVertex: $0)].polygon >= 0
    }
    let cuts = ArcCuts(arc, partners: partners, of: inner.geometry)
    return cuts.pieces().contains { middle in
      cuts.partners(along: middle).isEmpty && inner.contains(middle)
        && !isCoveredBeside(middle, arc: arc)
    }
  }

  /// Whether both sides of an arc of the outer geometry are covered, which only several polygons can
  /// do.
  private func isCoveredBeside(_ middle: Vector, arc: Arc) -> Bool {
    guard outer.geometry.polygonCount > 1 else { return false }
    return outer.contains(arc.position(beside: middle, by: Self.probe))
      && outer.contains(arc.position(beside: middle, by: -Self.probe))
  }
}

extension Array where Element == Vector {
  fileprivate func allSatisfy(_ test: (Vector) -> Bool) -> Bool { !contains { !test($0) } }
}

extension UnsafeMutablePointer {
  /// The first elements. Valid as long as the pointer.
  fileprivate subscript(range: PartialRangeUpTo<Int>) -> UnsafeBufferPointer<Pointee> {
    assert(range.upperBound >= 0, "the number of elements is negative")
    return UnsafeBufferPointer(start: self, count: range.upperBound)
  }
}

/// The positions where an arc touches others, and the pieces between them.
private struct ArcCuts {
  /// Pieces shorter than this are left out.
  private static let shortest = 4 * Arc.tolerance

  private let arc: Arc
  /// Positions on the arc, with their squared chords from its start.
  private var cuts: [(way: Double, position: Vector)]
  /// The stretches along which the arc runs with another one.
  private var stretches: [(from: Double, to: Double, partner: Int)] = []

  init(_ arc: Arc, partners: [Int], of other: SphericalGeometry) {
    self.arc = arc
    cuts = [(0, arc.start), (arc.start.chordSquared(to: arc.end), arc.end)]
    for partner in partners { append(other.arc(partner), partner: partner) }
    cuts.sort { $0.way < $1.way }
  }

  private mutating func append(_ other: Arc, partner: Int) {
    guard !other.isPoint else { return }
    var common: [Vector] = []
    if arc.contains(other.start) { common.append(other.start) }
    if arc.contains(other.end) { common.append(other.end) }
    if other.contains(arc.start) { common.append(arc.start) }
    if other.contains(arc.end) { common.append(arc.end) }
    if common.isEmpty { common = [arc.crossing(other)] }
    common = common.map(arc.clamped)
    let ways = common.map { arc.start.chordSquared(to: $0) }
    cuts += zip(ways, common).map { ($0, $1) }
    guard let least = ways.indices.min(by: { ways[$0] < ways[$1] }),
      let greatest = ways.indices.max(by: { ways[$0] < ways[$1] }),
      common[least].chordSquared(to: common[greatest]) > Self.shortest * Self.shortest
    else { return }
    stretches.append((ways[least], ways[greatest], partner))
  }

  /// The middles of the pieces.
  func pieces() -> [Vector] {
    zip(cuts, cuts.dropFirst()).compactMap { one, other in
      let square = one.position.chordSquared(to: other.position)
      return square > Self.shortest * Self.shortest ? (one.position + other.position).unit : nil
    }
  }

  /// The arcs along which the piece around a position runs.
  func partners(along middle: Vector) -> [Int] {
    let way = arc.start.chordSquared(to: middle)
    return stretches.filter { $0.from <= way && way <= $0.to }.map(\.partner)
  }
}

extension Arc {
  /// The position where the arc crosses another one.
  fileprivate func crossing(_ other: Arc) -> Vector {
    let line = normal.cross(other.normal)
    guard line.length > 0 else { return start }
    return (line.dot(start + end) < 0 ? line * -1 : line).unit
  }

  /// A position on the arc's great circle, or the end of the arc beyond which it lies. Without this, a
  /// position a tolerance before the start would count as one after it.
  fileprivate func clamped(_ point: Vector) -> Vector {
    if normal.cross(start).dot(point - start) <= 0 { return start }
    return end.cross(normal).dot(point - end) <= 0 ? end : point
  }

  /// A position beside the arc, to the left by an angle in radians, but by no more than a fraction of
  /// the arc's length.
  func position(beside point: Vector, by angle: Double) -> Vector {
    let most = length / 16
    return (point + normal * (max(-most, min(most, angle)) / length)).unit
  }
}

extension SphericalGeometry {
  /// Whether the interior of a polygon is left of a ring's arcs.
  func interiorIsLeft(ofRing index: Int) -> Bool {
    assert(index >= 0 && index < chainCount, "the ring does not exist")
    assert(
      chains[index].polygon >= 0 && chains[index].polygon < polygonCount,
      "the chain is not a ring of a polygon")
    let ring = chains[index].vertices
    let polygon = polygons[chains[index].polygon]
    // The middle of the longest arc is farthest from the rest of the ring, as a rule.
    var longest = (length: -1.0, vertex: ring.lowerBound)
    for vertex in ring.dropLast() {
      let square = vectors[vertex].chordSquared(to: vectors[vertex + 1])
      if square > longest.length { longest = (square, vertex) }
    }
    let arc = arc(longest.vertex)
    guard !arc.isPoint else { return true }
    let beside = arc.position(beside: arc.middle, by: 1e-10)
    return polygon.frame.location(of: beside, self, ring: ring, of: polygon) != .outside
  }
}
