import CairnValues

/// The value index of one column during a bulk load: sorted pieces, which are merged into one at
/// the end.
struct BulkValueIndex {
  /// The position of the column in the load, and its column number.
  let column: Int
  let id: UInt16
  let type: ValueType
  /// Entries that are not in a piece yet.
  var entries: [ValueEntry] = []
  /// The written pieces, as runs over consecutive segments.
  var pieces: [ValueRun] = []
  var nextSegment = 0

  /// The number of entries in a piece.
  static let pieceSize = 1 << 20

  var isNumeric: Bool {
    ColumnSchema(id: 0, name: "", type: type, position: 0).isIndexedByNumber
  }

  /// Returns the finished run. The load knows its first row only when it is published.
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
          .invalidValue,
          message: "the primary key '\(load.columns[column].name)' is null in some record")
      }
      let first = block.firstRow + chunk.index * ChunkShape.rows
      try chunk.forEachRow(load.spill) { view, row in
        if let value = IndexKey(view.value(at: row, type: type)) {
          indexes[index].entries.append(ValueEntry(value: value, key: first + row))
        }
      }
    }
    if indexes[index].entries.count >= BulkValueIndex.pieceSize { try writePiece(index) }
  }

  /// Writes the last piece and merges the pieces if there are several.
  func completeIndex(_ index: Int) throws(StoreError) {
    if !indexes[index].entries.isEmpty { try writePiece(index) }
    guard indexes[index].pieces.count > 1 else { return }
    try commitOpen()
    let reading = try LMDBTransaction(reading: handle)
    let pieces = indexes[index].pieces
    indexes[index].pieces = []
    var merge = ValueRunMerge(pieces.map { ValueRunReader($0, table: table, source: reading) })
    let start = indexes[index].nextSegment
    var count = 0
    while true {
      let entries = merge.next(ValueSegment.capacity)
      guard !entries.isEmpty else { break }
      try writeSegment(entries[...], at: index)
      count += entries.count
    }
    reading.abort()
    indexes[index].pieces = [piece(index, count: count, firstSegment: start)]
    for segment in pieces.flatMap(\.segments) {
      try environment.writer.run { () throws(StoreError) in
        _ = try transaction().delete(
          .runKeys(
            table, column: indexes[index].id, run: StorageKey.loadRun(extent), segment: segment))
      }
    }
  }

  private func writePiece(_ index: Int) throws(StoreError) {
    let entries = indexes[index].entries.sorted()
    indexes[index].entries = []
    let start = indexes[index].nextSegment
    for first in stride(from: 0, to: entries.count, by: ValueSegment.capacity) {
      try writeSegment(
        entries[first..<min(entries.count, first + ValueSegment.capacity)], at: index)
    }
    indexes[index].pieces.append(piece(index, count: entries.count, firstSegment: start))
  }

  private func piece(_ index: Int, count: Int, firstSegment: Int) -> ValueRun {
    ValueRun(
      id: StorageKey.loadRun(extent), column: indexes[index].id, count: count,
      firstSegment: firstSegment, firstRow: 0)
  }

  private func writeSegment(_ entries: ArraySlice<ValueEntry>, at index: Int) throws(StoreError) {
    let key = StorageKey.runKeys(
      table, column: indexes[index].id, run: StorageKey.loadRun(extent),
      segment: indexes[index].nextSegment)
    indexes[index].nextSegment += 1
    try put(key, bytes: ValueSegment.encoded(entries, numeric: indexes[index].isNumeric))
  }
}
