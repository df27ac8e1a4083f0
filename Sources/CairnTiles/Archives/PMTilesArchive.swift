package import CairnIO
import CairnSystem

/// Writes an archive in the format PMTiles, version 3.
///
/// The header and the root directory are at the beginning of the file, where they are written last;
/// the tiles follow level by level, then the metadata and the other directories. Until the end, the
/// tiles are in a temporary file (`TileSpool`).
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

  private struct Level {
    /// The offsets are within the level.
    var entries: [Entry] = []
    /// The contents, by their hash values.
    var contents: [TileDigest: Content] = [:]
  }

  private let sink: OutputSink
  private let descriptor: Int32
  private let spool: TileSpool
  private var levels = Array(repeating: Level(), count: TileID.maxZoom + 1)
  private var tileCount: UInt64 = 0

  /// The bytes of the header, and of the beginning of the file that programs read first.
  private static let headerSize = 127
  private static let rootEnd = 16384

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - sink: A sink for an empty file.
  ///   - descriptor: The same file, which must be seekable.
  ///   - path: The path of the file, beside which there may be a temporary one.
  package init(_ sink: OutputSink, descriptor: Int32, path: String) {
    self.sink = sink
    self.descriptor = descriptor
    spool = TileSpool(beside: path)
    sink.append([UInt8](repeating: 0, count: Self.rootEnd))
  }

  package func add(_ tile: PackedTile) throws {
    for zoom in tile.zooms {
      let content = try content(tile, zoom: zoom)
      let numbers = HilbertTile.numbers(tile.id, zoom: zoom)
      tileCount += UInt64(numbers.count)
      add(numbers, content, to: &levels[zoom].entries)
    }
  }

  private func add(_ numbers: Range<UInt64>, _ content: Content, to entries: inout [Entry]) {
    for run in Self.runs(of: numbers) {
      let count = UInt64(run.count)
      if let last = entries.last, last.offset == content.offset,
        last.tile + last.run == run.lowerBound, last.run + count <= Self.longestRun
      {
        entries[entries.count - 1].run += count
      } else {
        entries.append(
          Entry(tile: run.lowerBound, run: count, offset: content.offset, length: content.length))
      }
    }
  }

  /// The most tiles of an entry, whose number the format limits to 32 bits.
  private static let longestRun = UInt64(UInt32.max)

  /// The numbers of tiles in parts that an entry can hold.
  static func runs(of numbers: Range<UInt64>) -> [Range<UInt64>] {
    stride(from: numbers.lowerBound, to: numbers.upperBound, by: Int(longestRun)).map {
      $0..<min(numbers.upperBound, $0 + longestRun)
    }
  }

  /// The same bytes in the level, which are added unless an earlier tile has them.
  private func content(_ tile: PackedTile, zoom: Int) throws(TileError) -> Content {
    if let earlier = levels[zoom].contents[tile.digest] { return earlier }
    let offset = try spool.append(tile.bytes, zoom: zoom)
    let content = Content(offset: UInt64(offset), length: UInt64(tile.bytes.count))
    levels[zoom].contents[tile.digest] = content
    return content
  }

  package func finish(_ description: TileSetDescription) throws {
    let contentCount = levels.reduce(0) { $0 + $1.contents.count }
    let (entries, end) = try writeTiles()
    let metadata = try compressed(Array(Self.metadata(description).utf8))
    let (root, leaves) = try directories(entries)
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
    header.append(fixed: UInt64(contentCount))
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

  /// Writes the tiles, level by level, and returns all entries and the number of bytes.
  private func writeTiles() throws(TileError) -> (entries: [Entry], end: UInt64) {
    var entries: [Entry] = []
    var end: UInt64 = 0
    for zoom in levels.indices {
      for var entry in levels[zoom].entries {
        entry.offset += end
        entries.append(entry)
      }
      levels[zoom] = Level()
      end += UInt64(spool.size(ofZoom: zoom))
      try spool.forEachBlock(ofZoom: zoom) { block throws(TileError) in
        sink.append(block)
        try write { () throws(OutputError) in try sink.flushWhenFull() }
      }
    }
    return (entries, end)
  }

  private static func fixed(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

  private static func metadata(_ description: TileSetDescription) -> String {
    "{\"name\":\(Cell.string(description.layerName).jsonText),\"type\":\"overlay\","
      + "\"generator\":\"cairn\",\"vector_layers\":\(description.vectorLayers)}"
  }

  // MARK: Directories

  /// The root directory, and the leaf directories if the root alone would be too large.
  private func directories(_ entries: [Entry]) throws -> (root: [UInt8], leaves: [UInt8]) {
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
      result = try GzipPacker().pack(bytes)
    }
    return result
  }

  private func write(_ body: () throws(OutputError) -> Void) throws(TileError) {
    do throws(OutputError) { try body() } catch {
      throw TileError(.io, message: error.message)
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
