import CairnGeometry
import CairnIndex
import CairnValues

/// Up to 4096 entries of a delta run over points: longitudes, latitudes and keys, each padded to
/// whole words.
struct DeltaBlock: SpatialBlock {
  private let base: UnsafeRawPointer
  let count: Int

  static let headerSize = 16

  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize,
      Int(bitPattern: base) & 7 == 0
    else { return nil }
    self.base = base
    count = Int(base.load(as: UInt32.self))
    guard count <= ChunkShape.rows,
      Self.headerSize + 3 * ChunkShape.padded(count) * 8 <= bytes.count
    else { return nil }
  }

  private var stride: Int { ChunkShape.padded(count) * 8 }

  /// The locations, valid like the bytes of the block.
  var points: PointBlock {
    PointBlock(
      longitudes: base + Self.headerSize, latitudes: base + Self.headerSize + stride,
      isFixed: false, count: count)
  }

  /// Returns the key of an entry.
  func key(_ index: Int) -> Int {
    assert(index >= 0 && index < count, "the block does not have the entry")
    return Int(
      base.load(fromByteOffset: Self.headerSize + 2 * stride + index * 8, as: Int64.self))
  }

  var leaves: [Envelope] { SpatialLeaves.leaves(of: points) }

  func entry(_ index: Int) -> DeltaEntry {
    let point = points.point(at: index)
    return DeltaEntry(
      longitude: point.longitude, latitude: point.latitude, key: key(index))
  }

  func fault(at index: Int) -> String? {
    let point = points.point(at: index)
    return abs(point.longitude) <= 180 && abs(point.latitude) <= 90
      ? nil : "has a location that is not on the earth"
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

/// One row of a delta run over points.
struct DeltaEntry: SpatialEntry {
  typealias Block = DeltaBlock

  var longitude: Double
  var latitude: Double
  var key: Int

  init(longitude: Double, latitude: Double, key: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.key = key
  }

  init(_ chunk: Chunk, row: Int, key: Int) {
    let here = chunk.position(at: row)
    self.init(longitude: here.longitude, latitude: here.latitude, key: key)
  }

  var hilbertKey: UInt64 { Hilbert.key(longitude: longitude, latitude: latitude) }

  func matches(_ chunk: Chunk, row: Int) -> Bool {
    let here = chunk.position(at: row)
    return here.longitude == longitude && here.latitude == latitude
  }
}

/// The lowest level of an R-tree under construction, from which the upper levels are built.
struct SpatialLeaves {
  private var envelopes: [Envelope] = []

  /// Returns the leaves over the points of a block.
  static func leaves(of block: PointBlock) -> [Envelope] {
    let count = (block.count + PointBlock.leafSize - 1) / PointBlock.leafSize
    return [Envelope](unsafeUninitializedCapacity: count) { buffer, initialized in
      RTree.leafEnvelopes(of: block, into: buffer)
      initialized = count
    }
  }

  /// Returns the leaves over the first rows of an encoded chunk of points or boxes.
  static func leaves(of encoded: [UInt8], first count: Int) -> [Envelope] {
    encoded.withUnsafeBytes { raw in
      guard count > 0, let base = raw.baseAddress,
        let chunk = Chunk(encoded: base, size: raw.count)
      else { return [] }
      return chunk.encoding == .points
        ? leaves(of: chunk.points(first: count))
        : BoxTree.leafEnvelopes(of: chunk.boxes(first: count))
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
