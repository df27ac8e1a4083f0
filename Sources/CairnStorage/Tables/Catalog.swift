/// The classes of a store and their states at one commit.
final class Catalog: Sendable {
  let version: UInt64
  let schema: Schema
  let states: [UInt32: TableState]

  init(version: UInt64, schema: Schema, states: [UInt32: TableState]) {
    self.version = version
    self.schema = schema
    self.states = states
  }

  /// Reads the catalogue that `transaction` sees.
  convenience init(reading transaction: LMDBTransaction) throws(StoreError) {
    var records: [(id: UInt32, bytes: UnsafeRawBufferPointer)] = []
    try transaction.scan(from: .schema(0)) { key, bytes in
      guard key.kind == .schema else { return false }
      records.append((key.table, bytes))
      return true
    }
    var tables: [TableSchema] = []
    var states: [UInt32: TableState] = [:]
    for record in records {
      let table = try TableSchema(id: record.id, decoding: record.bytes)
      tables.append(table)
      guard let bytes = transaction.get(.state(record.id)) else { continue }
      states[record.id] = try TableState(decoding: bytes, table: table.name)
    }
    self.init(
      version: transaction.version, schema: Schema(tables: tables), states: states)
  }
}

/// The catalogue that was decoded last: a new snapshot of the same commit need not decode it again.
final class CatalogCache: @unchecked Sendable {
  // Sendable: `latest` is only touched under `lock`.
  private let lock = Lock()
  private var latest: Catalog?

  /// The catalogue that `transaction` sees.
  func catalog(for transaction: LMDBTransaction) throws(StoreError) -> Catalog {
    let version = transaction.version
    if let known = lock.withLock({ latest }), known.version == version { return known }
    let catalog = try Catalog(reading: transaction)
    lock.withLock { latest = catalog }
    return catalog
  }
}
