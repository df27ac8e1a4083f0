package import CairnGeometry

/// The nodes of a packed R-tree: leaves of 64 positions, eight children to a node.
///
/// Node i of level l covers the positions from i * 64 * 8^l on.
package protocol NodeHierarchy {
  /// The number of positions.
  var count: Int { get }
  /// The nodes.
  var levels: RTree.Levels { get }
}

/// The nodes of a tree, whatever it is over.
package struct TreeNodes: NodeHierarchy {
  /// The number of positions.
  package let count: Int
  /// The nodes.
  package let levels: RTree.Levels

  /// Takes the nodes of a tree.
  package init(_ tree: some PackedTree) {
    count = tree.count
    levels = tree.levels
  }
}

/// A packed R-tree.
package protocol PackedTree: NodeHierarchy {
  /// Throws if the tree is not the one over its positions.
  func checkInvariants() throws(IndexError)
  /// Throws if the tree does not cover the positions for which `isCovered` is true.
  func checkInvariants(where isCovered: (Int) -> Bool) throws(IndexError)
}

extension NodeHierarchy {
  /// The number of levels; 0 without positions. The root is the node 0 of the last level.
  @inlinable package var height: Int { levels.height }

  /// The rectangle around all positions; nil without positions.
  @inlinable package var bounds: Envelope? { height == 0 ? nil : envelope(height - 1, at: 0) }

  /// The number of nodes of a level.
  @inlinable @inline(__always)
  package func nodeCount(_ level: Int) -> Int {
    (count + (1 << span(level)) - 1) >> span(level)
  }

  /// The base-2 logarithm of the number of positions below a node.
  @inlinable @inline(__always)
  package func span(_ level: Int) -> Int { 6 + 3 * level }

  /// The positions below a node.
  @inlinable @inline(__always)
  package func positions(_ level: Int, at index: Int) -> Range<Int> {
    index << span(level)..<min(count, (index + 1) << span(level))
  }

  /// The children of a node on the level below. They are neighbours in memory.
  @inlinable @inline(__always)
  package func children(_ level: Int, at index: Int) -> Range<Int> {
    let first = index * RTree.fanOut
    return first..<min(first + RTree.fanOut, nodeCount(level - 1))
  }

  /// The rectangle of a node, followed in memory by those of its later siblings. It is valid while the
  /// memory of the tree is.
  @inlinable @inline(__always)
  package func envelopes(_ level: Int, from index: Int) -> UnsafePointer<Envelope> {
    assert(index >= 0 && index < nodeCount(level), "the level does not have the node")
    return levels.node(level, at: index)
  }

  /// The rectangle of a node.
  @inlinable @inline(__always)
  package func envelope(_ level: Int, at index: Int) -> Envelope {
    assert(index >= 0 && index < nodeCount(level), "the level does not have the node")
    return levels.node(level, at: index).pointee
  }
}

extension PackedTree {
  /// Throws if a level has the wrong size, or a rectangle is not the smallest one around the nodes
  /// below it.
  ///
  /// - Parameter leaf: Returns the smallest rectangle around a leaf. Pass nil if rectangles of
  ///   leaves may be larger.
  func checkNodes(_ leaf: ((Int) -> Envelope)?) throws(IndexError) {
    let sizes = RTree.levelSizes(count: count)
    guard sizes.count == levels.height else {
      throw IndexError(
        "a tree of \(count) positions has \(levels.height) levels, expected \(sizes.count)")
    }
    for (level, size) in sizes.enumerated() {
      for index in 0..<size {
        let expected = level == 0 ? leaf?(index) : parentEnvelope(level, at: index)
        let found = envelope(level, at: index)
        guard let expected, found != expected else { continue }
        throw IndexError(
          "node \(index) of level \(level) is \(found.lanes), expected \(expected.lanes)")
      }
    }
  }

  /// Throws unless the leaf of a position contains the rectangle.
  func checkLeaf(of position: Int, contains inner: Envelope) throws(IndexError) {
    guard envelope(0, at: position / PointBlock.leafSize).contains(inner) else {
      throw IndexError("position \(position) is outside of its leaf")
    }
  }

  private func parentEnvelope(_ level: Int, at index: Int) -> Envelope {
    children(level, at: index).reduce(Envelope.empty) { $0.union(envelope(level - 1, at: $1)) }
  }
}
