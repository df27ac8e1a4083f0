/// The changes of one transaction that nobody edits any more, and that are not durable yet.
///
/// The next transaction may already be edited on top of them, and be committed together with them.
package final class SealedChanges: @unchecked Sendable {
  // Sendable: what changes is touched under the lock of the queue, or under `lock`.
  let handle: EnvironmentHandle
  let batch: WriteBatch
  let journal: [JournalEntry]
  /// What they lie upon that was not committed yet, and the commit below that.
  private var previous: SealedChanges?
  private let baseVersion: UInt64
  private let lock = Lock()
  /// The commit that they are part of; 0 before one was begun.
  private var version: UInt64 = 0
  /// Whether they may wait for others to be committed with.
  private(set) var mayWait = false
  /// The writer thread calls it once, when they are durable or cannot be made so.
  private var completion: (@Sendable (Result<Void, StoreError>) -> Void)?
  /// How it went, once that is known.
  private(set) var outcome: Result<Void, StoreError>?

  init(
    _ handle: EnvironmentHandle, _ batch: WriteBatch, _ journal: [JournalEntry],
    over previous: SealedChanges?, _ baseVersion: UInt64
  ) {
    self.handle = handle
    self.batch = batch
    self.journal = journal
    self.previous = previous
    self.baseVersion = baseVersion
  }

  /// Lets the next writer in, and has the changes made durable and visible; then `body` runs on the writer thread. To be
  /// called once.
  ///
  /// - Parameter allowGrouping: whether they may wait a moment for others. Those that are there are taken along in any
  ///   case.
  package func commit(
    allowGrouping: Bool = false, then body: (@Sendable (Result<Void, StoreError>) -> Void)? = nil
  ) {
    mayWait = allowGrouping
    completion = body
    let environment = handle.environment
    environment.commits.enqueue(self, environment)
    environment.leaveWriting()
  }

  /// Has them committed without waiting for others.
  package func hasten() { handle.environment.commits.hasten() }

  /// Blocks until they are durable.
  package func wait() throws(StoreError) { try handle.environment.commits.wait(for: self).get() }

  /// Notes the commit that they become part of.
  func noteVersion(_ version: UInt64) { lock.withLock { self.version = version } }

  /// Whether a reader that sees that commit sees them.
  func isCommitted(by seen: UInt64) -> Bool { lock.withLock { version > 0 && version <= seen } }

  /// The commit that must be the last one before they are committed.
  var expectedBase: UInt64 { max(baseVersion, previous?.committedVersion ?? 0) }

  /// The commit that they became part of.
  var committedVersion: UInt64 { lock.withLock { version } }

  /// What became of the changes that they lie upon, where those failed; under the lock of the queue.
  var failureBelow: Result<Void, StoreError>? {
    guard case .failure(let error) = previous?.outcome else { return nil }
    return .failure(error)
  }

  /// Calls the completion and releases it: it usually holds the owner of the changes. On the writer thread, once.
  func complete(_ outcome: Result<Void, StoreError>) {
    let body = completion
    completion = nil
    body?(outcome)
  }

  /// Notes how it went; under the lock of the queue.
  func settle(_ outcome: Result<Void, StoreError>) {
    self.outcome = outcome
    previous = nil
  }
}

extension LMDBTransaction {
  /// Lays the changes of several transactions into the pages, in their order.
  func lay(_ group: [SealedChanges]) throws(StoreError) {
    guard let first = group.first else { return }
    try requireBase(first.expectedBase)
    for changes in group { changes.noteVersion(version) }
    let all = WriteBatch()
    for changes in group { all.merge(changes.batch) }
    for (key, value) in all.entries() {
      if let value { try put(key, value.bytes) } else { try delete(key) }
    }
    try Journal.append(group.flatMap(\.journal), to: self)
  }

  /// Throws where somebody wrote who does not take turns as Cairn does.
  func requireBase(_ expected: UInt64) throws(StoreError) {
    guard version == expected + 1 else {
      throw StoreError(
        .locked, "\(environment.path) was written to by another program meanwhile; try again")
    }
  }
}
