package import CairnGeometry

/// A packed R-tree over boxes in Hilbert order of their centres, read in place.
///
/// The boxes are stored separately, as arrays of up to 4096. Its nodes are those of an `RTree`.
package struct BoxTree: PackedTree {
  /// The number of boxes.
  package let count: Int
  /// The nodes.
  package let levels: RTree.Levels
  /// The boxes of a block, valid while the memory of the tree is.
  @usableFromInline let blocks: (Int) -> UnsafePointer<Envelope>

  /// Creates a tree over memory that outlives it.
  ///
  /// `levels` contains each level, leaves first, in segments of 65536 nodes; `RTree.levelSizes`
  /// gives their numbers. `blocks` returns the boxes of the positions from 4096 * i on, which are
  /// valid like the tree.
  package init(
    count: Int, levels: [[UnsafePointer<Envelope>]],
    blocks: @escaping (Int) -> UnsafePointer<Envelope>
  ) {
    self.count = count
    self.levels = RTree.Levels(levels)
    self.blocks = blocks
  }

  /// The boxes of a leaf, up to 64, valid while the memory of the tree is.
  @inlinable
  package func boxes(ofLeaf leaf: Int) -> UnsafeBufferPointer<Envelope> {
    let start = leaf * PointBlock.leafSize
    assert(leaf >= 0 && start < count, "the tree does not have the leaf")
    return UnsafeBufferPointer(
      start: blocks(leaf >> 6) + (leaf & 63) * PointBlock.leafSize,
      count: min(PointBlock.leafSize, count - start))
  }

  /// The box at a position.
  package func box(at position: Int) -> Envelope {
    assert(position >= 0 && position < count, "the tree does not have the position")
    return blocks(position / PointBlock.capacity)[position % PointBlock.capacity]
  }
}

extension BoxTree {
  /// The rectangles of the leaves over boxes, one for every 64 or part of them.
  package static func leafEnvelopes(of boxes: UnsafeBufferPointer<Envelope>) -> [Envelope] {
    stride(from: 0, to: boxes.count, by: PointBlock.leafSize).map { start in
      boxes[start..<min(start + PointBlock.leafSize, boxes.count)]
        .reduce(Envelope.empty) { $0.union($1) }
    }
  }

  /// Throws if a level has the wrong size, or a rectangle is not the smallest one around those
  /// below it.
  package func checkInvariants() throws(IndexError) {
    try checkNodes { BoxTree.leafEnvelopes(of: boxes(ofLeaf: $0))[0] }
  }

  /// Throws if a level has the wrong size, a box is outside of its leaf, or a rectangle is not the
  /// smallest one around the nodes below it.
  ///
  /// - Parameter isCovered: whether the tree covers the box at a position; other boxes may have
  ///   changed.
  package func checkInvariants(where isCovered: (Int) -> Bool) throws(IndexError) {
    try checkNodes(nil)
    for position in 0..<count where isCovered(position) {
      try checkLeaf(of: position, contains: box(at: position))
    }
  }
}

extension Hilbert {
  /// The position on the curve of the centre of a box.
  package static func key(of box: Envelope) -> UInt64 {
    key(
      longitude: (Double(box.lanes.x) - Double(box.lanes.z)) / (2 * E7.perDegree),
      latitude: (Double(box.lanes.y) - Double(box.lanes.w)) / (2 * E7.perDegree))
  }
}
