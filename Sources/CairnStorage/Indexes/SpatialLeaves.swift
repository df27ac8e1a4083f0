import CairnGeometry
import CairnIndex

/// The lowest level of an R-tree under construction, from which the upper levels are built.
struct SpatialLeaves {
  private var envelopes: [Envelope] = []

  /// Returns the leaves over the first rows of an encoded chunk of points or boxes.
  static func leaves(of encoded: [UInt8], first count: Int) -> [Envelope] {
    encoded.withUnsafeBytes { raw in
      guard count > 0, let base = raw.baseAddress,
        let chunk = Chunk(encoded: base, size: raw.count)
      else { return [] }
      return chunk.encoding == .points
        ? chunk.points(first: count).leafEnvelopes : chunk.boxes(first: count).leafEnvelopes
    }
  }

  /// Appends finished leaves.
  mutating func append(_ leaves: [Envelope]) { envelopes.append(contentsOf: leaves) }

  /// Writes every level in segments.
  ///
  /// - Parameter count: The number of points in the run. Leaves beyond them hold rows without a
  ///   location.
  func store(
    _ table: UInt32, column: UInt16, run: UInt32, count: Int, lmdb: some KeyValues
  ) throws(StoreError) {
    var level = 0
    var nodes = Array(envelopes.prefix((count + TreeNodes.leafSize - 1) / TreeNodes.leafSize))
    while true {
      try store(nodes, level: level, table: table, column: column, run: run, lmdb: lmdb)
      guard nodes.count > 1 else { return }
      nodes = nodes.withUnsafeBufferPointer { TreeNodes.parents(of: $0) }
      level += 1
    }
  }

  private func store(
    _ nodes: [Envelope], level: Int, table: UInt32, column: UInt16, run: UInt32,
    lmdb: some KeyValues
  ) throws(StoreError) {
    for segment in 0..<(nodes.count + TreeNodes.segmentSize - 1) / TreeNodes.segmentSize {
      let start = segment * TreeNodes.segmentSize
      let slice = nodes[start..<min(nodes.count, start + TreeNodes.segmentSize)]
      var bytes = slice.withUnsafeBytes(Array.init)
      if bytes.count < ChunkShape.minimumSize {
        bytes += [UInt8](repeating: 0, count: ChunkShape.minimumSize - bytes.count)
      }
      try lmdb.put(
        .runNodes(table, column: column, run: run, level: level, segment: segment), bytes: bytes)
    }
  }
}
