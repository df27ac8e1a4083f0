extension KeyValues {
  /// Removes the rows of a column, and its indexes.
  func deleteColumn(_ column: UInt16, of table: UInt32) throws(StoreError) {
    for kind in Self.columnKinds {
      let start = StorageKey(kind: kind, table: table, column: column)
      _ = try deleteRun(from: start) {
        $0.kind == kind && $0.table == table && $0.column == column
      }
    }
  }

  /// Removes a class, and everything in it.
  func deleteTable(_ table: UInt32) throws(StoreError) {
    for kind in Self.columnKinds + [.schema, .state, .liveness] {
      let start = StorageKey(kind: kind, table: table)
      _ = try deleteRun(from: start) { $0.kind == kind && $0.table == table }
    }
  }

  private static var columnKinds: [StorageKey.Kind] {
    [.chunk, .zones, .runNodes, .runPoints, .runDead, .runKeys]
  }

  /// The program's number for the form of its classes; nil while no program has given one.
  func schemaVersion() throws(StoreError) -> UInt64? {
    guard let bytes = get(.schemaVersion) else { return nil }
    var reader = ByteReader(bytes, "the schema version")
    return try reader.read()
  }
}
