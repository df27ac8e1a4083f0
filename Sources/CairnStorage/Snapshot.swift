/// The store as one commit left it.
///
/// It keeps old pages of the file from being used again, so let it go soon. Confined to one thread
/// at a time, as its tables are; memory that its columns lead to may be read by any thread while it lives.
package final class Snapshot {
  package let schema: Schema
  /// The number of the commit.
  package let version: UInt64
  let transaction: LMDBTransaction
  let catalog: Catalog
  let tables: TableSet
  private let handle: EnvironmentHandle

  init(_ handle: EnvironmentHandle) throws(StoreError) {
    self.handle = handle
    transaction = try LMDBTransaction(reading: handle)
    catalog = try handle.environment.catalog.catalog(for: transaction)
    schema = catalog.schema
    version = catalog.version
    tables = TableSet(schema.tables, catalog.states, transaction, isWritable: false)
  }

  deinit { tables.close() }

  /// The class of that name.
  package func table(_ name: String) -> Table? { tables.place(of: name).map(tables.table) }

  /// The class of that schema.
  package func table(_ schema: TableSchema) -> Table {
    tables.place(id: schema.id).map(tables.table) ?? emptyTable(schema)
  }
}
