import CairnValues

/// Changes to a store that become visible together, or not at all.
///
/// The caller edits an overlay in memory, on its own thread or actor; reads through the transaction see
/// the overlay over the state that the writer before left. Nothing reaches the file before `commit`.
package final class WriteTransaction {
  private let handle: EnvironmentHandle
  private let snapshot: Snapshot
  private var lmdb: LMDBTransaction?
  private var tables: TableSet
  /// Classes that were made in the transaction.
  private var newTables: [TableSchema] = []

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
      tables = TableSet(editing: snapshot)
    } catch {
      environment.writeGate.leave()
      throw error
    }
  }

  deinit { rollback() }

  /// The classes as the transaction has them now.
  package var schema: Schema { Schema(tables: tables.schemas) }

  /// Whether `commit` or `rollback` is still to come.
  package var isOpen: Bool { lmdb != nil }

  /// The class of that name, to read and to edit.
  package func table(_ name: String) -> TableWriter? {
    tables.place(of: name).flatMap(tables.writer)
  }

  /// The class of that number, to read and to edit.
  package func table(id: UInt32) -> TableWriter? {
    tables.place(id: id).flatMap(tables.writer)
  }

  /// Makes a class.
  ///
  /// - Parameter columns: their ids and positions are given anew, in this order.
  package func createTable(
    _ name: String, columns: [ColumnSchema], isEmbedded: Bool = false
  ) throws(StoreError) -> TableWriter {
    try createTables([TableDraft(name: name, columns: columns, isEmbedded: isEmbedded)])[0]
  }

  /// Makes classes that may refer to one another and to those that are there.
  ///
  /// Columns get ids and positions in their order, and the store adds its own behind them. A property that an
  /// inverse names is indexed.
  ///
  /// - Throws: what makes a class impossible, with the class and the property; then none is made.
  @discardableResult
  package func createTables(_ drafts: [TableDraft]) throws(StoreError) -> [TableWriter] {
    let made = try SchemaDrafting(existing: tables.schemas, drafts).schemas()
    var writers: [TableWriter] = []
    for schema in made {
      writers.append(try createTable(schema.numbered(try nextTableID())))
    }
    return writers
  }

  /// Makes the classes that a program has and the store lacks; of the others, takes note of what the program knows besides.
  package func makeKnown(_ drafts: [TableDraft]) throws(StoreError) {
    try createTables(drafts.filter { tables.place(of: $0.name) == nil })
    try tables.know(drafts)
  }

  /// Makes a class under a number that was taken before.
  func createTable(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    tables.add(schema)
    newTables.append(schema)
    guard let writer = tables.writer(at: tables.schemas.count - 1) else { throw Self.ended }
    return writer
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
    let schemas = newTables
    let writers = tables.changedWriters
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

  /// Drops the changes, but for the keys of rows that were inserted: those stay taken, for good.
  ///
  /// For a caller that may still hold such a row, which must never become another. It is a small commit
  /// of its own, in which classes that were made stay too; where even that fails the store is as it was.
  package func rollbackSpendingKeys() {
    let spent = tables.spentKeys
    guard isOpen, !spent.isEmpty else { return rollback() }
    tables.close()
    tables = TableSet(editing: snapshot)
    for schema in newTables { tables.add(schema) }
    for (id, end) in spent { table(id: id)?.spendKeys(upTo: end) }
    try? commit()
  }

  private func end() {
    lmdb = nil
    tables.close()
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
