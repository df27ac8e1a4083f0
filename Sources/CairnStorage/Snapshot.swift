/// The store as one commit left it.
///
/// It keeps old pages of the file from being used again, so let it go soon. Confined to one thread
/// at a time, as its tables are; memory that its columns lead to may be read by any thread while it lives.
package final class Snapshot {
  package let schema: Schema
  /// The number of the commit.
  package let version: UInt64
  /// The program's number for the form of its classes; nil while no program has given one.
  package var schemaVersion: UInt64? { catalog.schemaVersion }
  let transaction: LMDBTransaction
  let catalog: Catalog
  let tables: TableSet
  let handle: EnvironmentHandle

  /// - Parameter pending: what may not be committed yet, and is to be seen nevertheless.
  init(_ handle: EnvironmentHandle, over pending: [SealedChanges] = []) throws(StoreError) {
    self.handle = handle
    transaction = try LMDBTransaction(reading: handle, over: pending)
    catalog = try handle.environment.catalog.catalog(for: transaction)
    schema = catalog.schema
    version = catalog.version
    tables = TableSet(schema.tables, catalog.states, transaction, isWritable: false)
  }

  /// The state of another snapshot once more, for any number of threads at once.
  ///
  /// - Parameter drafts: classes that it has besides, as `know` would add them.
  /// - Throws: what is wrong with the drafts.
  package init(sharing other: Snapshot, knowing drafts: [TableDraft] = []) throws(StoreError) {
    handle = other.handle
    transaction = other.transaction
    catalog = other.catalog
    schema = other.schema
    version = other.version
    transaction.share()
    tables = TableSet(
      other.tables.schemas, catalog.states, transaction, isWritable: false, isShared: true)
    try tables.know(drafts)
  }

  deinit { tables.close() }

  /// Throws where what was read of the snapshot may be wrong, because the store was written meanwhile and the snapshot is
  /// not registered in its lock file. Call this after the last read; it costs nothing where the lock file is in use.
  package func requireKept() throws(StoreError) { try transaction.requireKept() }

  /// The class of that name.
  package func table(_ name: String) -> Table? { tables.place(of: name).map(tables.table) }

  /// The class of that schema.
  package func table(_ schema: TableSchema) -> Table {
    tables.place(id: schema.id).map(tables.table) ?? emptyTable(schema)
  }
}
