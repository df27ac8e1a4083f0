extension Snapshot {
  /// A class without objects, for one that the store does not have yet.
  package func emptyTable(_ schema: TableSchema) -> Table {
    Table(schema: schema, state: TableState(), set: tables, isOverlaid: false)
  }

  /// Lets the snapshot know classes as a program has them: what they add to those of the store, and those that the
  /// store lacks, which read as empty.
  ///
  /// - Throws: what makes a class impossible, with the class and the property.
  package func know(_ drafts: [TableDraft]) throws(StoreError) { try tables.know(drafts) }

  /// The classes of the store, and those that the snapshot was told of.
  package var knownSchema: Schema { Schema(tables: tables.schemas) }
}

extension Snapshot {
  /// The classes without their objects, by name; they keep no state of the file.
  package func emptyTables() throws(StoreError) -> (String) -> Table? {
    let ended = try LMDBTransaction(reading: handle)
    ended.abort()
    let empty = TableSet(tables.schemas, [:], ended, isWritable: false)
    empty.close()
    return { name in empty.place(of: name).map(empty.table) }
  }
}
