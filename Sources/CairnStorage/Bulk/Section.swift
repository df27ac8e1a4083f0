/// A part of what a bulk load brings, as columns: some hundred thousand rows, filled by one thread.
package final class Section: @unchecked Sendable {
  // Sendable: handed from the thread that fills it to the load, never used by two at once.
  package let columns: [ColumnBuilder]

  /// An empty section with one builder for each column.
  package init(columns: [BulkColumn]) {
    self.columns = columns.map(ColumnBuilder.init)
  }

  /// Rows in every column.
  package var rowCount: Int { columns.first?.count ?? 0 }

  /// Bytes in use.
  package var byteCount: Int { columns.reduce(0) { $0 + $1.byteCount } }

  /// Forgets every row, keeping the memory.
  package func removeAll() {
    for column in columns { column.removeAll() }
  }
}
