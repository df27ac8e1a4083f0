package import CairnGeometry

/// A packed R-tree over points in Hilbert order: leaves of 64, eight children to a node, in place.
///
/// Node i of level l stands for the positions i * 64 * 8^l and following; the points are elsewhere, in blocks of 4096.
package struct RTree {
  /// Children of a node.
  package static let fanOut = 8
  /// Nodes in a segment of a level.
  package static let segmentSize = 65536

  /// The number of points.
  package let count: Int
  let levels: Levels
  let points: (Int) -> PointBlock

  /// A tree over memory that outlives it.
  ///
  /// `levels` gives each level, leaves first, in segments of 65536 nodes, as `levelSizes` counts
  /// them; `points` the block of the positions 4096 * i and following.
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

  /// The number of nodes of each level, leaves first, up to the one that is the root; none without points.
  package static func levelSizes(count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var sizes = [(count + PointBlock.leafSize - 1) / PointBlock.leafSize]
    while let last = sizes.last, last > 1 { sizes.append((last + fanOut - 1) / fanOut) }
    return sizes
  }
}

extension RTree {
  /// The segments of all levels behind one pointer, so that a node is found without counting references.
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

    /// A node, and behind it those of its segment that follow.
    @inline(__always)
    func node(_ level: Int, _ index: Int) -> UnsafePointer<Envelope> {
      segments[firsts[level] + index >> 16] + index & (RTree.segmentSize - 1)
    }
  }

  /// The number of nodes of a level.
  @inline(__always)
  func nodeCount(_ level: Int) -> Int {
    (count + (1 << span(level)) - 1) >> span(level)
  }

  /// The logarithm of the positions below a node.
  @inline(__always)
  func span(_ level: Int) -> Int { 6 + 3 * level }

  /// The positions below a node.
  @inline(__always)
  func positions(_ level: Int, _ index: Int) -> Range<Int> {
    index << span(level)..<min(count, (index + 1) << span(level))
  }
}
