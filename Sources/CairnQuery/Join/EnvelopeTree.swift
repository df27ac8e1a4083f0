import CairnGeometry
import CairnIndex

/// An R-tree in memory over boxes that it owns.
final class EnvelopeTree: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.
  /// The boxes, in the order in which they were given. Valid while the tree exists.
  let envelopes: UnsafeMutableBufferPointer<Envelope>
  let tree: RTree<BoxBlock>
  private let levels: [UnsafeMutableBufferPointer<Envelope>]

  /// - Parameters:
  ///   - count: The number of boxes.
  ///   - envelope: Returns the box at a position. Boxes that are near each other should have near
  ///     positions, as along the Hilbert curve.
  init(_ count: Int, envelope: (Int) -> Envelope) {
    envelopes = .allocate(capacity: max(1, count))
    for position in 0..<count {
      envelopes.initializeElement(at: position, to: envelope(position))
    }
    let blocks = { [envelopes] (block: Int) in
      let first = block * TreeNodes.blockSize
      assert(first >= 0 && first <= count, "the block does not exist")
      return BoxBlock(
        start: envelopes.baseAddress.unsafelyUnwrapped + first,
        count: min(TreeNodes.blockSize, count - first))
    }
    var nodes = stride(from: 0, to: count, by: TreeNodes.blockSize).flatMap {
      blocks($0 / TreeNodes.blockSize).leafEnvelopes
    }
    var levels: [UnsafeMutableBufferPointer<Envelope>] = []
    while !nodes.isEmpty {
      let memory = UnsafeMutableBufferPointer<Envelope>.allocate(capacity: nodes.count)
      _ = memory.initialize(from: nodes)
      levels.append(memory)
      nodes = nodes.count == 1 ? [] : nodes.withUnsafeBufferPointer { TreeNodes.parents(of: $0) }
    }
    self.levels = levels
    tree = RTree(
      count: count, levels: levels.map { Self.segments(of: UnsafeBufferPointer($0)) },
      blocks: blocks)
  }

  deinit {
    envelopes.deallocate()
    for level in levels { level.deallocate() }
  }

  /// The segments of nodes. Valid as long as the nodes.
  private static func segments(
    of nodes: UnsafeBufferPointer<Envelope>
  ) -> [UnsafePointer<Envelope>] {
    stride(from: 0, to: nodes.count, by: TreeNodes.segmentSize).compactMap { start in
      nodes.baseAddress.map { $0 + start }
    }
  }

  /// Replaces `found` by the positions of the boxes that meet a rectangle, in order.
  func find(_ envelope: Envelope, into found: inout [Int32]) {
    found.removeAll(keepingCapacity: true)
    tree.forEachMatch(of: BoxCondition.meets(envelope)) { match in
      switch match {
      case .range(let range): for position in range { found.append(Int32(position)) }
      case .leaf(let leaf, let matches):
        var bits = matches.candidates
        while bits != 0 {
          found.append(Int32(leaf << 6 | bits.trailingZeroBitCount))
          bits &= bits &- 1
        }
      }
    }
  }
}

extension BoxCondition {
  /// The condition that a box meets a rectangle.
  fileprivate static func meets(_ envelope: Envelope) -> BoxCondition {
    let bounds = envelope.outerBounds
    return BoxCondition { any($0.lanes .> bounds) ? .disjoint : .intersecting }
  }
}
