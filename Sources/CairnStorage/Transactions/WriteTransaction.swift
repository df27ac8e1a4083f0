import CairnValues

/// A set of changes to a store that become visible together or not at all.
///
/// The caller edits an overlay in memory, on its own thread or actor. Reads through the transaction
/// see the overlay on top of the state that the previous writer left. Nothing reaches the file
/// before `commit`.
package final class WriteTransaction: OfferedTransaction {
  let handle: EnvironmentHandle
  /// The state in which the transaction began.
  let snapshot: Snapshot
  /// The latest pending commit below the transaction, if any was uncommitted when it began.
  private let base: PendingCommit?
  /// Whether neither `commit` nor `rollback` has ended the transaction yet.
  package private(set) var isOpen = true
  /// Whether the transaction was committed without any other one.
  package private(set) var isAloneInCommit = false
  private(set) var tables: TableWriterSet
  /// The class and extent numbers, once the transaction assigns one.
  private var counters: Counters?
  /// The classes that the transaction made.
  private(set) var newTables: [TableSchema] = []
  /// The changes to the schemas of existing classes.
  var alterations = Alterations()
  /// Whether the transaction is sealed: its changes are queued, and its tables are read-only.
  private var isSealed = false

  private var environment: Environment { handle.environment }

  /// Waits for the previous writer, then begins.
  static func waiting(_ handle: EnvironmentHandle) throws(StoreError) -> WriteTransaction {
    if let offered = handle.environment.fifoLock.acquireOrClaim() {
      return taken(offered)
    }
    return try begin(handle)
  }

  /// The transaction that was offered to whoever waits for the writer lock.
  static func taken(_ offered: any OfferedTransaction) -> WriteTransaction {
    guard let transaction = offered as? WriteTransaction else {
      preconditionFailure("only write transactions are offered")
    }
    return transaction
  }

  /// Begins while holding the writer lock, and releases the lock on failure.
  static func begin(_ handle: EnvironmentHandle) throws(StoreError) -> WriteTransaction {
    let environment = handle.environment
    do throws(StoreError) {
      try environment.requireOwner()
      let pending = try environment.commits.acquire()
      try environment.requireInPlace()
      return try WriteTransaction(handle, over: pending)
    } catch {
      environment.releaseWriterLock()
      throw error
    }
  }

  private init(_ handle: EnvironmentHandle, over pending: [PendingCommit]) throws(StoreError) {
    self.handle = handle
    base = pending.last
    var snapshot = try Snapshot(handle, over: pending)
    if pending.isEmpty, try handle.environment.adoptUnseenCommit(after: snapshot.version) {
      snapshot = try Snapshot(handle)
    }
    self.snapshot = snapshot
    tables = TableWriterSet(editing: snapshot)
  }

  deinit {
    rollback()
    if isSealed { release() }
  }

  /// The classes with the transaction's changes.
  package var schema: StoreSchema { StoreSchema(tables: tables.schemas) }

  /// Returns the class of that name for reading and editing.
  package func table(_ name: String) -> TableWriter? {
    tables.index(of: name).flatMap(tables.writer)
  }

  /// Returns the class of that number for reading and editing.
  package func table(id: UInt32) -> TableWriter? {
    tables.index(ofID: id).flatMap(tables.writer)
  }

  /// Makes a class.
  ///
  /// - Parameter columns: The properties in order. Their ids and positions are reassigned.
  package func createTable(
    _ name: String, columns: [ColumnSchema], isEmbedded: Bool = false
  ) throws(StoreError) -> TableWriter {
    try createTables([TableDraft(name: name, columns: columns, isEmbedded: isEmbedded)])[0]
  }

  /// Makes classes that may refer to each other and to existing classes.
  ///
  /// Columns get ids and positions in their order, followed by the store's own columns. A property
  /// that an inverse property names is indexed.
  ///
  /// - Throws: The first invalid class or property; then no class is made.
  @discardableResult
  package func createTables(_ drafts: [TableDraft]) throws(StoreError) -> [TableWriter] {
    let made = try SchemaReconciler(
      existing: tables.schemas, drafts, version: schemaVersion ?? 0
    ).schemas()
    var writers: [TableWriter] = []
    for schema in made { writers.append(try createNumbered(schema)) }
    return writers
  }

  /// Makes a class under a new number.
  @discardableResult
  func createNumbered(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    try createTable(schema.changed(id: try nextTableID()))
  }

  /// Makes a class under a number that was reserved before.
  func createTable(_ schema: TableSchema) throws(StoreError) -> TableWriter {
    tables.add(schema)
    newTables.append(schema)
    guard let writer = tables.writer(at: tables.schemas.count - 1) else { throw Self.ended }
    return writer
  }

  /// Removes a class that the transaction made.
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
    if environment.commits.isIdle, isLarge || !environment.fifoLock.hasWaiters {
      return try commitAlone()
    }
    guard let changes = try seal() else { return }
    defer { release() }
    changes.commit()
    try changes.wait()
    isAloneInCommit = changes.isAlone
  }

  /// Waits until everything below the transaction is committed.
  ///
  /// - Throws: The error of those commits; then the transaction cannot be committed either.
  package func waitForBase() throws(StoreError) {
    environment.commits.drain()
    if let base { try environment.commits.outcome(of: base)?.get() }
  }

  /// Writes directly to LMDB's pages on the caller's thread, because no other commit is pending.
  private func commitAlone() throws(StoreError) {
    defer { end() }
    if let base { try environment.commits.outcome(of: base)?.get() }
    let lmdb = try LMDBTransaction(writing: handle)
    defer { lmdb.abort() }
    try lmdb.requireBase(max(snapshot.version, base?.committedVersion ?? 0))
    try lmdb.cleanUp()
    try store(into: lmdb)
    try CommitLog.append(logEntries, to: lmdb)
    try lmdb.commit()
    isAloneInCommit = true
  }

  /// Whether the transaction is so large that keeping a second copy in memory costs more than
  /// blocking other writers.
  private var isLarge: Bool {
    !alterations.isEmpty
      || tables.changedWriters.reduce(0) { $0 + $1.overlay.editedChunkCount }
        > Self.maxGatheredChunks
  }

  private static let maxGatheredChunks = 256

  /// Ends the editing and returns the pending commit; nil if nothing was changed, which ends the
  /// transaction.
  ///
  /// The tables remain readable until `release`.
  package func seal() throws(StoreError) -> PendingCommit? {
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
    return PendingCommit(
      handle, batch: batch, log: logEntries, over: base, baseVersion: snapshot.version)
  }

  /// Releases the state that a sealed transaction shows.
  package func release() {
    guard isSealed else { return }
    isSealed = false
    tables.close()
    snapshot.transaction.abort()
  }

  private var isChanged: Bool {
    !newTables.isEmpty || !alterations.isEmpty || !tables.changedWriters.isEmpty
  }

  /// Lets the change log keep rows that are written and have their old values at the end.
  package func recordEqualWrites() { tables.recordsEqualWrites = true }

  /// The changes so far to the rows of each class, by the number of the class.
  package var changes: [UInt32: TableChanges] {
    Dictionary(
      tables.changedWriters.map { ($0.schema.id, $0.changeLogEntry.changes) }
    ) { $1 }
  }

  private var logEntries: LogEntries {
    ChangeLogCoding.encoded(tables.changedWriters.map(\.changeLogEntry))
  }

  private func store(into lmdb: some KeyValues) throws(StoreError) {
    let writers = tables.changedWriters
    let changed = newTables + tables.schemas.filter { alterations.altered.contains($0.id) }
    try Store.raiseFormat(to: changed.map(\.requiredFormat).max() ?? 1, in: lmdb)
    if let counters { try lmdb.put(.counters, bytes: counters.encoded()) }
    for schema in newTables { try lmdb.put(.schema(schema.id), bytes: schema.encoded()) }
    for schema in newTables where !writers.contains(where: { $0.schema.id == schema.id }) {
      try lmdb.put(.state(schema.id), bytes: TableState().encoded())
    }
    try alterations.store(tables.schemas, lmdb: lmdb)
    for writer in writers { try writer.store(into: lmdb) }
  }

  /// Discards the changes.
  package func rollback() {
    guard isOpen else { return }
    end()
  }

  /// Discards the changes but reserves the keys of the inserted rows for good.
  ///
  /// For callers that may still hold such a row, whose key must never identify another one. The
  /// reservation is a small commit of its own that is not waited for. It also keeps new classes. If
  /// it fails, the store is unchanged.
  package func rollbackReservingKeys() {
    let reserved = tables.reservedKeys
    guard isOpen, !reserved.isEmpty else { return rollback() }
    tables.close()
    tables = TableWriterSet(editing: snapshot)
    alterations = Alterations()
    for schema in newTables { tables.add(schema) }
    for (id, end) in reserved { table(id: id)?.reserveKeys(upTo: end) }
    if let changes = try? seal() {
      changes.commit()
      release()
    }
  }

  private func end() {
    close()
    environment.releaseWriterLock()
  }

  private func close() {
    isOpen = false
    tables.close()
    snapshot.transaction.abort()
  }

  /// Ends an unused transaction but keeps the writer lock for another one.
  func endUnused() {
    guard isOpen else { return }
    close()
  }

  static let ended = StoreError(.misuse, message: "the write transaction has ended")
}
