import CairnQuery
import CairnStorage

/// A condition that is decided here, on rows that may meet it.
struct RowFilter {
  /// The condition.
  let test: RowsTest
  /// The class that the condition is bound to.
  let schema: TableSchema
  /// The columns that only the condition needs. A statement yields them after those that are loaded.
  let columns: [PostgresColumn]

  /// Removes the rows of a batch that do not meet the condition.
  ///
  /// - Parameter names: The names of the columns of the batch.
  func apply(to batch: ColumnBatch, names: [String]) {
    batch.keep(test.matches(FetchedColumns(batch, names: names, schema: schema)))
  }
}
