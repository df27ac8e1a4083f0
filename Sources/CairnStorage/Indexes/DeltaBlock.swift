/// Up to 4096 entries of a delta run of an R-tree, read in place: the locations or boxes, then the keys,
/// each padded to whole words.
package struct DeltaBlock<Entry: SpatialEntry> {
  /// The number of entries.
  package let count: Int
  /// The locations or boxes, valid like the block.
  private let geometry: UnsafeRawPointer
  /// The `count` keys, valid like the block.
  let keys: UnsafePointer<Int64>

  private static var headerSize: Int { 16 }
  private static var geometrySize: Int { 16 }

  /// Returns nil if the block is missing or leads outside of its bytes, which must outlive it.
  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize,
      Int(bitPattern: base) % Entry.alignment == 0
    else { return nil }
    count = Int(base.load(as: UInt32.self))
    let rows = ChunkShape.padded(count)
    guard count <= ChunkShape.rows,
      Self.headerSize + rows * (Self.geometrySize + 8) <= bytes.count
    else { return nil }
    geometry = base + Self.headerSize
    keys = (geometry + rows * Self.geometrySize).assumingMemoryBound(to: Int64.self)
  }

  /// Returns nil unless the block is one that the store writes, with at least one entry.
  init?(checking bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= ChunkShape.minimumSize else { return nil }
    self.init(bytes)
    guard count > 0 else { return nil }
  }

  /// The locations or boxes as the R-tree reads them, valid like the block.
  var rows: Entry.Block { Entry.block(stored: geometry, count: count) }

  /// Returns the key of an entry.
  func key(_ index: Int) -> Int {
    assert(index >= 0 && index < count, "the block does not have the entry")
    return Int(keys[index])
  }

  /// The entries in order.
  var entries: some Collection<Entry> {
    let rows = rows
    return (0..<count).lazy.map { Entry(rows, at: $0, key: key($0)) }
  }

  /// Encodes a block.
  static func encoded(_ entries: ArraySlice<Entry>) -> [UInt8] {
    let rows = ChunkShape.padded(entries.count)
    let size = headerSize + rows * (geometrySize + 8)
    var bytes = [UInt8](repeating: 0, count: max(ChunkShape.minimumSize, size))
    bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      base.storeBytes(of: UInt32(entries.count), as: UInt32.self)
      let keys = base + headerSize + rows * geometrySize
      for (row, entry) in entries.enumerated() {
        entry.store(into: base + headerSize, row: row, of: rows)
        keys.storeBytes(of: Int64(entry.key), toByteOffset: row * 8, as: Int64.self)
      }
    }
    return bytes
  }
}
