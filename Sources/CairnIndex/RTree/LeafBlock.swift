package import CairnGeometry

/// Up to 4096 entries of an R-tree, points or boxes, read in place: the leaves of 64 entries below one
/// node of the third level.
package protocol LeafBlock {
  /// The number of entries.
  var count: Int { get }
  /// The smallest rectangle around some entries.
  func envelope(of entries: Range<Int>) -> Envelope
  /// The bounds of some entries in degrees, which are exact; `entries` is not empty.
  func extent(of entries: Range<Int>) -> (west: Double, south: Double, east: Double, north: Double)
}

extension LeafBlock {
  /// The range of a leaf's entries in the block.
  package func range(ofLeaf leaf: Int) -> Range<Int> {
    assert(leaf >= 0 && leaf * TreeNodes.leafSize <= count, "the block does not have the leaf")
    let start = leaf * TreeNodes.leafSize
    return start..<min(start + TreeNodes.leafSize, count)
  }

  /// The rectangles of the leaves, one for every 64 entries or part of them.
  package var leafEnvelopes: [Envelope] {
    (0..<(count + TreeNodes.leafSize - 1) / TreeNodes.leafSize).map {
      envelope(of: range(ofLeaf: $0))
    }
  }
}
