internal import CairnStorage
package import CairnValues

/// The records of one part of a file, by column.
package final class RecordBatch: Sendable {
  /// The names of the columns.
  package let names: [String]
  /// The line on which each record begins, or the number of its row in a layer.
  package let numbers: [Int]
  /// Whether the records are rows of a layer.
  package let isLayer: Bool
  /// The index of the first column with locations or geometries.
  package let spatial: Int?
  private let indexes: [String: Int]
  // It no longer changes.
  private let columns: ColumnBatch

  /// The number of records.
  package var count: Int { numbers.count }

  init(_ columns: ColumnBatch, plan: ImportPlan, numbers: [Int], isLayer: Bool) {
    self.columns = columns
    self.numbers = numbers
    self.isLayer = isLayer
    names = plan.columns.filter { $0.content != .position }.map(\.name)
    indexes = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    spatial = plan.location ?? plan.columns.firstIndex(where: \.isSpatial)
  }

  /// The index of the column of a property.
  package func index(of name: String) -> Int? { indexes[name] }

  /// The value of a record in a column.
  package func value(_ column: Int, row: Int) -> Value {
    columns.columns[column].value(at: row)
  }
}
