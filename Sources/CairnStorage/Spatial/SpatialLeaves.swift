import CairnGeometry
import CairnIndex

/// The lowest level of an R-tree while it is built, from which the levels above follow.
struct SpatialLeaves {
  private var envelopes: [Envelope] = []

  /// Adds the leaves of the next block.
  mutating func append(_ block: PointBlock) {
    let count = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    let leaves = [Envelope](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress { RTree.leafEnvelopes(of: block, into: base) }
      initialized = count
    }
    envelopes.append(contentsOf: leaves)
  }

  /// Adds leaves that were made elsewhere.
  mutating func append(_ leaves: [Envelope]) { envelopes.append(contentsOf: leaves) }

  /// Writes every level, in segments.
  ///
  /// - Parameter count: points in the run; leaves beyond them hold rows without a location.
  func store(
    _ table: UInt32, _ column: UInt16, _ run: UInt32, count: Int, _ lmdb: some KeyValues
  ) throws(StoreError) {
    var level = 0
    var nodes = Array(envelopes.prefix((count + PointBlock.leafSize - 1) / PointBlock.leafSize))
    while true {
      try store(nodes, level, table, column, run, lmdb)
      guard nodes.count > 1 else { return }
      nodes = nodes.withUnsafeBufferPointer { RTree.parents(of: $0) }
      level += 1
    }
  }

  private func store(
    _ nodes: [Envelope], _ level: Int, _ table: UInt32, _ column: UInt16, _ run: UInt32,
    _ lmdb: some KeyValues
  ) throws(StoreError) {
    for segment in 0..<(nodes.count + RTree.segmentSize - 1) / RTree.segmentSize {
      let start = segment * RTree.segmentSize
      let slice = nodes[start..<min(nodes.count, start + RTree.segmentSize)]
      var bytes = slice.withUnsafeBytes(Array.init)
      if bytes.count < ChunkShape.minimumSize {
        bytes += [UInt8](repeating: 0, count: ChunkShape.minimumSize - bytes.count)
      }
      try lmdb.put(.runNodes(table, column, run, level: level, segment: segment), bytes)
    }
  }
}
