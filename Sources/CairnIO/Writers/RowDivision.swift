internal import CairnStorage
import CairnSystem

/// Encodes batches of rows of one table on all processors, for one output in their order.
final class RowDivision {
  /// The table of the rows.
  let table: Table
  private let pipeline: OrderedPipeline<ArraySlice<Int>, OutputSink, OutputError>
  /// The number of rows of the batches, fewer if rows are large, so that memory stays bounded.
  private let rowsPerBatch: Int

  /// The bytes that a batch should have.
  private static let batchBytes = 1 << 18

  /// Starts threads.
  ///
  /// - Parameters:
  ///   - assembler: Knows the forms of dates.
  ///   - encoder: Has encoded a row of the table.
  ///   - rowBytes: The bytes of a row, about.
  /// - Returns: Nil if only one thread may read the rows.
  init?(
    of table: Table, by assembler: RowAssembler, encoder: any RowEncoder, rowBytes: Int,
    threads: Int
  ) {
    rowsPerBatch = min(max(16, Self.batchBytes / max(1, rowBytes)), RowWriter.batchSize)
    guard assembler.canBeShared(for: table) else { return nil }
    let tables = (0..<threads).compactMap { _ in table.shared() }
    guard !tables.isEmpty else { return nil }
    self.table = table
    pipeline = OrderedPipeline(
      ahead: 4 * tables.count,
      makers: tables.map { Self.maker(of: $0, by: assembler.copy(), encoder) })
  }

  deinit { pipeline.stop() }

  private typealias Maker = (ArraySlice<Int>) throws(OutputError) -> OutputSink

  /// Returns the function with which one thread encodes batches of rows.
  private static func maker(
    of shared: SharedTable, by assembler: RowAssembler, _ encoder: any RowEncoder
  ) -> Maker {
    var encoder = encoder
    func encode(_ keys: ArraySlice<Int>) throws(OutputError) -> OutputSink {
      let sink = OutputSink.memory()
      for key in keys {
        _ = try assembler.take(TableRow(key, of: shared.table), index: 0)
        try assembler.write(to: &encoder, sink: sink)
      }
      return sink
    }
    return encode
  }

  /// Adds rows. If too many wait, the first ones are written.
  func add(_ keys: [Int], to sink: OutputSink) throws(OutputError) {
    for start in stride(from: 0, to: keys.count, by: rowsPerBatch) {
      let batch = keys[start..<min(keys.count, start + rowsPerBatch)]
      try pipeline.add(batch) { (rows) throws(OutputError) in try sink.append(contentsOf: rows) }
    }
  }

  /// Writes the rows that wait.
  func drain(to sink: OutputSink) throws(OutputError) {
    try pipeline.drain { (rows) throws(OutputError) in try sink.append(contentsOf: rows) }
  }
}
