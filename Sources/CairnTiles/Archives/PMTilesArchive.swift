package import CairnFormats
import CairnSystem

/// Writes an archive in the format PMTiles, version 3.
///
/// The header and the root directory are at the beginning of the file, where they are written last;
/// the tiles follow, then the metadata and the other directories.
package final class PMTilesArchive: TileArchive {
  private struct Entry {
    var tile: UInt64
    var run: UInt64
    var offset: UInt64
    var length: UInt64
  }

  /// Two hashes and a length, which no two tiles have in common.
  private struct Content: Hashable {
    let first: UInt64
    let second: UInt64
    let length: Int
  }

  private let sink: OutputSink
  private let descriptor: Int32
  private var entries: [Entry] = []
  private var contents: [Content: UInt64] = [:]
  private var end: UInt64 = 0
  private var tileCount: UInt64 = 0

  /// The bytes of the header, and of the beginning of the file that programs read first.
  private static let headerSize = 127
  private static let rootEnd = 16384

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - sink: A sink for an empty file.
  ///   - descriptor: The same file, which must be seekable.
  package init(_ sink: OutputSink, descriptor: Int32) {
    self.sink = sink
    self.descriptor = descriptor
    sink.append([UInt8](repeating: 0, count: Self.rootEnd))
  }

  package func add(_ id: TileID, compressed tile: [UInt8]) throws {
    tileCount += 1
    let number = HilbertTile.number(id)
    let content = Self.content(tile)
    if let offset = contents[content] {
      let last = entries.count - 1
      if entries[last].offset == offset, entries[last].tile + entries[last].run == number {
        entries[last].run += 1
        return
      }
      entries.append(Entry(tile: number, run: 1, offset: offset, length: UInt64(tile.count)))
      return
    }
    contents[content] = end
    entries.append(Entry(tile: number, run: 1, offset: end, length: UInt64(tile.count)))
    end += UInt64(tile.count)
    sink.append(tile)
    try write { () throws(OutputError) in try sink.flushWhenFull() }
  }

  private static func content(_ tile: [UInt8]) -> Content {
    var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
    for byte in tile {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
      second = (second &+ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
      second ^= second >> 32
    }
    return Content(first: first, second: second, length: tile.count)
  }

  package func finish(_ description: TileSetDescription) throws {
    let metadata = try compressed(Array(Self.metadata(description).utf8))
    let (root, leaves) = try directories()
    sink.append(metadata)
    sink.append(leaves)
    try write { () throws(OutputError) in try sink.flush() }
    let header = ByteBuffer(capacity: 256)
    "PMTiles".utf8.forEach { header.append(fixed: $0) }
    header.append(fixed: 3 as UInt8)
    let tiles = UInt64(Self.rootEnd)
    for (offset, length) in [
      (UInt64(Self.headerSize), UInt64(root.count)), (tiles + end, UInt64(metadata.count)),
      (tiles + end + UInt64(metadata.count), UInt64(leaves.count)), (tiles, end),
      (tileCount, UInt64(entries.count)),
    ] {
      header.append(fixed: offset)
      header.append(fixed: length)
    }
    header.append(fixed: UInt64(contents.count))
    // Clustered; directories and tiles in the gzip format; vector tiles.
    let (low, high) = (description.zooms.lowerBound, description.zooms.upperBound)
    for byte in [1, 2, 2, 1, low, high] { header.append(fixed: UInt8(byte)) }
    let (bounds, center) = (description.bounds, description.center)
    for degrees in [bounds.west, bounds.south, bounds.east, bounds.north] {
      header.append(fixed: Self.fixed(degrees))
    }
    header.append(fixed: UInt8(low))
    header.append(fixed: Self.fixed(center.longitude))
    header.append(fixed: Self.fixed(center.latitude))
    root.withUnsafeBytes { header.append($0) }
    try overwrite(header.contents)
  }

  private static func fixed(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

  private static func metadata(_ description: TileSetDescription) -> String {
    "{\"name\":\(Cell.string(description.layerName).jsonText),\"type\":\"overlay\","
      + "\"generator\":\"cairn\",\"vector_layers\":\(description.vectorLayers)}"
  }

  // MARK: Directories

  /// The root directory, and the leaf directories if the root alone would be too large.
  private func directories() throws -> (root: [UInt8], leaves: [UInt8]) {
    let whole = try directory(entries[...])
    if Self.headerSize + whole.count <= Self.rootEnd { return (whole, []) }
    var size = 4096
    while true {
      var leaves: [UInt8] = []
      var root: [Entry] = []
      for start in stride(from: 0, to: entries.count, by: size) {
        let part = entries[start..<min(start + size, entries.count)]
        let leaf = try directory(part)
        root.append(
          Entry(
            tile: entries[start].tile, run: 0, offset: UInt64(leaves.count),
            length: UInt64(leaf.count)))
        leaves += leaf
      }
      let packed = try directory(root[...])
      if Self.headerSize + packed.count <= Self.rootEnd { return (packed, leaves) }
      size *= 2
    }
  }

  /// A directory: the columns of its entries one after the other, compressed.
  private func directory(_ entries: ArraySlice<Entry>) throws -> [UInt8] {
    let bytes = ByteBuffer(capacity: entries.count * 8 + 16)
    bytes.append(varint: UInt64(entries.count))
    var before: UInt64 = 0
    for entry in entries {
      bytes.append(varint: entry.tile - before)
      before = entry.tile
    }
    for entry in entries { bytes.append(varint: entry.run) }
    for entry in entries { bytes.append(varint: entry.length) }
    var next: UInt64?
    for entry in entries {
      bytes.append(varint: entry.offset == next ? 0 : entry.offset + 1)
      next = entry.offset + entry.length
    }
    return try compressed(Array(bytes.contents))
  }

  // MARK: Writing

  private func compressed(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    try write { () throws(OutputError) in
      result = try GzipCompressor().compress(bytes, isLast: true)
    }
    return result
  }

  private func write(_ body: () throws(OutputError) -> Void) throws(TileError) {
    do throws(OutputError) { try body() } catch {
      throw TileError(.io, message: ExportError(error).message)
    }
  }

  /// Writes bytes at the beginning of the file.
  private func overwrite(_ bytes: UnsafeRawBufferPointer) throws(TileError) {
    var done = 0
    while done < bytes.count {
      let written = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        throw TileError(.io, message: "the file is not seekable: \(errorText(errno))")
      }
      done += written
    }
  }
}
