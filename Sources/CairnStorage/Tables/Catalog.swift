import CairnSystem

/// The classes of a store and their states at one commit.
final class Catalog: Sendable {
  let version: UInt64
  let schema: StoreSchema
  let states: [UInt32: TableState]
  /// The program's number for its schema; nil until a program has set one.
  let schemaVersion: UInt64?
  /// The encoded records that the catalog was decoded from.
  private let records: [UInt32: Record]

  /// One class as the store holds it.
  fileprivate struct Record {
    let table: TableSchema
    let schema: [UInt8]
    var state: [UInt8] = []
  }

  /// Reads the catalog that `transaction` sees.
  ///
  /// - Parameter known: An earlier catalog, whose unchanged parts are reused.
  init(reading transaction: LMDBTransaction, reusing known: Catalog? = nil) throws(StoreError) {
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
      var record = try Record(id, bytes: bytes, reusing: old)
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
    schema = known.flatMap { $0.isOf(tables) ? $0.schema : nil } ?? StoreSchema(tables: tables)
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
    _ id: UInt32, bytes: UnsafeRawBufferPointer, reusing old: Catalog.Record?
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

/// The most recently decoded catalog: a new snapshot of the same commit does not decode it again.
final class CatalogCache: @unchecked Sendable {
  // Sendable: `latest` is only touched under `lock`.
  private let lock = Lock()
  private var latest: Catalog?

  /// Returns the catalog that `transaction` sees.
  func catalog(for transaction: LMDBTransaction) throws(StoreError) -> Catalog {
    let known = lock.withLock { latest }
    if transaction.isLayered { return try Catalog(reading: transaction, reusing: known) }
    if let known, known.version == transaction.version { return known }
    let catalog = try Catalog(reading: transaction, reusing: known)
    lock.withLock { latest = catalog }
    return catalog
  }
}

/// Numbers that are assigned once and never reused.
struct Counters {
  var lastTable: UInt32 = 0
  var lastExtent: UInt32 = 0

  init(reading transaction: LMDBTransaction) throws(StoreError) {
    guard let bytes = transaction.get(.counters) else { return }
    var reader = ByteReader(bytes, what: "the counters")
    lastTable = try reader.read()
    lastExtent = try reader.read()
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.write(lastTable)
    writer.write(lastExtent)
    return writer.bytes
  }
}

extension KeyValues {
  /// Returns the program's number for its schema; nil until a program has set one.
  func schemaVersion() throws(StoreError) -> UInt64? {
    guard let bytes = get(.schemaVersion) else { return nil }
    var reader = ByteReader(bytes, what: "the schema version")
    return try reader.read()
  }
}

extension Environment {
  /// The catalog as decoded last, with its commit.
  var catalog: CatalogCache { attachment.get(CatalogCache.init) }
}
