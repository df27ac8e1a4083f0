package import CairnStorage
internal import CairnValues

/// Reads the values of one output column, row by row, directly from the columns of a table.
package final class ColumnReader {
  private let column: OutputColumn
  private let table: Table
  /// The reader of values that need more than a chunk; nil for other columns.
  private let reader: CellReader?
  private var chunk: Chunk?
  private var chunkIndex = -1

  /// Creates a reader of a column of a table: a stored one, or one at the end of a path.
  package init(_ column: OutputColumn, of table: Table) {
    self.column = column
    self.table = table
    reader =
      switch column.source {
      case .stored(let position):
        CellReader.isNeeded(for: table.schema.columns[position]) ? CellReader() : nil
      case .path: CellReader()
      case .part, .measure, .given: nil
      }
  }

  /// Returns the value of a row; valid until the next call.
  ///
  /// - Throws: `.tooDeep` if objects or collections are nested too deeply.
  package func cell(at key: Int) throws(OutputError) -> Cell {
    switch column.source {
    case .path(let path, _): return try reader?.cell(along: path, of: table, at: key) ?? .null
    case .stored(let position):
      if let reader { return try reader.cell(position, of: table, at: key) }
      let address = RowAddress(key)
      if address.chunk != chunkIndex {
        chunk = table.column(position).chunk(address.chunk)
        chunkIndex = address.chunk
      }
      return chunk.map { Cell($0, row: address.row, type: column.type) } ?? .null
    case .part, .measure, .given: return .null
    }
  }
}

extension Cell {
  /// The value as JSON text.
  package var jsonText: String {
    let sink = OutputSink.memory()
    JSONText.append(self, to: sink)
    return String(decoding: sink.collected, as: UTF8.self)
  }
}
