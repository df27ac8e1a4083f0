import CairnValues

/// Changes to a store that become visible together, or not at all.
///
/// The caller edits an overlay in memory, on its own thread or actor; reads through the transaction see
/// the overlay over the state that the writer before left. Nothing reaches the file before `commit`.
package final class WriteTransaction {
  let handle: EnvironmentHandle
  /// What the transaction began with.
  let snapshot: Snapshot
  /// The last of what it lies upon that was not committed when it began.
  private let base: SealedChanges?
  /// Whether `commit` or `rollback` is still to come.
  package private(set) var isOpen = true
  private(set) var tables: TableSet
  /// The numbers that were given, where any was.
  private var counters: Counters?
  /// Classes that were made in the transaction.
  private(set) var newTables: [TableSchema] = []
  /// What becomes of classes that were there.
  var alterations = Alterations()
  /// Whether the changes are on their way, and the tables only read.
  private var isSealed = false

  private var environment: Environment { handle.environment }

  /// Waits for the writer before.
  static func waiting(_ handle: EnvironmentHandle) throws(StoreError) -> WriteTransaction {
    if let begun = handle.environment.writeGate.enterOrTake() { return begun }
    return try begin(handle)
  }

  /// Begins inside the gate, and leaves it where that fails.
  static func begin(_ handle: EnvironmentHandle) throws(StoreError) -> WriteTransaction {
    let environment = handle.environment
    do throws(StoreError) {
      try environment.requireOwner()
      return try WriteTransaction(handle, over: try environment.commits.enter())
    } catch {
      environment.leaveWriting()
      throw error
    }
  }

  private init(_ handle: EnvironmentHandle, over pending: [SealedChanges]) throws(StoreError) {
    self.handle = handle
    base = pending.last
    snapshot = try Snapshot(handle, over: pending)
    tables = TableSet(editing: snapshot)
  }

  deinit {
    rollback()
    if isSealed { release() }
  }

  /// The classes as the transaction has them now.
  package var schema: Schema { Schema(tables: tables.schemas) }

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
    let made = try SchemaFitting(
      existing: tables.schemas, drafts, version: schemaVersion ?? 0
    ).schemas()
    var writers: [TableWriter] = []
    for schema in made { writers.append(try createNumbered(schema)) }
    return writers
  }

  /// Makes a class under a number of its own.
  @discardableResult
  func createNumbered(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    try createTable(schema.changed(id: try nextTableID()))
  }

  /// Makes a class under a number that was taken before.
  func createTable(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    tables.add(schema)
    newTables.append(schema)
    guard let writer = tables.writer(at: tables.schemas.count - 1) else { throw Self.ended }
    return writer
  }

  /// Forgets a class that the transaction made.
  func forgetTable(_ id: UInt32) { newTables.removeAll { $0.id == id } }

  private func nextTableID() throws(StoreError) -> UInt32 {
    guard isOpen else { throw Self.ended }
    var counters: Counters
    if let given = self.counters {
      counters = given
    } else {
      counters = try Counters(reading: snapshot.transaction)
    }
    counters.lastTable += 1
    self.counters = counters
    return counters.lastTable
  }

  /// Makes the changes durable and visible.
  package func commit() throws(StoreError) {
    guard isOpen else { throw Self.ended }
    guard isChanged else { return rollback() }
    if isLarge { environment.commits.drain() }
    if environment.commits.isIdle, isLarge || !environment.writeGate.isWanted {
      return try commitAlone()
    }
    guard let changes = try seal() else { return }
    defer { release() }
    changes.commit()
    try changes.wait()
  }

  /// Waits until everything that the transaction lies upon is committed.
  ///
  /// - Throws: what was in the way of that; then the transaction cannot be committed either.
  package func settleBase() throws(StoreError) {
    environment.commits.drain()
    if let base { try environment.commits.outcome(of: base)?.get() }
  }

  /// Writes straight into LMDB's pages, on the caller's thread: nothing else is on its way to them.
  private func commitAlone() throws(StoreError) {
    defer { end() }
    if let base { try environment.commits.outcome(of: base)?.get() }
    let lmdb = try LMDBTransaction(writing: handle)
    defer { lmdb.abort() }
    try lmdb.requireBase(max(snapshot.version, base?.committedVersion ?? 0))
    try lmdb.tidy()
    try store(into: lmdb)
    try Journal.append(journalEntries, to: lmdb)
    try lmdb.commit()
  }

  /// Whether it is worth more than the time of others to keep it from lying in memory twice.
  private var isLarge: Bool {
    !alterations.isEmpty
      || tables.changedWriters.reduce(0) { $0 + $1.overlay.editedChunkCount }
        > Self.mostGatheredChunks
  }

  private static let mostGatheredChunks = 256

  /// Ends the editing, and gives what is left to do: nil where nothing was changed, which ends all of it.
  ///
  /// The tables stay as they are, to be read and no longer written to, until `release`.
  package func seal() throws(StoreError) -> SealedChanges? {
    guard isOpen else { throw Self.ended }
    guard isChanged else {
      rollback()
      return nil
    }
    let batch = WriteBatch(over: snapshot.transaction)
    do throws(StoreError) {
      try store(into: batch)
    } catch {
      rollback()
      throw error
    }
    batch.close()
    isOpen = false
    isSealed = true
    return SealedChanges(handle, batch, journalEntries, over: base, snapshot.version)
  }

  /// Lets go of the state that a sealed transaction shows.
  package func release() {
    guard isSealed else { return }
    isSealed = false
    tables.close()
    snapshot.transaction.abort()
  }

  private var isChanged: Bool {
    !newTables.isEmpty || !alterations.isEmpty || !tables.changedWriters.isEmpty
  }

  private var journalEntries: [JournalEntry] { tables.changedWriters.map(\.journalEntry) }

  private func store(into lmdb: some KeyValues) throws(StoreError) {
    let writers = tables.changedWriters
    if let counters { try lmdb.put(.counters, counters.encoded()) }
    for schema in newTables { try lmdb.put(.schema(schema.id), schema.encoded()) }
    for schema in newTables where !writers.contains(where: { $0.schema.id == schema.id }) {
      try lmdb.put(.state(schema.id), TableState().encoded())
    }
    try alterations.store(tables.schemas, lmdb)
    for writer in writers { try writer.store(into: lmdb) }
  }

  /// Drops the changes.
  package func rollback() {
    guard isOpen else { return }
    end()
  }

  /// Drops the changes, but for the keys of rows that were inserted: those stay taken, for good.
  ///
  /// For a caller that may still hold such a row, which must never become another. It is a small commit of its own, for
  /// which nobody waits, and in which classes that were made stay too; where even that fails the store is as it was.
  package func rollbackSpendingKeys() {
    let spent = tables.spentKeys
    guard isOpen, !spent.isEmpty else { return rollback() }
    tables.close()
    tables = TableSet(editing: snapshot)
    alterations = Alterations()
    for schema in newTables { tables.add(schema) }
    for (id, end) in spent { table(id: id)?.spendKeys(upTo: end) }
    if let changes = try? seal() {
      changes.commit()
      release()
    }
  }

  private func end() {
    close()
    environment.leaveWriting()
  }

  private func close() {
    isOpen = false
    tables.close()
    snapshot.transaction.abort()
  }

  /// Ends before anything was done in it, and stays inside the gate for another.
  func makeRoom() {
    guard isOpen else { return }
    close()
  }

  static let ended = StoreError(.misuse, "the write transaction has ended")
}

extension LMDBTransaction {
  /// Frees what nobody needs any more, before something is written.
  func tidy() throws(StoreError) {
    if version % Self.sweepInterval == 0 { environment.sweepReaders() }
    try freeAbandonedLoads()
  }

  /// Commits after which readers are looked after: one that was killed would keep old pages for ever.
  private static var sweepInterval: UInt64 { 64 }
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
