import CairnGeometry
import CairnIndex
import CairnStorage

/// The rows of one side of a join, found by their boxes: an R-tree in memory over the rows that take
/// part, with their geometries.
final class JoinCandidates: @unchecked Sendable {
  // Sendable: read-only once it is made.
  let side: JoinSide
  /// The keys, along the Hilbert curve of the boxes' centres.
  let keys: [Int]
  /// The boxes, grown by the radius of the join.
  let envelopes: UnsafeMutableBufferPointer<Envelope>
  let tree: BoxTree
  private let levels: [UnsafeMutableBufferPointer<Envelope>]

  /// - Parameter grow: Returns the rectangle that partners of a geometry in a box must meet.
  init(_ side: JoinSide, grow: (Envelope) -> Envelope) {
    self.side = side
    let unsorted = side.rows.keys
    let boxes = unsorted.map { side.envelope(of: $0) }
    let order = boxes.map { Hilbert.key(of: $0) }.withUnsafeBufferPointer { RadixSort.order($0) }
    keys = order.map { unsorted[Int($0)] }
    envelopes = .allocate(capacity: max(1, keys.count))
    for (index, place) in order.enumerated() {
      envelopes.initializeElement(at: index, to: grow(boxes[Int(place)]))
    }
    let grown = UnsafeBufferPointer(rebasing: envelopes[..<keys.count])
    var nodes = BoxTree.leafEnvelopes(of: grown)
    var levels: [UnsafeMutableBufferPointer<Envelope>] = []
    while !nodes.isEmpty {
      let memory = UnsafeMutableBufferPointer<Envelope>.allocate(capacity: nodes.count)
      _ = memory.initialize(from: nodes)
      levels.append(memory)
      nodes = nodes.count == 1 ? [] : nodes.withUnsafeBufferPointer { RTree.parents(of: $0) }
    }
    self.levels = levels
    tree = BoxTree(
      count: keys.count,
      levels: levels.map { JoinCandidates.segments(of: UnsafeBufferPointer($0)) },
      blocks: { [envelopes] block in
        UnsafePointer(envelopes.baseAddress.unsafelyUnwrapped + block * PointBlock.capacity)
      })
  }

  deinit {
    envelopes.deallocate()
    for level in levels { level.deallocate() }
  }

  private static func segments(
    of nodes: UnsafeBufferPointer<Envelope>
  ) -> [UnsafePointer<Envelope>] {
    stride(from: 0, to: nodes.count, by: RTree.segmentSize).compactMap { start in
      nodes.baseAddress.map { $0 + start }
    }
  }

  /// Replaces `found` by the candidates whose boxes meet a rectangle, in order.
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
