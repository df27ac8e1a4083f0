package import CairnGeometry

/// A packed R-tree over points or boxes in Hilbert order, read in place.
///
/// The entries are stored separately, in blocks of 4096.
package struct RTree<Block: LeafBlock> {
  /// The nodes.
  package let nodes: TreeNodes
  /// The entries of the positions from 4096 * i on.
  let blocks: (Int) -> Block

  /// Creates a tree over memory that outlives it.
  ///
  /// - Parameters:
  ///   - levels: The segments of each level, as ``TreeNodes`` takes them.
  ///   - blocks: Returns the block of the positions from 4096 * i on.
  package init(
    count: Int, levels: [[UnsafePointer<Envelope>]], blocks: @escaping (Int) -> Block
  ) {
    nodes = TreeNodes(count: count, levels: levels)
    self.blocks = blocks
  }

  /// The number of entries.
  package var count: Int { nodes.count }

  /// The block of an entry, and the index of the entry there.
  package func entry(at position: Int) -> (block: Block, index: Int) {
    assert(position >= 0 && position < count, "the tree does not have the position")
    return (blocks(position / TreeNodes.blockSize), position % TreeNodes.blockSize)
  }

  /// The block of a leaf, and the number of the leaf there.
  @inline(__always)
  func block(ofLeaf leaf: Int) -> (block: Block, leaf: Int) {
    (blocks(leaf >> 6), leaf & 63)
  }
}

extension RTree {
  /// The smallest rectangle around all entries, in degrees, or nil without entries.
  ///
  /// Envelopes are rounded outwards, so the entries that determine an edge are read: those of few
  /// leaves.
  package func extent() -> (west: Double, south: Double, east: Double, north: Double)? {
    guard count > 0 else { return nil }
    var found = blocks(0).extent(of: 0..<1)
    var pending = [(level: nodes.height - 1, index: 0)]
    while let (level, index) = pending.popLast() {
      let node = nodes.envelope(level, at: index)
      if node.west >= found.west, node.south >= found.south, node.east <= found.east,
        node.north <= found.north
      {
        continue
      }
      guard level == 0 else {
        pending += nodes.children(level, at: index).map { (level - 1, $0) }
        continue
      }
      let (block, leaf) = block(ofLeaf: index)
      let own = block.extent(of: block.range(ofLeaf: leaf))
      found = (
        min(found.west, own.west), min(found.south, own.south),
        max(found.east, own.east), max(found.north, own.north)
      )
    }
    return found
  }

  /// Throws if a level has the wrong size, or a rectangle is not the smallest one around those below
  /// it.
  package func checkInvariants() throws(IndexError) {
    try nodes.check { index in
      let (block, leaf) = block(ofLeaf: index)
      return block.envelope(of: block.range(ofLeaf: leaf))
    }
  }

  /// Throws if a level has the wrong size, an entry is outside of its leaf, or a rectangle is not the
  /// smallest one around the nodes below it.
  ///
  /// - Parameter isCovered: whether the tree covers the entry at a position; other entries may have
  ///   changed.
  package func checkInvariants(where isCovered: (Int) -> Bool) throws(IndexError) {
    try nodes.check(nil)
    for leaf in 0..<nodes.nodeCount(0) {
      let (block, number) = block(ofLeaf: leaf)
      let (first, start) = (nodes.positions(0, at: leaf).lowerBound, number * TreeNodes.leafSize)
      for position in nodes.positions(0, at: leaf) where isCovered(position) {
        let index = start + position - first
        guard nodes.envelope(0, at: leaf).contains(block.envelope(of: index..<index + 1)) else {
          throw IndexError("position \(position) is outside of its leaf")
        }
      }
    }
  }
}
