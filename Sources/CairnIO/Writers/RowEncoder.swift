package import CairnStorage

/// One output format: writes the text before, in, between and after rows.
package protocol RowEncoder {
  /// Whether the text of each row but the first depends on that row only, so that copies of the encoder
  /// can write rows on several threads.
  var areRowsIndependent: Bool { get }
  /// Writes the text before the first row. Called once.
  mutating func begin(_ sink: OutputSink) throws(OutputError)
  /// Prepares for rows of a table. Called before the first one.
  ///
  /// - Parameter index: The index of the table among those that a row is taken from.
  mutating func prepare(for table: Table, index: Int)
  /// Writes a row, which has one cell for each column.
  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) throws(OutputError)
  /// Writes the text after the last row. Called once.
  mutating func end(_ sink: OutputSink) throws(OutputError)
}

extension RowEncoder {
  package var areRowsIndependent: Bool { false }

  /// Does nothing: most formats need to know only the columns.
  package func prepare(for table: Table, index: Int) {}
}
