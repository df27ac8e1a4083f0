/// The state of a class apart from its schema and chunks. Every commit that changes the class
/// rewrites it.
struct TableState: Equatable, Sendable {
  /// One past the highest key ever assigned.
  var endKey = 0
  /// The number of live rows.
  var liveCount = 0
  /// The storage of the chunks, in rising order of first chunk. The first extent begins at chunk
  /// 0.
  var extents = [Extent(firstChunk: 0, id: 0)]
  /// The R-tree runs of every location, by column.
  var spatialRuns: [SpatialRun] = []
  /// The runs of every value index, by column.
  var valueRuns: [ValueRun] = []
  /// The runs of every full-text index, the earliest first.
  var textRuns: [TextRun] = []
  /// Whether a delta run may hold an outdated entry.
  var deltaIsStale = false
  /// The number of the next run.
  var nextRun: UInt32 = 1
  /// Rows from here on are not in a run yet.
  var indexedEnd = 0
  /// Older rows that changed since runs were last written.
  var unindexed: [UnindexedRow] = []

  /// A range of chunks: those from `firstChunk` on are stored under the number `id`, counted from
  /// zero.
  struct Extent: Equatable, Sendable {
    var firstChunk: Int
    var id: UInt32
  }

  /// An unindexed row: a run holds an outdated entry for it, so an index lookup checks the row
  /// itself.
  struct UnindexedRow: Hashable, Sendable {
    var key: Int
    /// The location column that was set or deleted; `anyValue` for all value indexes.
    var column: UInt16

    static let anyValue = UInt16.max
  }

  /// The rows that no run holds yet.
  var unindexedRows: Range<Int> { min(indexedEnd, endKey)..<endKey }

  /// Returns the older unindexed rows of a location column or of the value indexes.
  func unindexedKeys(_ column: UInt16) -> [Int] {
    unindexed.isEmpty ? [] : unindexed.filter { $0.column == column }.map(\.key)
  }

  /// The numbers of all runs.
  var runIDs: [UInt32] { spatialRuns.map(\.id) + valueRuns.map(\.id) + textRuns.map(\.id) }

  /// The number of chunks that hold a row.
  var chunkCount: Int { ChunkShape.chunkCount(ofRows: endKey) }

  /// Returns the extent of a chunk and its number within the extent.
  func storage(ofChunk index: Int) -> (extent: UInt32, number: Int) {
    var last = extents.count - 1
    while last > 0, extents[last].firstChunk > index { last -= 1 }
    return (extents[last].id, index - extents[last].firstChunk)
  }
}

extension TableState {
  /// Encodes the state as the store keeps it.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Int64(endKey))
    writer.write(Int64(liveCount))
    writer.write(nextRun)
    writer.write(deltaIsStale)
    writer.write(UInt32(extents.count))
    for extent in extents {
      writer.write(Int64(extent.firstChunk))
      writer.write(extent.id)
    }
    writer.write(UInt32(spatialRuns.count))
    for run in spatialRuns { run.encode(into: &writer) }
    writer.write(UInt32(valueRuns.count))
    for run in valueRuns { run.encode(into: &writer) }
    writer.write(short: endKey - unindexedRows.lowerBound)
    writer.write(short: unindexed.count)
    for row in unindexed {
      writer.write(short: row.key)
      writer.write(row.column)
    }
    // A state without text runs has the bytes of format 1.
    if !textRuns.isEmpty {
      writer.write(short: textRuns.count)
      for run in textRuns { run.encode(into: &writer) }
    }
    // A state whose runs have no positions has the bytes of format 3.
    if textRuns.contains(where: \.hasPositions) {
      for run in textRuns { writer.write(run.hasPositions) }
    }
    return writer.bytes
  }

  init(decoding bytes: UnsafeRawBufferPointer, table: String) throws(StoreError) {
    var reader = ByteReader(bytes, what: "the state of class '\(table)'")
    endKey = try reader.readCount()
    liveCount = try reader.readCount()
    nextRun = try reader.read()
    deltaIsStale = try reader.readBool()
    extents = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      extents.append(Extent(firstChunk: try reader.readCount(), id: try reader.read()))
    }
    for _ in 0..<(try reader.read(UInt32.self)) {
      spatialRuns.append(try SpatialRun(decoding: &reader))
    }
    for _ in 0..<(try reader.read(UInt32.self)) {
      valueRuns.append(try ValueRun(decoding: &reader))
    }
    indexedEnd = endKey - (try reader.readShort())
    for _ in 0..<(try reader.readShort()) {
      unindexed.append(UnindexedRow(key: try reader.readShort(), column: try reader.read()))
    }
    if !reader.isAtEnd {
      for _ in 0..<(try reader.readShort()) {
        textRuns.append(try TextRun(decoding: &reader))
      }
    }
    if !reader.isAtEnd {
      for index in textRuns.indices { textRuns[index].hasPositions = try reader.readBool() }
      guard textRuns.contains(where: \.hasPositions) else { throw reader.nonsense() }
    }
    guard indexedEnd >= 0, unindexed.allSatisfy({ $0.key < indexedEnd }),
      liveCount <= endKey, extents.first?.firstChunk == 0
    else { throw reader.nonsense() }
  }
}

extension ValueRun {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(column)
    writer.write(Int64(count))
    writer.write(Int64(firstSegment))
    writer.write(Int64(firstRow))
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    id = try reader.read()
    column = try reader.read()
    count = try reader.readCount()
    firstSegment = try reader.readCount()
    firstRow = try reader.readCount()
  }
}

extension TextRun {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(column)
    writer.write(short: rowCount)
    writer.write(short: firstSegment)
    writer.write(short: segmentCount)
    writer.write(short: firstRow)
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    id = try reader.read()
    column = try reader.read()
    rowCount = try reader.readShort()
    firstSegment = try reader.readShort()
    segmentCount = try reader.readShort()
    firstRow = try reader.readShort()
    hasPositions = false
  }
}

extension SpatialRun {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.write(id)
    writer.write(column)
    writer.write(Int64(firstRow))
    writer.write(Int64(count))
    writer.write(UInt32(deletedCounts.count))
    for entry in deletedCounts {
      writer.write(Int64(entry.chunk))
      writer.write(Int64(entry.count))
    }
  }

  fileprivate init(decoding reader: inout ByteReader) throws(StoreError) {
    id = try reader.read()
    column = try reader.read()
    firstRow = try reader.readInt()
    guard -1...1 << 48 ~= firstRow else { throw reader.nonsense() }
    count = try reader.readCount()
    for _ in 0..<(try reader.read(UInt32.self)) {
      deletedCounts.append(
        DeletedCount(chunk: try reader.readCount(), count: try reader.readCount()))
    }
  }
}
