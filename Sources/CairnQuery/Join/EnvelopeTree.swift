import CairnGeometry
import CairnIndex

/// An R-tree in memory over boxes that it owns.
final class EnvelopeTree: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.
  /// The boxes, in the order in which they were given. Valid while the tree exists.
  let envelopes: UnsafeMutableBufferPointer<Envelope>
  let tree: BoxTree
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
    var nodes = BoxTree.leafEnvelopes(of: UnsafeBufferPointer(rebasing: envelopes[..<count]))
    var levels: [UnsafeMutableBufferPointer<Envelope>] = []
    while !nodes.isEmpty {
      let memory = UnsafeMutableBufferPointer<Envelope>.allocate(capacity: nodes.count)
      _ = memory.initialize(from: nodes)
      levels.append(memory)
      nodes = nodes.count == 1 ? [] : nodes.withUnsafeBufferPointer { RTree.parents(of: $0) }
    }
    self.levels = levels
    tree = BoxTree(
      count: count, levels: levels.map { Self.segments(of: UnsafeBufferPointer($0)) },
      blocks: { [envelopes] block in
        assert(
          block >= 0 && block * PointBlock.capacity < envelopes.count, "the block does not exist")
        return UnsafePointer(envelopes.baseAddress.unsafelyUnwrapped + block * PointBlock.capacity)
      })
  }

  deinit {
    envelopes.deallocate()
    for level in levels { level.deallocate() }
  }

  /// The segments of nodes. Valid as long as the nodes.
  private static func segments(
    of nodes: UnsafeBufferPointer<Envelope>
  ) -> [UnsafePointer<Envelope>] {
    stride(from: 0, to: nodes.count, by: RTree.segmentSize).compactMap { start in
      nodes.baseAddress.map { $0 + start }
    }
  }

  /// Replaces `found` by the positions of the boxes that meet a rectangle, in order.
  func find(_ envelope: Envelope, into found: inout [Int32]) {
    found.removeAll(keepingCapacity: true)
    tree.search(Meeting(envelope)) { (match: BoxTree.Match) -> Void in
      switch match {
      case .range(let range): for position in range { found.append(Int32(position)) }
      case .leaf(let leaf, _, var bits):
        while bits != 0 {
          found.append(Int32(leaf << 6 | bits.trailingZeroBitCount))
          bits &= bits &- 1
        }
      }
    }
  }
}

/// The condition that a box meets a rectangle.
struct Meeting: BoxCondition {
  private let bounds: SIMD4<Int32>

  init(_ envelope: Envelope) { bounds = envelope.outerBounds }

  @inline(__always)
  func classify(_ envelope: Envelope) -> Containment {
    any(envelope.lanes .> bounds) ? .disjoint : .intersecting
  }
}
