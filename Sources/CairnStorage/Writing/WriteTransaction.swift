import CairnValues

/// Changes to a store that become visible together, or not at all.
///
/// The caller edits an overlay in memory, on its own thread or actor; reads through the transaction see
/// the overlay over the state that the writer before left. Nothing reaches the file before `commit`.
package final class WriteTransaction {
  private let handle: EnvironmentHandle
  private let snapshot: Snapshot
  private var lmdb: LMDBTransaction?
  private(set) var schemas: [TableSchema]
  private var newTables: Set<UInt32> = []
  private var changedSchemas: Set<UInt32> = []
  private var writers: [UInt32: TableWriter] = [:]

  private var environment: Environment { handle.environment }

  init(_ handle: EnvironmentHandle) throws(StoreError) {
    self.handle = handle
    let environment = handle.environment
    environment.writeGate.enter()
    do throws(StoreError) {
      let transaction = try environment.writer.run { () throws(StoreError) in
        let transaction = try LMDBTransaction(writing: handle)
        if transaction.version % Self.sweepInterval == 0 { environment.sweepReaders() }
        try transaction.freeAbandonedLoads()
        return transaction
      }
      do throws(StoreError) {
        snapshot = try Snapshot(handle)
      } catch {
        environment.writer.run { transaction.abort() }
        throw error
      }
      lmdb = transaction
      schemas = snapshot.schema.tables
    } catch {
      environment.writeGate.leave()
      throw error
    }
  }

  deinit { rollback() }

  /// The classes as the transaction has them now.
  package var schema: Schema { Schema(tables: schemas) }

  /// Whether `commit` or `rollback` is still to come.
  package var isOpen: Bool { lmdb != nil }

  /// The class of that name, to read and to edit.
  package func table(_ name: String) -> TableWriter? {
    schemas.first { $0.name == name }.map { writer(for: $0) }
  }

  private func writer(for schema: TableSchema) -> TableWriter {
    if let known = writers[schema.id] { return known }
    let table =
      newTables.contains(schema.id)
      ? Table(schema: schema, state: TableState(), transaction: snapshot.transaction)
      : Table(
        schema: schema, state: snapshot.table(schema).state, transaction: snapshot.transaction)
    let writer = TableWriter(table)
    writers[schema.id] = writer
    return writer
  }

  /// Makes a class.
  ///
  /// - Parameter columns: their ids and positions are given anew, in this order.
  package func createTable(
    _ name: String, columns: [ColumnSchema], isEmbedded: Bool = false
  ) throws(StoreError) -> TableWriter {
    guard schemas.allSatisfy({ $0.name != name }) else {
      throw StoreError(.schemaMismatch, "class '\(name)' exists already")
    }
    let numbered = columns.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(position), name: column.name, type: column.type, collection: column.collection,
        isOptional: column.isOptional, isIndexed: column.isIndexed,
        isPrimaryKey: column.isPrimaryKey, target: column.target, position: position)
    }
    try TableSchema(id: 0, name: name, columns: numbered).check()
    return try createTable(
      TableSchema(
        id: try nextTableID(), name: name, columns: numbered, isEmbedded: isEmbedded))
  }

  /// Makes a class under a number that was taken before.
  func createTable(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    schemas.append(schema)
    newTables.insert(schema.id)
    changedSchemas.insert(schema.id)
    return writer(for: schema)
  }

  private func nextTableID() throws(StoreError) -> UInt32 {
    try counters { counters in
      counters.lastTable += 1
      return counters.lastTable
    }
  }

  private func counters<R>(_ body: (inout Counters) -> R) throws(StoreError) -> R {
    guard let lmdb else { throw Self.ended }
    return try environment.writer.run { () throws(StoreError) in
      var counters = try Counters(reading: lmdb)
      let result = body(&counters)
      try lmdb.put(.counters, counters.encoded())
      return result
    }
  }

  /// Makes the changes durable and visible.
  package func commit() throws(StoreError) {
    guard let lmdb else { throw Self.ended }
    let schemas = schemas.filter { changedSchemas.contains($0.id) }
    let writers = writers.values.filter(\.isChanged).sorted { $0.schema.id < $1.schema.id }
    guard !schemas.isEmpty || !writers.isEmpty else { return rollback() }
    defer { end() }
    try environment.writer.run { () throws(StoreError) in
      defer { lmdb.abort() }
      for schema in schemas { try lmdb.put(.schema(schema.id), schema.encoded()) }
      for schema in schemas where !writers.contains(where: { $0.schema.id == schema.id }) {
        try lmdb.put(.state(schema.id), TableState().encoded())
      }
      for writer in writers { try writer.store(into: lmdb) }
      try Journal.append(writers.map(\.journalEntry), to: lmdb)
      try lmdb.commit()
    }
  }

  /// Drops the changes.
  package func rollback() {
    guard let lmdb else { return }
    environment.writer.run { lmdb.abort() }
    end()
  }

  private func end() {
    lmdb = nil
    snapshot.transaction.abort()
    environment.writeGate.leave()
  }

  /// Commits after which readers are looked after: one that was killed would keep old pages for ever.
  private static let sweepInterval: UInt64 = 64

  private static let ended = StoreError(.misuse, "the write transaction has ended")
}

/// Numbers that are given once and never again.
struct Counters {
  var lastTable: UInt32 = 0
  var lastExtent: UInt32 = 0

  init(reading transaction: LMDBTransaction) throws(StoreError) {
    guard let bytes = transaction.get(.counters) else { return }
    var reader = ByteReader(bytes, "the counters")
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
