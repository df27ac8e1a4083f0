/// What a write transaction does to classes that the store has: what is left to write when it commits.
struct Alterations {
  /// Classes whose schema is written.
  var altered: Set<UInt32> = []
  /// Classes that are no more.
  var removed: Set<UInt32> = []
  /// Columns whose rows are freed, by class.
  var dropped: [UInt32: Set<UInt16>] = [:]
  /// Properties that embedded objects lived in.
  var abandonedHomes: Set<Int64> = []
  /// Classes whose objects have to live in exactly one other each.
  var embedded: Set<UInt32> = []
  /// The program's new number for the form of its classes.
  var schemaVersion: UInt64?

  var isEmpty: Bool { altered.isEmpty && removed.isEmpty && schemaVersion == nil }

  /// Writes the schemas, and frees what is no more; on the writer thread.
  func store(_ schemas: [TableSchema], _ lmdb: some KeyValues) throws(StoreError) {
    for id in removed { try lmdb.deleteTable(id) }
    for (id, columns) in dropped where !removed.contains(id) {
      for column in columns { try lmdb.deleteColumn(column, of: id) }
    }
    for schema in schemas where altered.contains(schema.id) {
      try lmdb.put(.schema(schema.id), schema.encoded())
    }
    guard let schemaVersion else { return }
    var writer = ByteWriter()
    writer.write(schemaVersion)
    try lmdb.put(.schemaVersion, writer.bytes)
  }
}
