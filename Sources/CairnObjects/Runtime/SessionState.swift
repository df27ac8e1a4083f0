import CairnStorage

/// The state of a session: the snapshot that it reads, and the write that is open or on its way to
/// the disk.
///
/// ```
///                 begin(_:)
///   reading ─────────────────▶ writing
///    ▲  ▲                       │  ▲
///    │  └── endWrite() ─────────┤  │ begin(_:)
///    │            prepare(_:)   ▼  │
///    └── finishPendingWrite() ── pending
/// ```
///
/// | Phase   | `transaction` | `pendingWrite` | Handles read the tables of |
/// |---------|---------------|----------------|----------------------------|
/// | reading | nil           | nil            | `snapshot`                 |
/// | writing | set           | nil or set     | `transaction`              |
/// | pending | nil           | set            | `pendingWrite`             |
///
/// Only the session's owner reads the state and calls its transitions. A transition changes the
/// state alone: the session then moves its handles, see `Session.moveHandles()`. A frozen session
/// is always reading; its snapshot changes only under the session's lock, when it registers classes.
struct SessionState {
  /// The part of a write that the session is in.
  enum Phase {
    /// The session reads a commit.
    case reading
    /// A transaction is open. It may build on a pending write.
    case writing
    /// The last write is not durable yet, and the session reads its tables.
    case pending
  }

  /// The snapshot that is read; nil from its release until the next read.
  private(set) var snapshot: Snapshot? {
    didSet { heldVersion.set(snapshot?.version) }
  }
  /// Tells other threads the version of the snapshot.
  private let heldVersion: HeldVersion

  init(_ heldVersion: HeldVersion) { self.heldVersion = heldVersion }
  /// The open write transaction.
  private(set) var transaction: WriteTransaction?
  /// The last write, until it is durable.
  private(set) var pendingWrite: PreparedWrite?
  /// A transaction that has begun, and waits until observers are notified. The session does not
  /// write to it yet, so it belongs to no phase.
  private(set) var waitingTransaction: WriteTransaction?

  var phase: Phase {
    if transaction != nil { return .writing }
    return pendingWrite == nil ? .reading : .pending
  }

  /// The transaction whose tables are read instead of the snapshot's.
  var tableSource: WriteTransaction? { transaction ?? pendingWrite?.transaction }

  // MARK: Snapshots

  /// Reads the given snapshot from now on.
  mutating func show(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Releases the snapshot, so that its version of the store can be reclaimed.
  ///
  /// - Returns: The snapshot, so that the last reference to it does not end during the access.
  @discardableResult
  mutating func releaseSnapshot() -> Snapshot? {
    defer { snapshot = nil }
    return snapshot
  }

  // MARK: Writes

  /// Opens a transaction: from reading or pending to writing.
  mutating func begin(_ transaction: WriteTransaction) {
    // Observers learn of every write of an object, as in Realm.
    transaction.recordEqualWrites()
    self.transaction = transaction
  }

  /// Ends the open transaction, which the caller commits or rolls back: from writing to pending if
  /// it builds on a pending write, otherwise to reading.
  mutating func endWrite() { transaction = nil }

  /// Keeps the changes of an ended transaction visible until they are durable: to pending.
  ///
  /// - Returns: the pending write that this one builds on and replaces.
  mutating func prepare(_ write: PreparedWrite) -> PreparedWrite? {
    defer { pendingWrite = write }
    return pendingWrite
  }

  /// Forgets the pending write, which is durable or has failed: from pending to reading.
  mutating func finishPendingWrite() { pendingWrite = nil }

  // MARK: Waiting

  /// Keeps a transaction that waits until observers are notified.
  mutating func wait(_ transaction: WriteTransaction) { waitingTransaction = transaction }

  /// Returns the waiting transaction, which no longer waits.
  mutating func takeWaiting() -> WriteTransaction? {
    defer { waitingTransaction = nil }
    return waitingTransaction
  }
}
