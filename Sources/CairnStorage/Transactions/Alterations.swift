/// The changes of a write transaction to the schemas of existing classes, which its commit writes.
struct Alterations {
  /// Classes with a changed schema.
  var altered: Set<UInt32> = []
  /// Classes that were removed.
  var removed: Set<UInt32> = []
  /// Columns whose rows are freed, by class.
  var dropped: [UInt32: Set<UInt16>] = [:]
  /// Removed properties that held embedded objects.
  var abandonedOwners: Set<Int64> = []
  /// Classes that became embedded, so that each object needs exactly one owner.
  var embedded: Set<UInt32> = []
  /// The program's new number for its schema.
  var schemaVersion: UInt64?

  var isEmpty: Bool { altered.isEmpty && removed.isEmpty && schemaVersion == nil }

  /// Writes the schemas and frees removed data. Call this on the writer thread.
  func store(_ schemas: [TableSchema], lmdb: some KeyValues) throws(StoreError) {
    for id in removed { try lmdb.deleteTable(id) }
    for (id, columns) in dropped where !removed.contains(id) {
      for column in columns { try lmdb.deleteColumn(column, of: id) }
    }
    for schema in schemas where altered.contains(schema.id) {
      try lmdb.put(.schema(schema.id), bytes: schema.encoded())
    }
    guard let schemaVersion else { return }
    var writer = ByteWriter()
    writer.write(schemaVersion)
    try lmdb.put(.schemaVersion, bytes: writer.bytes)
  }
}
