import CairnValues

extension TableWriter {
  /// Where the keys end that the transaction gave to rows of its own; nil when it gave none.
  var spentKeys: Int? {
    published == nil && !overlay.newKeys.isEmpty ? overlay.newKeys.upperBound : nil
  }

  /// Gives keys to rows that are dead from the beginning, up to `end`, in a writer that has changed nothing yet.
  func spendKeys(upTo end: Int) {
    let start = overlay.endKey
    guard start < end else { return }
    if start & (ChunkShape.rows - 1) != 0 {
      _ = editLiveness(of: start - 1)
      let tail = start >> ChunkShape.shift
      let rows = min(ChunkShape.rows, end - tail << ChunkShape.shift)
      for column in schema.columns { edit(column.position, tail).blank(upTo: rows, column) }
    }
    // Chunks that begin here need no rows: one that was never written reads as blanks.
    let fresh = (start + ChunkShape.rows - 1) >> ChunkShape.shift
    for chunk in fresh..<max(fresh, (end + ChunkShape.rows - 1) >> ChunkShape.shift) {
      overlay.liveness[chunk] = BitmapWords(copying: nil)
    }
    overlay.endKey = end
  }
}

extension ChunkBuffer {
  /// Adds rows that hold nothing.
  func blank(upTo rows: Int, _ column: ColumnSchema) {
    for row in count..<max(count, rows) where column.isNullable { setNull(true, at: row) }
    count = max(count, rows)
  }
}
