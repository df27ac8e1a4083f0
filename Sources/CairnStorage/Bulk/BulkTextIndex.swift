/// The text index of one column during a bulk load.
struct BulkTextIndex {
  /// The position of the column in the load.
  let column: Int
  private var builder: TextIndexBuilder
  private var run: TextRun?

  init(column: Int, id: UInt16, table: UInt32, extent: UInt32) {
    self.column = column
    builder = TextIndexBuilder(table: table, column: id, run: StorageKey.loadRun(extent))
  }

  /// Adds the words of a block.
  mutating func append(_ block: EncodedBlock, to writer: BulkWriter) throws(StoreError) {
    guard let texts = block.texts[column] else { return }
    let first = RowAddress(block.firstRow).chunk
    try builder.append(texts, firstChunk: first) { (key, value) throws(StoreError) in
      try writer.put(key, value: value)
    }
  }

  /// Writes the last rows and merges what was written before.
  mutating func complete(_ writer: BulkWriter) throws(StoreError) {
    let put: TextIndexBuilder.Put = { (key, value) throws(StoreError) in
      try writer.put(key, value: value)
    }
    run = try builder.finish(put)
    guard builder.needsMerge else { return }
    try writer.commitOpen()
    let reading = try LMDBTransaction(reading: writer.handle)
    defer { reading.abort() }
    run = try builder.merge(reading, put: put) { (key) throws(StoreError) in
      try writer.environment.writer.run { () throws(StoreError) in
        _ = try writer.transaction().delete(key)
      }
    }
  }

  /// Returns the finished run. The load knows its first row only when it is published.
  func run(_ firstRow: Int) -> TextRun? {
    guard var run else { return nil }
    run.firstRow = firstRow
    return run
  }
}

extension EncodedBlock {
  /// Gathers the words of a column, whose chunks are encoded.
  mutating func addTexts(of column: Int, _ spill: SpillFile) throws(StoreError) {
    let draft = TextDraft()
    for chunk in chunks where chunk.column == column {
      let first = RowAddress.firstKey(ofChunk: chunk.index)
      try chunk.forEachRow(spill) { view, row in
        draft.add(first + row, text: view.isNull(row) ? nil : view.bytes(at: row))
      }
    }
    texts[column] = draft.block()
  }
}
