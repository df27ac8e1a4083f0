extension Snapshot {
  /// A class without objects, for one that the store does not have yet.
  package func emptyTable(_ schema: TableSchema) -> Table {
    Table(schema: schema, state: TableState(), set: tables, isOverlaid: false)
  }
}
