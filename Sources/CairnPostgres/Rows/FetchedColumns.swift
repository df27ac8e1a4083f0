import CairnQuery
import CairnStorage
import CairnValues

/// The columns of a batch that is complete.
final class FetchedColumns: ValueColumns, Sendable {
  let names: [String]
  // It no longer changes.
  private let batch: ColumnBatch
  /// The index of the fetched column for each property of the table.
  private let indexes: [Int?]

  init(_ batch: ColumnBatch, names: [String], schema: TableSchema) {
    self.batch = batch
    self.names = names
    indexes = schema.properties.map { names.firstIndex(of: $0.name) }
  }

  var rowCount: Int { batch.rowCount }

  /// The value of a fetched column.
  func fetched(_ column: Int, row: Int) -> Value { batch.columns[column].value(at: row) }

  /// The value of a property of the table; null if it was not fetched.
  func value(_ column: Int, row: Int) -> Value {
    indexes[column].map { fetched($0, row: row) } ?? .null
  }

  /// The text of a property of the table. Valid as long as the batch.
  func text(_ column: Int, row: Int) -> UnsafeRawBufferPointer? {
    guard let index = indexes[column], !batch.columns[index].isNull(row) else { return nil }
    return batch.columns[index].bytes(at: row)
  }
}
