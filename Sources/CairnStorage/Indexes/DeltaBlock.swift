import CairnGeometry
import CairnIndex

/// Up to 4096 entries of a delta run: longitudes, latitudes and keys, each padded to whole words.
struct DeltaBlock {
  private let base: UnsafeRawPointer
  let count: Int

  static let headerSize = 16

  /// Returns nil if the block is missing.
  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let base = bytes?.baseAddress else { return nil }
    self.base = base
    count = Int(base.load(as: UInt32.self))
  }

  private var stride: Int { ChunkShape.padded(count) * 8 }

  var points: PointBlock {
    PointBlock(
      longitudes: base + Self.headerSize, latitudes: base + Self.headerSize + stride,
      isFixed: false, count: count)
  }

  var keys: UnsafePointer<Int64> {
    (base + Self.headerSize + 2 * stride).assumingMemoryBound(to: Int64.self)
  }

  /// Encodes a block of entries.
  static func encoded(_ entries: ArraySlice<DeltaEntry>) -> [UInt8] {
    let stride = ChunkShape.padded(entries.count) * 8
    var bytes = [UInt8](
      repeating: 0, count: max(ChunkShape.minimumSize, headerSize + 3 * stride))
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: UInt32(entries.count), as: UInt32.self)
      for (row, entry) in entries.enumerated() {
        let at = headerSize + row * 8
        buffer.storeBytes(of: entry.longitude, toByteOffset: at, as: Double.self)
        buffer.storeBytes(of: entry.latitude, toByteOffset: at + stride, as: Double.self)
        buffer.storeBytes(of: Int64(entry.key), toByteOffset: at + 2 * stride, as: Int64.self)
      }
    }
    return bytes
  }
}

/// One row of a delta run.
struct DeltaEntry {
  var longitude: Double
  var latitude: Double
  var key: Int
}

/// The lowest level of an R-tree under construction, from which the upper levels are built.
struct SpatialLeaves {
  private var envelopes: [Envelope] = []

  /// Appends the leaves of the next block.
  mutating func append(_ block: PointBlock) {
    let count = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    let leaves = [Envelope](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress { RTree.leafEnvelopes(of: block, into: base) }
      initialized = count
    }
    envelopes.append(contentsOf: leaves)
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
    var nodes = Array(envelopes.prefix((count + PointBlock.leafSize - 1) / PointBlock.leafSize))
    while true {
      try store(nodes, level: level, table: table, column: column, run: run, lmdb: lmdb)
      guard nodes.count > 1 else { return }
      nodes = nodes.withUnsafeBufferPointer { RTree.parents(of: $0) }
      level += 1
    }
  }

  private func store(
    _ nodes: [Envelope], level: Int, table: UInt32, column: UInt16, run: UInt32,
    lmdb: some KeyValues
  ) throws(StoreError) {
    for segment in 0..<(nodes.count + RTree.segmentSize - 1) / RTree.segmentSize {
      let start = segment * RTree.segmentSize
      let slice = nodes[start..<min(nodes.count, start + RTree.segmentSize)]
      var bytes = slice.withUnsafeBytes(Array.init)
      if bytes.count < ChunkShape.minimumSize {
        bytes += [UInt8](repeating: 0, count: ChunkShape.minimumSize - bytes.count)
      }
      try lmdb.put(
        .runNodes(table, column: column, run: run, level: level, segment: segment), bytes: bytes)
    }
  }
}
