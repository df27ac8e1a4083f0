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
  /// Whether the changes are on their way, and the tables only read.
  private var isSealed = false

  private var environment: Environment { handle.environment }

  /// Waits for the writer before.
  static func waiting(_ handle: EnvironmentHandle) throws(StoreError) -> WriteTransaction {
    let environment = handle.environment
    if let begun = environment.writeGate.enterOrTake() { return begun }
    let lmdb: LMDBTransaction
    do throws(StoreError) {
      lmdb = try environment.writer.run { () throws(StoreError) in try Self.begin(handle) }
    } catch {
      environment.writeGate.leave()
      throw error
    }
    return try WriteTransaction(handle, lmdb)
  }

  /// Inside the gate, with what LMDB has begun; leaves both where it fails.
  init(_ handle: EnvironmentHandle, _ lmdb: LMDBTransaction) throws(StoreError) {
    self.handle = handle
    do throws(StoreError) {
      snapshot = try Snapshot(handle)
    } catch {
      handle.environment.writer.run { lmdb.abort() }
      handle.environment.writeGate.leave()
      throw error
    }
    self.lmdb = lmdb
    tables = TableSet(editing: snapshot)
  }

  /// Begins in LMDB; on the writer thread, inside the gate.
  static func begin(_ handle: EnvironmentHandle) throws(StoreError) -> LMDBTransaction {
    let transaction = try LMDBTransaction(writing: handle)
    if transaction.version % sweepInterval == 0 { handle.environment.sweepReaders() }
    try transaction.freeAbandonedLoads()
    return transaction
  }

  deinit {
    rollback()
    if isSealed { release() }
  }

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
    guard isChanged else { return rollback() }
    defer { end() }
    try environment.writer.run { () throws(StoreError) in
      defer { lmdb.abort() }
      try store(into: lmdb)
      try lmdb.commit()
    }
  }

  /// Ends the editing, and gives what is left to do: nil where nothing was changed, which ends all of it.
  ///
  /// The tables stay as they are, to be read and no longer written to, until `release`.
  package func seal() throws(StoreError) -> SealedChanges? {
    guard let lmdb else { throw Self.ended }
    guard isChanged else {
      rollback()
      return nil
    }
    do throws(StoreError) {
      try environment.writer.run { () throws(StoreError) in try store(into: lmdb) }
    } catch {
      rollback()
      throw error
    }
    self.lmdb = nil
    isSealed = true
    return SealedChanges(handle, lmdb)
  }

  /// Lets go of the state that a sealed transaction shows.
  package func release() {
    guard isSealed else { return }
    isSealed = false
    tables.close()
    snapshot.transaction.abort()
  }

  private var isChanged: Bool { !newTables.isEmpty || !tables.changedWriters.isEmpty }

  /// Lays the changes into LMDB's pages; on the writer thread.
  private func store(into lmdb: LMDBTransaction) throws(StoreError) {
    let writers = tables.changedWriters
    for schema in newTables { try lmdb.put(.schema(schema.id), schema.encoded()) }
    for schema in newTables where !writers.contains(where: { $0.schema.id == schema.id }) {
      try lmdb.put(.state(schema.id), TableState().encoded())
    }
    for writer in writers { try writer.store(into: lmdb) }
    try Journal.append(writers.map(\.journalEntry), to: lmdb)
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
    close()
    environment.writeGate.leave()
  }

  private func close() {
    lmdb = nil
    tables.close()
    snapshot.transaction.abort()
  }

  /// Ends before anything was done in it, and stays inside the gate for another.
  func makeRoom() {
    guard let lmdb else { return }
    environment.writer.run { lmdb.abort() }
    close()
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
