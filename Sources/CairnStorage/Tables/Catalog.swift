/// The classes of a store and their states at one commit.
final class Catalog: Sendable {
  let version: UInt64
  let schema: Schema
  let states: [UInt32: TableState]
  /// The program's number for the form of its classes; nil while no program has given one.
  let schemaVersion: UInt64?
  /// What they were read from.
  private let records: [UInt32: Record]

  /// One class as the store has it.
  fileprivate struct Record {
    let table: TableSchema
    let schema: [UInt8]
    var state: [UInt8] = []
  }

  /// Reads the catalogue that `transaction` sees.
  ///
  /// - Parameter known: another one, from which what is the same is taken.
  init(reading transaction: LMDBTransaction, knowing known: Catalog? = nil) throws(StoreError) {
    var found: [(id: UInt32, bytes: UnsafeRawBufferPointer)] = []
    try transaction.scan(from: .schema(0)) { key, bytes in
      guard key.kind == .schema else { return false }
      found.append((key.table, bytes))
      return true
    }
    var records: [UInt32: Record] = [:]
    var tables: [TableSchema] = []
    var states: [UInt32: TableState] = [:]
    for (id, bytes) in found {
      let old = known?.records[id]
      var record = try Record(id, bytes, knowing: old)
      tables.append(record.table)
      if let bytes = transaction.get(.state(id)) {
        if let old, old.state.isSame(as: bytes), let state = known?.states[id] {
          record.state = old.state
          states[id] = state
        } else {
          record.state = Array(bytes)
          states[id] = try TableState(decoding: bytes, table: record.table.name)
        }
      }
      records[id] = record
    }
    version = transaction.version
    schema = known.flatMap { $0.isOf(tables) ? $0.schema : nil } ?? Schema(tables: tables)
    self.states = states
    schemaVersion = try transaction.schemaVersion()
    self.records = records
  }

  private func isOf(_ tables: [TableSchema]) -> Bool {
    records.count == tables.count && tables.allSatisfy { records[$0.id]?.table == $0 }
  }
}

extension Catalog.Record {
  fileprivate init(
    _ id: UInt32, _ bytes: UnsafeRawBufferPointer, knowing old: Catalog.Record?
  ) throws(StoreError) {
    if let old, old.schema.isSame(as: bytes) {
      table = old.table
      schema = old.schema
    } else {
      table = try TableSchema(id: id, decoding: bytes)
      schema = Array(bytes)
    }
  }
}

extension [UInt8] {
  fileprivate func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    count == bytes.count && elementsEqual(bytes)
  }
}

/// The catalogue that was decoded last: a new snapshot of the same commit need not decode it again.
final class CatalogCache: @unchecked Sendable {
  // Sendable: `latest` is only touched under `lock`.
  private let lock = Lock()
  private var latest: Catalog?

  /// The catalogue that `transaction` sees.
  func catalog(for transaction: LMDBTransaction) throws(StoreError) -> Catalog {
    let known = lock.withLock { latest }
    if transaction.isLayered { return try Catalog(reading: transaction, knowing: known) }
    if let known, known.version == transaction.version { return known }
    let catalog = try Catalog(reading: transaction, knowing: known)
    lock.withLock { latest = catalog }
    return catalog
  }
}
