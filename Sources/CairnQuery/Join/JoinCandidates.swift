import CairnGeometry
import CairnIndex
import CairnStorage

/// The rows of one side of a join, found by their boxes: an R-tree in memory over the rows that take
/// part, with their geometries. Read-only once it is made, so that the threads of a join share it.
final class JoinCandidates {
  let side: JoinSide
  /// The keys, along the Hilbert curve of the boxes' centres.
  let keys: [Int]
  /// The boxes, grown by the radius of the join. Valid while the candidates exist.
  let envelopes: UnsafeMutableBufferPointer<Envelope>
  let tree: RTree<BoxBlock>
  private let memory: EnvelopeTree

  /// - Parameter grow: Returns the rectangle that partners of a geometry in a box must meet.
  init(_ side: JoinSide, grow: (Envelope) -> Envelope) {
    self.side = side
    let unsorted = side.rows.keys
    let boxes = unsorted.map { side.envelope(of: $0) }
    let order = boxes.map { Hilbert.key(of: $0) }.withUnsafeBufferPointer { RadixSort.order($0) }
    keys = order.map { unsorted[Int($0)] }
    memory = EnvelopeTree(order.count) { grow(boxes[Int(order[$0])]) }
    (envelopes, tree) = (memory.envelopes, memory.tree)
  }

  /// Replaces `found` by the candidates whose boxes meet a rectangle, in order.
  func find(_ envelope: Envelope, into found: inout [Int32]) {
    memory.find(envelope, into: &found)
  }
}
