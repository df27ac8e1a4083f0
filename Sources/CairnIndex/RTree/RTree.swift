package import CairnGeometry

/// A packed R-tree over points in Hilbert order, read in place: leaves of 64 points, eight children
/// to a node.
///
/// Node i of level l covers the positions from i * 64 * 8^l on. The points are stored separately,
/// in blocks of 4096.
package struct RTree {
  /// The number of children of a node.
  package static let fanOut = 8
  /// The number of nodes in a segment of a level.
  package static let segmentSize = 65536

  /// The number of points.
  package let count: Int
  let levels: Levels
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
  final class Levels {
    let height: Int
    private let segments: UnsafeMutablePointer<UnsafePointer<Envelope>>
    private let firsts: UnsafeMutablePointer<Int>

    init(_ levels: [[UnsafePointer<Envelope>]]) {
      height = levels.count
      let all = Array(levels.joined())
      segments = .allocate(capacity: max(1, all.count))
      segments.initialize(from: all, count: all.count)
      firsts = .allocate(capacity: max(1, height))
      var first = 0
      for (level, parts) in levels.enumerated() {
        firsts[level] = first
        first += parts.count
      }
    }

    deinit {
      segments.deallocate()
      firsts.deallocate()
    }

    /// A node, followed in memory by the later nodes of its segment.
    @inline(__always)
    func node(_ level: Int, at index: Int) -> UnsafePointer<Envelope> {
      segments[firsts[level] + index >> 16] + index & (RTree.segmentSize - 1)
    }
  }

  /// The number of nodes of a level.
  @inline(__always)
  func nodeCount(_ level: Int) -> Int {
    (count + (1 << span(level)) - 1) >> span(level)
  }

  /// The base-2 logarithm of the number of positions below a node.
  @inline(__always)
  func span(_ level: Int) -> Int { 6 + 3 * level }

  /// The positions below a node.
  @inline(__always)
  func positions(_ level: Int, at index: Int) -> Range<Int> {
    index << span(level)..<min(count, (index + 1) << span(level))
  }
}

extension RTree {
  /// Writes the rectangles of a block's leaves, one for every 64 points or part of them.
  package static func leafEnvelopes(
    of block: PointBlock, into envelopes: UnsafeMutablePointer<Envelope>
  ) {
    let leaves = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    for leaf in 0..<leaves {
      envelopes[leaf] = envelope(of: block, block.range(ofLeaf: leaf))
    }
  }

  /// The rectangle around some points of a block.
  static func envelope(of block: PointBlock, _ range: Range<Int>) -> Envelope {
    block.isFixed ? envelope(ofSteps: block, range) : envelope(ofDegrees: block, range)
  }

  private static func envelope(ofSteps block: PointBlock, _ range: Range<Int>) -> Envelope {
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
    let sizes = RTree.levelSizes(count: count)
    guard sizes.count == levels.height else {
      throw IndexError(
        "a tree of \(count) points has \(levels.height) levels, expected \(sizes.count)")
    }
    for (level, size) in sizes.enumerated() {
      for index in 0..<size { try check(level, at: index) }
    }
  }

  /// Throws if a level has the wrong size, a point is outside of its leaf, or a rectangle is not
  /// the smallest one around those below it.
  ///
  /// - Parameter isCovered: whether the tree covers the point at a position; other points may have
  ///   moved.
  package func checkInvariants(where isCovered: (Int) -> Bool) throws(IndexError) {
    let sizes = RTree.levelSizes(count: count)
    guard sizes.count == levels.height else {
      throw IndexError(
        "a tree of \(count) points has \(levels.height) levels, expected \(sizes.count)")
    }
    for position in 0..<count where isCovered(position) {
      let (x, y) = point(at: position)
      let leaf = levels.node(0, at: position / PointBlock.leafSize).pointee
      guard leaf.contains(Envelope(west: x, south: y, east: x, north: y)) else {
        throw IndexError("point \(position) is outside of its leaf")
      }
    }
    for (level, size) in sizes.enumerated().dropFirst() {
      for index in 0..<size { try check(level, at: index) }
    }
  }

  private func check(_ level: Int, at index: Int) throws(IndexError) {
    let expected = level == 0 ? leafEnvelope(index) : parentEnvelope(level, at: index)
    let found = levels.node(level, at: index).pointee
    guard found == expected else {
      throw IndexError(
        "node \(index) of level \(level) is \(found.lanes), expected \(expected.lanes)"
      )
    }
  }

  private func leafEnvelope(_ index: Int) -> Envelope {
    let block = points(index >> 6)
    return RTree.envelope(of: block, block.range(ofLeaf: index & 63))
  }

  private func parentEnvelope(_ level: Int, at index: Int) -> Envelope {
    children(level, at: index).reduce(Envelope.empty) {
      $0.union(levels.node(level - 1, at: $1).pointee)
    }
  }
}

/// A fault in a tree.
package struct IndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, as a message.
  package let description: String

  init(_ description: String) { self.description = description }
}
