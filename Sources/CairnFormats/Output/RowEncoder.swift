/// One output format: writes what stands before, in, between and after rows.
protocol RowEncoder {
  /// Called once, before any row.
  mutating func begin(_ sink: OutputSink) throws(OutputError)
  /// One row; a cell for every column.
  mutating func encode(_ row: UnsafeBufferPointer<Cell>, _ sink: OutputSink) throws(OutputError)
  /// Called once, after the last row.
  mutating func end(_ sink: OutputSink) throws(OutputError)
}
