package import CairnGeometry

/// A packed R-tree over points in Hilbert order, read in place: leaves of 64 points, eight children
/// to a node.
///
/// Node i of level l covers the positions from i * 64 * 8^l on. The points are stored separately,
/// in blocks of 4096.
package struct RTree: PackedTree {
  /// The number of children of a node.
  @inlinable package static var fanOut: Int { 8 }
  /// The number of nodes in a segment of a level.
  @inlinable package static var segmentSize: Int { 65536 }

  /// The number of points.
  package let count: Int
  /// The nodes.
  package let levels: Levels
  let points: (Int) -> PointBlock

  /// Creates a tree over memory that outlives it.
  ///
  /// `levels` contains each level, leaves first, in segments of 65536 nodes; `levelSizes` gives
  /// their numbers. `points` returns the block of the positions from 4096 * i on.
  package init(
    count: Int, levels: [[UnsafePointer<Envelope>]], points: @escaping (Int) -> PointBlock
  ) {
    self.count = count
    self.levels = Levels(levels)
    self.points = points
  }

  /// The coordinates of the point at a position, in degrees.
  package func point(at position: Int) -> (longitude: Double, latitude: Double) {
    points(position / PointBlock.capacity).point(at: position % PointBlock.capacity)
  }

  /// The number of nodes of each level, from the leaves to the root; empty without points.
  package static func levelSizes(count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var sizes = [(count + PointBlock.leafSize - 1) / PointBlock.leafSize]
    while let last = sizes.last, last > 1 { sizes.append((last + fanOut - 1) / fanOut) }
    return sizes
  }
}

extension RTree {
  /// The segments of all levels behind one pointer, so that a node is found without reference
  /// counting.
  package final class Levels {
    /// The number of levels; 0 without positions.
    package let height: Int
    @usableFromInline let segments: UnsafeMutablePointer<UnsafePointer<Envelope>>
    /// The index of the first segment of each level, and the number of all segments.
    @usableFromInline let firsts: UnsafeMutablePointer<Int>

    init(_ levels: [[UnsafePointer<Envelope>]]) {
      height = levels.count
      let all = Array(levels.joined())
      assert(all.allSatisfy { Int(bitPattern: $0) & 15 == 0 }, "the nodes are not aligned")
      segments = .allocate(capacity: max(1, all.count))
      segments.initialize(from: all, count: all.count)
      firsts = .allocate(capacity: height + 1)
      var first = 0
      for (level, parts) in levels.enumerated() {
        firsts[level] = first
        first += parts.count
      }
      firsts[height] = first
    }

    deinit {
      segments.deallocate()
      firsts.deallocate()
    }

    /// A node, followed in memory by the later nodes of its segment. It is valid while the memory of
    /// the tree is.
    @inlinable @inline(__always)
    package func node(_ level: Int, at index: Int) -> UnsafePointer<Envelope> {
      assert(level >= 0 && level < height, "the tree does not have the level")
      assert(
        index >= 0 && index >> 16 < firsts[level + 1] - firsts[level],
        "the level does not have the segment")
      return segments[firsts[level] + index >> 16] + index & (RTree.segmentSize - 1)
    }
  }
}

extension RTree {
  /// Writes the rectangles of a block's leaves, one for every 64 points or part of them.
  package static func leafEnvelopes(
    of block: PointBlock, into envelopes: UnsafeMutableBufferPointer<Envelope>
  ) {
    let leaves = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    assert(leaves <= envelopes.count, "the memory is too small for all leaves")
    for leaf in 0..<leaves {
      envelopes[leaf] = envelope(of: block, block.range(ofLeaf: leaf))
    }
  }

  /// The rectangle around some points of a block.
  static func envelope(of block: PointBlock, _ range: Range<Int>) -> Envelope {
    block.isFixed ? envelope(ofSteps: block, range) : envelope(ofDegrees: block, range)
  }

  private static func envelope(ofSteps block: PointBlock, _ range: Range<Int>) -> Envelope {
    assert(range.lowerBound >= 0 && range.upperBound <= block.count, "no such points")
    let (xs, ys) = (block.longitudesE7, block.latitudesE7)
    var (west, south) = (Int32.max, Int32.max)
    var (east, north) = (Int32.min, Int32.min)
    for index in range {
      west = min(west, xs[index])
      east = max(east, xs[index])
      south = min(south, ys[index])
      north = max(north, ys[index])
    }
    return Envelope(lanes: SIMD4(west, south, -east, -north))
  }

  private static func envelope(ofDegrees block: PointBlock, _ range: Range<Int>) -> Envelope {
    assert(range.lowerBound >= 0 && range.upperBound <= block.count, "no such points")
    let (xs, ys) = (block.longitudeDegrees, block.latitudeDegrees)
    var (west, south) = (Double.infinity, Double.infinity)
    var (east, north) = (-Double.infinity, -Double.infinity)
    for index in range {
      west = min(west, xs[index])
      east = max(east, xs[index])
      south = min(south, ys[index])
      north = max(north, ys[index])
    }
    return Envelope(west: west, south: south, east: east, north: north)
  }

  /// The rectangles of the level above: one for every eight children or part of them.
  package static func parents(of children: UnsafeBufferPointer<Envelope>) -> [Envelope] {
    stride(from: 0, to: children.count, by: fanOut).map { start in
      children[start..<min(start + fanOut, children.count)]
        .reduce(Envelope.empty) { $0.union($1) }
    }
  }
}

extension RTree {
  /// Throws if a level has the wrong size, or a rectangle is not the smallest one around the nodes
  /// below it.
  package func checkInvariants() throws(IndexError) {
    try checkNodes(leafEnvelope)
  }

  /// Throws if a level has the wrong size, a point is outside of its leaf, or a rectangle is not
  /// the smallest one around those below it.
  ///
  /// - Parameter isCovered: whether the tree covers the point at a position; other points may have
  ///   moved.
  package func checkInvariants(where isCovered: (Int) -> Bool) throws(IndexError) {
    try checkNodes(nil)
    for position in 0..<count where isCovered(position) {
      let (x, y) = point(at: position)
      try checkLeaf(of: position, contains: Envelope(west: x, south: y, east: x, north: y))
    }
  }

  private func leafEnvelope(_ index: Int) -> Envelope {
    let block = points(index >> 6)
    return RTree.envelope(of: block, block.range(ofLeaf: index & 63))
  }
}

/// A fault in a tree.
package struct IndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, as a message.
  package let description: String

  init(_ description: String) { self.description = description }
}
