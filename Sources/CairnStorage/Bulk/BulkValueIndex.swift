import CairnValues

/// The value index of one column while a bulk load builds it: sorted pieces, merged into one at the end.
struct BulkValueIndex {
  /// The position of the column, and its number.
  let column: Int
  let id: UInt16
  let type: ValueType
  /// Entries that are in no piece yet.
  var entries: [ValueEntry] = []
  /// Pieces written, as runs over consecutive segments.
  var pieces: [ValueRun] = []
  var nextSegment = 0

  /// Entries of a piece.
  static let pieceSize = 1 << 20

  var isNumeric: Bool {
    ColumnSchema(id: 0, name: "", type: type, position: 0).isIndexedByNumber
  }

  /// The finished run, once the load knows where its rows begin.
  func run(_ firstRow: Int) -> ValueRun? {
    guard var run = pieces.first else { return nil }
    run.firstRow = firstRow
    return run
  }
}

extension BulkWriter {
  /// Adds the rows of a block to an index.
  func append(_ block: EncodedBlock, toIndex index: Int) throws(StoreError) {
    let column = indexes[index].column
    let type = indexes[index].type
    for chunk in block.chunks where chunk.column == column {
      if column == load.primaryKey, chunk.zone.nullCount > 0 {
        throw StoreError(
          .invalidValue, "the primary key '\(load.columns[column].name)' is null in some record")
      }
      let first = block.firstRow + chunk.index * ChunkShape.rows
      chunk.bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, let view = Chunk(encoded: base, size: bytes.count)
        else { return }
        for row in 0..<view.count {
          if let value = IndexKey(view.value(at: row, type: type)) {
            indexes[index].entries.append(ValueEntry(value: value, key: first + row))
          }
        }
      }
    }
    if indexes[index].entries.count >= BulkValueIndex.pieceSize { try writePiece(index) }
  }

  /// Writes the last piece, and merges the pieces if there are several.
  func completeIndex(_ index: Int) throws(StoreError) {
    if !indexes[index].entries.isEmpty { try writePiece(index) }
    guard indexes[index].pieces.count > 1 else { return }
    try commitOpen()
    let reading = try LMDBTransaction(reading: handle)
    let pieces = indexes[index].pieces
    indexes[index].pieces = []
    var merge = ValueRunMerge(pieces.map { ValueRunReader($0, table: table, reading) })
    let start = indexes[index].nextSegment
    var count = 0
    while true {
      let entries = merge.next(ValueSegment.capacity)
      guard !entries.isEmpty else { break }
      try writeSegment(entries[...], index)
      count += entries.count
    }
    reading.abort()
    indexes[index].pieces = [piece(index, count, start)]
    for segment in pieces.flatMap(\.segments) {
      try environment.writer.run { () throws(StoreError) in
        _ = try transaction().delete(
          .runKeys(table, indexes[index].id, Self.runID(extent), segment: segment))
      }
    }
  }

  private func writePiece(_ index: Int) throws(StoreError) {
    let entries = indexes[index].entries.sorted()
    indexes[index].entries = []
    let start = indexes[index].nextSegment
    for first in stride(from: 0, to: entries.count, by: ValueSegment.capacity) {
      try writeSegment(
        entries[first..<min(entries.count, first + ValueSegment.capacity)], index)
    }
    indexes[index].pieces.append(piece(index, entries.count, start))
  }

  private func piece(_ index: Int, _ count: Int, _ firstSegment: Int) -> ValueRun {
    ValueRun(
      id: Self.runID(extent), column: indexes[index].id, count: count,
      firstSegment: firstSegment, firstRow: 0)
  }

  private func writeSegment(_ entries: ArraySlice<ValueEntry>, _ index: Int) throws(StoreError) {
    let key = StorageKey.runKeys(
      table, indexes[index].id, Self.runID(extent),
      segment: indexes[index].nextSegment)
    indexes[index].nextSegment += 1
    try put(key, ValueSegment.encoded(entries, numeric: indexes[index].isNumeric))
  }
}

/// Merges runs of a value index, a batch at a time.
struct ValueRunMerge {
  private let readers: [ValueRunReader]
  private var positions: [Int]
  private var heads: [ValueEntry?]

  init(_ readers: [ValueRunReader]) {
    self.readers = readers
    positions = Array(repeating: 0, count: readers.count)
    heads = readers.map { $0.run.count > 0 ? $0.entry(0) : nil }
  }

  /// The next entries in order, at most `count`; none at the end.
  mutating func next(_ count: Int) -> [ValueEntry] {
    var batch: [ValueEntry] = []
    while batch.count < count, let (index, entry) = smallest() {
      batch.append(entry)
      positions[index] += 1
      heads[index] =
        positions[index] < readers[index].run.count ? readers[index].entry(positions[index]) : nil
    }
    return batch
  }

  private func smallest() -> (Int, ValueEntry)? {
    var best: (Int, ValueEntry)?
    for (index, head) in heads.enumerated() {
      guard let head else { continue }
      if let known = best, known.1 < head { continue }
      best = (index, head)
    }
    return best
  }
}
