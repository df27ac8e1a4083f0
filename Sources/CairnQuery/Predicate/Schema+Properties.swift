import CairnStorage

/// The properties that a predicate can name.
extension Schema {
  /// The property of that name.
  func property(named name: String, of table: TableSchema) -> ColumnSchema? {
    table.column(named: name)
  }

  /// The names of all properties, in their order.
  func propertyNames(of table: TableSchema) -> [String] {
    table.columns.map(\.name)
  }
}
