import CairnGeometry
import CairnIndex
import CairnValues

extension Chunk {
  /// Returns the box of a row of a column of boxes.
  package func box(at row: Int) -> Envelope {
    assert(hasBoxes && hasEntry(row), "the chunk does not have the box")
    return Envelope(lanes: codes.load(fromByteOffset: row * 16, as: SIMD4<Int32>.self))
  }

  /// The boxes of a column of boxes, as the R-tree reads them; null ones have no defined content. The
  /// block is valid like the chunk.
  package var boxes: BoxBlock { boxes(first: count) }

  /// Returns the first `limit` boxes: a base run may end within a chunk, and other rows follow.
  func boxes(first limit: Int) -> BoxBlock {
    assert(hasBoxes, "the rows are not boxes")
    assert(limit >= 0, "the run ends before the chunk")
    return BoxBlock(
      start: codes.assumingMemoryBound(to: Envelope.self), count: min(count, limit))
  }

  /// Returns the geometry of a row, in place. It is valid like the chunk.
  package func geometry(at row: Int) -> GeometryView { GeometryView(bytes(at: row)) }

  private var hasBoxes: Bool { encoding == .fixed && width == MemoryLayout<Envelope>.size }
}

extension Box {
  /// Makes the value that stores a rectangle.
  init(_ envelope: Envelope) { self.init(lanes: envelope.lanes) }
}

extension Envelope {
  /// Whether the rectangle is not empty and lies on the earth.
  var isOnEarth: Bool {
    lanes.x >= -E7.halfTurn && lanes.z >= -E7.halfTurn && lanes.x <= -lanes.z
      && lanes.y >= -E7.quarterTurn && lanes.w >= -E7.quarterTurn && lanes.y <= -lanes.w
  }
}
