import CairnIndex

/// Up to 4096 entries of a loose run: longitudes, latitudes, keys, each padded to whole words.
struct LooseBlock {
  private let base: UnsafeRawPointer
  let count: Int

  static let headerSize = 16

  /// Nil when the block is missing.
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

  /// The bytes of a block of these entries.
  static func encoded(_ entries: ArraySlice<LooseEntry>) -> [UInt8] {
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

/// One row of a loose run.
struct LooseEntry {
  var longitude: Double
  var latitude: Double
  var key: Int
}
