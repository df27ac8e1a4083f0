package import CairnGeometry

/// Up to 4096 boxes read in place.
package struct BoxBlock: LeafBlock {
  /// The first of the boxes, valid while the memory of the block is.
  package let start: UnsafePointer<Envelope>
  /// The number of boxes.
  package let count: Int

  /// Creates a view of memory that outlives the block.
  package init(start: UnsafePointer<Envelope>, count: Int) {
    assert(count >= 0 && count <= TreeNodes.blockSize, "a block has up to 4096 boxes")
    self.start = start
    self.count = count
  }

  /// The box at an index.
  package subscript(index: Int) -> Envelope {
    assert(index >= 0 && index < count, "the block does not have the box")
    return start[index]
  }

  package func envelope(of entries: Range<Int>) -> Envelope {
    entries.reduce(Envelope.empty) { $0.union(self[$1]) }
  }

  package func extent(
    of entries: Range<Int>
  ) -> (west: Double, south: Double, east: Double, north: Double) {
    let envelope = envelope(of: entries)
    return (envelope.west, envelope.south, envelope.east, envelope.north)
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
