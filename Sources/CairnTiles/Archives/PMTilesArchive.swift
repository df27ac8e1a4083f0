package import CairnIO
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

  /// Where the bytes of a tile begin, and how many they are.
  private struct Content {
    let offset: UInt64
    let length: UInt64
  }

  private let sink: OutputSink
  private let descriptor: Int32
  private var entries: [Entry] = []
  /// The contents that were written, by their hash values.
  private var contents: [Int: Content] = [:]
  private var contentCount: UInt64 = 0
  private var end: UInt64 = 0
  private var tileCount: UInt64 = 0

  /// The bytes of the header, and of the beginning of the file that programs read first.
  private static let headerSize = 127
  private static let rootEnd = 16384

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - sink: A sink for an empty file.
  ///   - descriptor: The same file, which must be seekable, and readable.
  package init(_ sink: OutputSink, descriptor: Int32) {
    self.sink = sink
    self.descriptor = descriptor
    sink.append([UInt8](repeating: 0, count: Self.rootEnd))
  }

  package func add(_ id: TileID, compressed tile: [UInt8]) throws {
    tileCount += 1
    let number = HilbertTile.number(id)
    let content = try content(tile)
    if let last = entries.indices.last, entries[last].offset == content.offset,
      entries[last].tile + entries[last].run == number
    {
      entries[last].run += 1
    } else {
      entries.append(
        Entry(tile: number, run: 1, offset: content.offset, length: content.length))
    }
  }

  /// The same bytes in the file, which are written unless an earlier tile has them.
  private func content(_ tile: [UInt8]) throws -> Content {
    var hasher = Hasher()
    tile.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    if let earlier = contents[hash], try isWritten(tile, at: earlier) { return earlier }
    let content = Content(offset: end, length: UInt64(tile.count))
    contents[hash] = content
    contentCount += 1
    end += content.length
    sink.append(tile)
    try write { () throws(OutputError) in try sink.flushWhenFull() }
    return content
  }

  private func isWritten(_ tile: [UInt8], at content: Content) throws -> Bool {
    guard content.length == tile.count else { return false }
    try write { () throws(OutputError) in try sink.flush() }
    return try read(tile.count, at: Self.rootEnd + Int(content.offset)) == tile
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
    header.append(fixed: contentCount)
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
      throw TileError(.io, message: error.message)
    }
  }

  private func read(_ count: Int, at offset: Int) throws(TileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else {
        throw TileError(.io, message: "the file cannot be read again: \(errorText(errno))")
      }
      done += read
    }
    return bytes
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
