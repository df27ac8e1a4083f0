import CairnSystem

/// The transactions of a store that wait to be committed, in order, and the process's writer lock.
///
/// While one commit is on its way to the disk, the next transactions are edited on top of it, and
/// everything that arrives meanwhile is committed as one group. When a transaction fails, every
/// transaction on top of it fails too.
final class CommitQueue: @unchecked Sendable {
  // Sendable: the mutable state is touched under `lock`; `processLock` only by the holder of the
  // FIFO writer lock.
  private let lock = Lock()
  private let changed = ConditionVariable()
  private let processLock: ProcessWriterLock?
  private var queued: [PendingCommit] = []
  private var inFlight: [PendingCommit] = []
  /// Whether the writer thread is committing.
  private var isRunning = false
  /// Whether a caller waits for the queued transactions.
  private var flushRequested = false
  /// Whether the holder of the FIFO writer lock is editing.
  private var isEditing = false
  /// Whether the process holds the inter-process writer lock.
  private var holdsWriterLock = false
  /// The time since when other processes have hardly had a chance to write, and the time of their
  /// last chance, in milliseconds.
  private var busySince = 0
  private var releasedAt = 0

  /// The longest time, in milliseconds, that other processes wait while transactions of this one
  /// follow each other. Only tests change it, before the first transaction.
  var maxHoldMilliseconds = 100
  /// The microseconds that other processes then get to take the lock.
  private static let pause: UInt32 = 300
  /// The milliseconds that a commit waits for others to join its group, and the largest group.
  private static let groupCommitDelay = 3
  private static let maxGroupSize = 64

  init(_ processLock: ProcessWriterLock?) { self.processLock = processLock }

  /// Whether nothing waits to be committed.
  var isIdle: Bool { lock.withLock { isDrained } }

  private var isDrained: Bool { queued.isEmpty && inFlight.isEmpty }

  // MARK: Writer lock

  /// Takes the process's writer lock. The caller holds the FIFO writer lock.
  ///
  /// - Returns: The transactions that are not committed yet.
  func acquire() throws(StoreError) -> [PendingCommit] {
    lock.lock()
    defer { lock.unlock() }
    isEditing = true
    if isOverdue {
      waitUntilDrained()
      if holdsWriterLock { processLock?.release() }
      holdsWriterLock = false
      // Nobody else changes the queue now, and a caller that waits for it must not wait for other
      // processes as well.
      lock.unlock()
      usleep(Self.pause)
      lock.lock()
      busySince = MonotonicClock.milliseconds
    }
    if !holdsWriterLock {
      lock.unlock()
      let taken = Result { () throws(StoreError) in try processLock?.acquire() }
      lock.lock()
      if case .failure(let error) = taken {
        isEditing = false
        throw error
      }
      noteAcquired()
    }
    return inFlight + queued
  }

  /// Whether other processes have waited long enough, if any waits.
  private var isOverdue: Bool {
    let now = MonotonicClock.milliseconds
    return processLock != nil && now - busySince > maxHoldMilliseconds
      && (holdsWriterLock || now - releasedAt <= 1)
  }

  private func noteAcquired() {
    holdsWriterLock = true
    let now = MonotonicClock.milliseconds
    if now - releasedAt > 1 { busySince = now }
  }

  /// Takes the writer lock if that needs no wait for another process.
  ///
  /// - Returns: Whether the lock was taken.
  func tryAcquire() -> Bool {
    lock.withLock {
      guard !isOverdue else { return false }
      if !holdsWriterLock {
        guard processLock?.tryAcquire() ?? true else { return false }
        noteAcquired()
      }
      isEditing = true
      return true
    }
  }

  /// Releases the writer lock, unless queued transactions have to be committed first.
  func release() {
    lock.withLock {
      isEditing = false
      releaseIfDrained()
    }
  }

  private func releaseIfDrained() {
    guard !isEditing, isDrained, holdsWriterLock else { return }
    processLock?.release()
    holdsWriterLock = false
    releasedAt = MonotonicClock.milliseconds
  }

  /// Lets other processes write. The caller holds the FIFO writer lock and has begun nothing.
  func yieldWriterLock() throws(StoreError) {
    drain()
    processLock?.release()
    usleep(Self.pause)
    try processLock?.acquire()
  }

  // MARK: Commits

  /// Adds changes to the queue and starts the writer thread where it is idle.
  func enqueue(_ changes: PendingCommit, environment: Environment) {
    lock.withLock {
      if let failure = changes.previousFailure {
        changes.finish(failure)
        return environment.writer.submit { changes.complete(failure) }
      }
      queued.append(changes)
      changed.signalAll()
      guard !isRunning else { return }
      isRunning = true
      environment.writer.submit { [self] in while commitNext() {} }
    }
  }

  /// Commits the queued transactions at once.
  func flush() {
    lock.withLock {
      flushRequested = true
      changed.signalAll()
    }
  }

  /// Blocks until nothing waits to be committed.
  func drain() { lock.withLock { waitUntilDrained() } }

  private func waitUntilDrained() {
    while !isDrained {
      flushRequested = true
      changed.signalAll()
      changed.wait(lock)
    }
  }

  /// The outcome of the commit of `changes`, or nil before it is known.
  func outcome(of changes: PendingCommit) -> Result<Void, StoreError>? {
    lock.withLock { changes.outcome }
  }

  /// Blocks until the outcome of the commit of `changes` is known.
  func wait(for changes: PendingCommit) -> Result<Void, StoreError> {
    lock.withLock {
      while true {
        if let outcome = changes.outcome { return outcome }
        if changes.allowsGrouping { flushRequested = true }
        changed.wait(lock)
      }
    }
  }

  /// Commits the queued transactions on the writer thread; false if the queue was empty.
  private func commitNext() -> Bool {
    guard let group = next() else { return false }
    let outcome = Result { () throws(StoreError) in
      let lmdb = try LMDBTransaction(writing: group[0].handle)
      defer { lmdb.abort() }
      try lmdb.cleanUp()
      try lmdb.apply(group)
      try lmdb.commit()
    }
    for changes in finish(group, outcome: outcome) { changes.complete(outcome) }
    return true
  }

  private func next() -> [PendingCommit]? {
    lock.withLock {
      waitForGroup()
      flushRequested = false
      guard !queued.isEmpty else {
        isRunning = false
        return nil
      }
      inFlight = queued
      queued = []
      return inFlight
    }
  }

  /// Waits for more transactions to join the group, if all of those queued may wait.
  private func waitForGroup() {
    let end = MonotonicClock.milliseconds + Self.groupCommitDelay
    while !flushRequested, !queued.isEmpty, queued.count < Self.maxGroupSize,
      queued.allSatisfy(\.allowsGrouping)
    {
      let rest = end - MonotonicClock.milliseconds
      guard rest > 0 else { return }
      changed.wait(lock, milliseconds: rest)
    }
  }

  /// Records the outcome of a group.
  ///
  /// - Returns: All transactions that share the outcome: after a failure these are the queued ones
  ///   too.
  private func finish(
    _ group: [PendingCommit], outcome: Result<Void, StoreError>
  ) -> [PendingCommit] {
    lock.withLock {
      var finished = group
      if case .failure = outcome {
        finished += queued
        queued = []
      }
      for changes in finished { changes.finish(outcome) }
      inFlight = []
      releaseIfDrained()
      changed.signalAll()
      return finished
    }
  }
}
