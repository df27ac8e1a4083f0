/// The store as one commit left it.
///
/// A snapshot keeps the pages of its commit from being reused, so release it soon. It is confined
/// to one thread at a time, as are its tables; any thread may read the memory that its columns
/// return while the snapshot lives.
package final class Snapshot {
  /// The classes of the store.
  package let schema: StoreSchema
  /// The number of the commit.
  package let version: UInt64
  /// The program's number for its schema; nil until a program has set one.
  package var schemaVersion: UInt64? { catalog.schemaVersion }
  let transaction: LMDBTransaction
  let catalog: Catalog
  let tables: TableSet
  let handle: EnvironmentHandle

  /// - Parameter pending: changes that the snapshot shows although they may not be committed yet.
  init(_ handle: EnvironmentHandle, over pending: [PendingCommit] = []) throws(StoreError) {
    self.handle = handle
    transaction = try LMDBTransaction(reading: handle, over: pending)
    catalog = try handle.environment.catalog.catalog(for: transaction)
    schema = catalog.schema
    version = catalog.version
    tables = TableSet(
      schema.tables, states: catalog.states, transaction: transaction, isWritable: false)
  }

  /// Shares the state of another snapshot, for any number of threads at once.
  ///
  /// - Parameter drafts: classes to add, as `declare` adds them.
  /// - Throws: The first error in the drafts.
  package init(sharing other: Snapshot, declaring drafts: [TableDraft] = []) throws(StoreError) {
    handle = other.handle
    transaction = other.transaction
    catalog = other.catalog
    schema = other.schema
    version = other.version
    tables = other.tables.shared()
    try tables.declare(drafts)
  }

  deinit { tables.close() }

  /// Throws if data read from the snapshot may be wrong: the store was written in the meantime, and
  /// the lock file does not list the snapshot. Call this after the last read; it costs nothing
  /// while the lock file is in use.
  package func requireKept() throws(StoreError) { try transaction.requireKept() }

  /// Whether there are later commits, which cannot reuse the pages of this snapshot.
  package var isOutdated: Bool { handle.environment.lastVersion(after: version) != nil }

  /// Returns the class of that name; nil if it does not exist.
  package func table(_ name: String) -> Table? { tables.index(of: name).map(tables.table) }

  /// Returns the class of that schema; a class that the snapshot lacks is empty.
  package func table(_ schema: TableSchema) -> Table {
    tables.index(ofID: schema.id).map(tables.table) ?? emptyTable(schema)
  }
}

extension Snapshot {
  /// Returns an empty table for a class that the store does not have yet.
  package func emptyTable(_ schema: TableSchema) -> Table {
    Table(schema: schema, state: TableState(), set: tables, isOverlaid: false)
  }

  /// Adds a program's classes to the snapshot: new names and inverse properties for the store's
  /// classes, and classes that the store lacks, which read as empty.
  ///
  /// - Throws: The first class or property that cannot be added.
  package func declare(_ drafts: [TableDraft]) throws(StoreError) { try tables.declare(drafts) }

  /// The classes of the store and those that `declare` added.
  package var declaredSchema: StoreSchema { StoreSchema(tables: tables.schemas) }
}

extension Snapshot {
  /// Returns a function that finds an empty table by class name. The tables keep no state of the
  /// file alive.
  package func emptyTables() throws(StoreError) -> (String) -> Table? {
    let ended = try LMDBTransaction(reading: handle)
    ended.abort()
    let empty = TableSet(tables.schemas, states: [:], transaction: ended, isWritable: false)
    empty.close()
    return { name in empty.index(of: name).map(empty.table) }
  }
}
