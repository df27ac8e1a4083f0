package import CairnGeometry

extension RTree {
  /// A part of the result of a search.
  package enum Match {
    /// All positions of a range, without individual tests.
    case range(Range<Int>)
    /// The positions 64 * leaf + i whose bit i is set; at least one.
    case leaf(Int, UInt64)
  }

  /// Visits the positions whose points are in a region, in ascending order. `positions` restricts
  /// the search to a range that begins and ends at a block boundary or at the end of the tree.
  package func search(
    _ region: Region, in positions: Range<Int>? = nil, visit: (Match) -> Void
  ) {
    search(region, in: positions) { match in
      visit(match)
      return true
    }
  }

  /// Visits the positions of the same search until `visit` returns false.
  package func search(
    _ region: Region, in positions: Range<Int>? = nil, until visit: (Match) -> Bool
  ) {
    withoutActuallyEscaping(visit) { visit in
      var traversal = Traversal(
        self, region: region, positions: positions ?? 0..<count,
        visitor: ClosureVisitor(visit: visit))
      traversal.run()
    }
  }

  /// The number of points in a region.
  package func count(in region: Region) -> Int {
    var traversal = Traversal(
      self, region: region, positions: 0..<count, visitor: CountingVisitor())
    traversal.run()
    return traversal.visitor.count
  }
}

/// The receiver of the parts of a result.
protocol SearchVisitor {
  /// Receives a range; returns whether to continue.
  mutating func take(_ range: Range<Int>) -> Bool
  /// Receives a bitmap of a leaf; returns whether to continue.
  mutating func take(leaf: Int, _ bits: UInt64) -> Bool
}

private struct ClosureVisitor: SearchVisitor {
  let visit: (RTree.Match) -> Bool

  func take(_ range: Range<Int>) -> Bool { visit(.range(range)) }
  func take(leaf: Int, _ bits: UInt64) -> Bool { visit(.leaf(leaf, bits)) }
}

private struct CountingVisitor: SearchVisitor {
  private(set) var count = 0

  mutating func take(_ range: Range<Int>) -> Bool {
    count += range.count
    return true
  }

  mutating func take(leaf: Int, _ bits: UInt64) -> Bool {
    count += bits.nonzeroBitCount
    return true
  }
}

/// A traversal of the tree from the root, in order of the positions.
struct Traversal<Visitor: SearchVisitor> {
  private let tree: RTree
  private let region: Region
  private let outerBounds: SIMD4<Int32>
  private let innerBounds: Envelope
  private let isRectangle: Bool
  private let positions: Range<Int>
  private var block: PointBlock?
  private var blockIndex = -1
  var visitor: Visitor

  init(_ tree: RTree, region: Region, positions: Range<Int>, visitor: Visitor) {
    self.tree = tree
    self.region = region
    self.positions = positions.clamped(to: 0..<tree.count)
    self.visitor = visitor
    outerBounds = region.outerBounds
    innerBounds = region.innerBounds
    isRectangle = region.isRectangle
  }

  mutating func run() {
    let top = tree.levels.height - 1
    guard top >= 0, !positions.isEmpty else { return }
    _ = traverse(top, nodes: 0..<1)
  }

  /// Traverses neighbouring nodes of a level; returns false to stop the whole traversal.
  private mutating func traverse(_ level: Int, nodes: Range<Int>) -> Bool {
    let span = tree.span(level)
    let envelopes = tree.envelopes(level, from: nodes.lowerBound)
    var contained = 0..<0
    for index in nodes {
      let envelope = envelopes[index - nodes.lowerBound]
      if any(envelope.lanes .> outerBounds) { continue }
      let start = max(positions.lowerBound, index << span)
      let end = min(positions.upperBound, (index + 1) << span)
      guard start < end else { continue }
      switch classify(envelope) {
      case .disjoint: continue
      case .contained:
        if contained.upperBound == start, !contained.isEmpty {
          contained = contained.lowerBound..<end
          continue
        }
        guard contained.isEmpty || visitor.take(contained) else { return false }
        contained = start..<end
      case .intersecting:
        guard contained.isEmpty || visitor.take(contained) else { return false }
        contained = 0..<0
        guard level == 0 ? test(index) : traverse(level - 1, nodes: tree.children(level, at: index))
        else {
          return false
        }
      }
    }
    return contained.isEmpty || visitor.take(contained)
  }

  @inline(__always)
  private func classify(_ envelope: Envelope) -> Containment {
    if innerBounds.contains(envelope) { return .contained }
    return isRectangle ? .intersecting : region.classify(envelope)
  }

  /// Tests the points of a leaf.
  private mutating func test(_ leaf: Int) -> Bool {
    let index = leaf >> 6
    if index != blockIndex {
      block = tree.points(index)
      blockIndex = index
    }
    guard let block else { return true }
    let bits = block.select(leaf: leaf & 63, in: region)
    return bits == 0 || visitor.take(leaf: leaf, bits)
  }
}

extension RTree {
  /// The approximate number of points in a region, after visiting at most a few hundred nodes.
  package func estimate(_ region: Region) -> Int {
    var contained = 0
    var frontier = levels.height == 0 ? [] : [0]
    var level = levels.height - 1
    while level >= 0 {
      var intersecting: [Int] = []
      for index in frontier {
        switch region.classify(envelope(level, at: index)) {
        case .disjoint: break
        case .contained: contained += positions(level, at: index).count
        case .intersecting: intersecting.append(index)
        }
      }
      if level == 0 || intersecting.count > 64 {
        return contained + guess(region, level: level, nodes: intersecting)
      }
      frontier = intersecting.flatMap { children(level, at: $0) }
      level -= 1
    }
    return contained
  }

  /// The estimated number of matching points in intersecting nodes, by the share of each that is in
  /// the region's bounds.
  private func guess(_ region: Region, level: Int, nodes: [Int]) -> Int {
    let bounds = region.bounds
    return nodes.reduce(0) { sum, index in
      let share = envelope(level, at: index).share(in: bounds)
      return sum + max(1, Int(share * Double(positions(level, at: index).count)))
    }
  }
}

extension Envelope {
  /// The share of the rectangle that lies in another one, 0 ... 1, in longitude and latitude.
  fileprivate func share(in other: Envelope) -> Double {
    let common = pointwiseMax(lanes, other.lanes)
    func area(_ lanes: SIMD4<Int32>) -> Double {
      let width = Double(-lanes.z) - Double(lanes.x) + 1
      let height = Double(-lanes.w) - Double(lanes.y) + 1
      return max(0, width) * max(0, height)
    }
    return area(common) / area(lanes)
  }
}

extension RTree {
  /// The smallest rectangle around all points, in degrees, or nil without points.
  ///
  /// Envelopes are rounded outwards, so the points that determine an edge are read: those of few
  /// leaves.
  package func extent() -> (west: Double, south: Double, east: Double, north: Double)? {
    guard count > 0 else { return nil }
    let first = point(at: 0)
    var found = (
      west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude
    )
    var pending = [(level: levels.height - 1, index: 0)]
    while let (level, index) = pending.popLast() {
      let node = envelope(level, at: index)
      if node.west >= found.west, node.south >= found.south, node.east <= found.east,
        node.north <= found.north
      {
        continue
      }
      guard level == 0 else {
        let children = index * Self.fanOut..<(index + 1) * Self.fanOut
        pending += children.prefix { $0 < nodeCount(level - 1) }.map { (level - 1, $0) }
        continue
      }
      for position in positions(0, at: index) {
        let (longitude, latitude) = point(at: position)
        found.west = min(found.west, longitude)
        found.south = min(found.south, latitude)
        found.east = max(found.east, longitude)
        found.north = max(found.north, latitude)
      }
    }
    return found
  }
}
