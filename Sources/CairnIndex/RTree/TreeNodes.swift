package import CairnGeometry

/// The nodes of a packed R-tree, read in place: leaves of 64 positions, eight children to a node.
///
/// Node i of level l covers the positions from i * 64 * 8^l on. All segments are behind one pointer, so
/// that a node is found without reference counting.
package final class TreeNodes {
  /// The number of positions in a leaf, and of bits in a word of a selection.
  @inlinable package static var leafSize: Int { 64 }
  /// The number of positions in a full block of entries.
  @inlinable package static var blockSize: Int { 4096 }
  /// The number of children of a node.
  @inlinable package static var fanOut: Int { 8 }
  /// The number of nodes in a segment of a level.
  @inlinable package static var segmentSize: Int { 65536 }

  /// The number of positions.
  package let count: Int
  /// The number of levels; 0 without positions. The root is the node 0 of the last level.
  package let height: Int
  @usableFromInline let segments: UnsafeMutablePointer<UnsafePointer<Envelope>>
  /// The index of the first segment of each level, and the number of all segments.
  @usableFromInline let firsts: UnsafeMutablePointer<Int>

  /// Takes nodes in memory that outlives them.
  ///
  /// `levels` contains each level, leaves first, in segments of 65536 nodes; ``levelSizes(count:)``
  /// gives their numbers.
  package init(count: Int, levels: [[UnsafePointer<Envelope>]]) {
    self.count = count
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

  /// The number of nodes of each level, from the leaves to the root; empty without positions.
  package static func levelSizes(count: Int) -> [Int] {
    guard count > 0 else { return [] }
    var sizes = [(count + leafSize - 1) / leafSize]
    while let last = sizes.last, last > 1 { sizes.append((last + fanOut - 1) / fanOut) }
    return sizes
  }

  /// The rectangles of the level above: one for every eight children or part of them.
  package static func parents(of children: UnsafeBufferPointer<Envelope>) -> [Envelope] {
    stride(from: 0, to: children.count, by: fanOut).map { start in
      children[start..<min(start + fanOut, children.count)]
        .reduce(Envelope.empty) { $0.union($1) }
    }
  }
}

extension TreeNodes {
  /// The rectangle around all positions; nil without positions.
  @inlinable package var bounds: Envelope? { height == 0 ? nil : envelope(height - 1, at: 0) }

  /// The number of nodes of a level.
  @inlinable @inline(__always)
  package func nodeCount(_ level: Int) -> Int {
    (count + (1 << Self.span(level)) - 1) >> Self.span(level)
  }

  /// The base-2 logarithm of the number of positions below a node.
  @inlinable @inline(__always)
  package static func span(_ level: Int) -> Int { 6 + 3 * level }

  /// The positions below a node.
  @inlinable @inline(__always)
  package func positions(_ level: Int, at index: Int) -> Range<Int> {
    index << Self.span(level)..<min(count, (index + 1) << Self.span(level))
  }

  /// The children of a node on the level below. They are neighbours in memory.
  @inlinable @inline(__always)
  package func children(_ level: Int, at index: Int) -> Range<Int> {
    let first = index * Self.fanOut
    return first..<min(first + Self.fanOut, nodeCount(level - 1))
  }

  /// The rectangle of a node, followed in memory by those of its later siblings. It is valid while the
  /// memory of the tree is.
  @inlinable @inline(__always)
  package func envelopes(_ level: Int, from index: Int) -> UnsafePointer<Envelope> {
    assert(level >= 0 && level < height, "the tree does not have the level")
    assert(index >= 0 && index < nodeCount(level), "the level does not have the node")
    assert(
      index >> 16 < firsts[level + 1] - firsts[level], "the level does not have the segment")
    return segments[firsts[level] + index >> 16] + index & (Self.segmentSize - 1)
  }

  /// The rectangle of a node.
  @inlinable @inline(__always)
  package func envelope(_ level: Int, at index: Int) -> Envelope {
    envelopes(level, from: index).pointee
  }
}

extension TreeNodes {
  /// Throws if a level has the wrong size, or a rectangle is not the smallest one around the nodes
  /// below it.
  ///
  /// - Parameter leaf: Returns the smallest rectangle around a leaf. Pass nil if rectangles of
  ///   leaves may be larger.
  func check(_ leaf: ((Int) -> Envelope)?) throws(IndexError) {
    let sizes = Self.levelSizes(count: count)
    guard sizes.count == height else {
      throw IndexError(
        "a tree of \(count) positions has \(height) levels, expected \(sizes.count)")
    }
    for (level, size) in sizes.enumerated() {
      for index in 0..<size {
        let expected = level == 0 ? leaf?(index) : envelope(aroundChildrenOf: index, level)
        let found = envelope(level, at: index)
        guard let expected, found != expected else { continue }
        throw IndexError(
          "node \(index) of level \(level) is \(found.lanes), expected \(expected.lanes)")
      }
    }
  }

  private func envelope(aroundChildrenOf index: Int, _ level: Int) -> Envelope {
    children(level, at: index).reduce(Envelope.empty) { $0.union(envelope(level - 1, at: $1)) }
  }
}

/// A fault in a tree.
package struct IndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, as a message.
  package let description: String

  init(_ description: String) { self.description = description }
}
