/// The store as one commit left it.
///
/// It keeps old pages of the file from being used again, so let it go soon. Confined to one thread
/// at a time, as its tables are; memory that its columns lead to may be read by any thread while it lives.
package final class Snapshot {
  package let schema: Schema
  /// The number of the commit.
  package let version: UInt64
  let transaction: LMDBTransaction
  private let catalog: Catalog
  private let handle: EnvironmentHandle
  private var tables: [UInt32: Table] = [:]

  init(_ handle: EnvironmentHandle) throws(StoreError) {
    self.handle = handle
    transaction = try LMDBTransaction(reading: handle)
    catalog = try handle.environment.catalog.catalog(for: transaction)
    schema = catalog.schema
    version = catalog.version
  }

  /// The class of that name.
  package func table(_ name: String) -> Table? {
    schema.table(named: name).map { table($0) }
  }

  /// The class of that schema.
  package func table(_ schema: TableSchema) -> Table {
    if let known = tables[schema.id] { return known }
    let table = Table(
      schema: schema, state: catalog.states[schema.id] ?? TableState(), transaction: transaction)
    tables[schema.id] = table
    return table
  }
}
