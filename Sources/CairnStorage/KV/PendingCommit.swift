import CairnSystem

/// The finished changes of one transaction, before they are durable.
///
/// The next transaction may already edit on top of them and may be committed together with them.
package final class PendingCommit: @unchecked Sendable {
  // Sendable: the lock of the commit queue or `lock` guards everything that changes.
  let handle: EnvironmentHandle
  let batch: WriteBatch
  /// The entries for the commit log.
  let log: LogEntries
  /// The uncommitted changes below these; `baseVersion` is the commit below those.
  private var previous: PendingCommit?
  private let baseVersion: UInt64
  private let lock = Lock()
  /// The commit that includes the changes; 0 until it begins.
  private var version: UInt64 = 0
  /// Whether that commit includes nothing else.
  private var isWholeCommit = false
  /// Whether the changes may wait for others, to share a commit.
  private(set) var allowsGrouping = false
  /// Called once on the writer thread, when the changes are durable or have failed.
  private var completion: (@Sendable (Result<Void, StoreError>) -> Void)?
  /// The outcome, once it is known.
  private(set) var outcome: Result<Void, StoreError>?

  init(
    _ handle: EnvironmentHandle, batch: WriteBatch, log: LogEntries,
    over previous: PendingCommit?, baseVersion: UInt64
  ) {
    self.handle = handle
    self.batch = batch
    self.log = log
    self.previous = previous
    self.baseVersion = baseVersion
  }

  /// Queues the changes and releases the write lock for the next writer. When the changes are
  /// durable and visible, `body` runs on the writer thread. Call this once.
  ///
  /// - Parameter allowGrouping: Whether the changes may wait a moment for others to join their
  ///   commit. Changes that are already queued join in any case.
  package func commit(
    allowGrouping: Bool = false, then body: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    allowsGrouping = allowGrouping
    completion = body
    let environment = handle.environment
    environment.commits.enqueue(self, environment: environment)
    environment.releaseWriterLock()
  }

  /// Commits the changes without waiting for others.
  package func flush() { handle.environment.commits.flush() }

  /// Blocks until the changes are durable.
  package func wait() throws(StoreError) { try handle.environment.commits.wait(for: self).get() }

  /// Records the commit that will include the changes.
  func noteVersion(_ version: UInt64, isWholeCommit: Bool) {
    lock.withLock {
      self.version = version
      self.isWholeCommit = isWholeCommit
    }
  }

  /// Whether the commit that includes the changes includes nothing else. False before it begins.
  package var isAlone: Bool { lock.withLock { isWholeCommit } }

  /// Returns whether a reader of that commit sees the changes.
  func isCommitted(by seen: UInt64) -> Bool { lock.withLock { version > 0 && version <= seen } }

  /// The commit that must be the latest one when these changes are committed.
  var expectedBase: UInt64 { max(baseVersion, previous?.committedVersion ?? 0) }

  /// The commit that includes the changes.
  var committedVersion: UInt64 { lock.withLock { version } }

  /// The error of the changes below, if those failed. The caller holds the lock of the queue.
  var previousFailure: Result<Void, StoreError>? {
    guard case .failure(let error) = previous?.outcome else { return nil }
    return .failure(error)
  }

  /// Calls the completion handler and releases it, because it usually retains the owner of the
  /// changes. Called once, on the writer thread.
  func complete(_ outcome: Result<Void, StoreError>) {
    let body = completion
    completion = nil
    body?(outcome)
  }

  /// Records the outcome. The caller holds the lock of the queue.
  func finish(_ outcome: Result<Void, StoreError>) {
    self.outcome = outcome
    previous = nil
  }
}

extension LMDBTransaction {
  /// Applies the changes of several transactions to the pages, in order.
  func apply(_ group: [PendingCommit]) throws(StoreError) {
    guard let first = group.first else { return }
    try requireBase(first.expectedBase)
    for changes in group { changes.noteVersion(version, isWholeCommit: group.count == 1) }
    let all = WriteBatch()
    for changes in group { all.merge(changes.batch) }
    for (key, value) in all.entries() {
      if let value { try put(key, value: value.bytes) } else { try delete(key) }
    }
    var log = LogEntries()
    for changes in group { log.append(changes.log) }
    try CommitLog.append(log, to: self)
  }

  /// Throws if another program wrote to the store without taking Cairn's writer lock.
  func requireBase(_ expected: UInt64) throws(StoreError) {
    guard version == expected + 1 else {
      throw StoreError(
        .locked, message: "another program wrote to \(environment.path) in the meantime; try again")
    }
  }
}
