import CairnStorage

/// A committed write transaction that is on its way to the disk. Meanwhile its session reads the
/// transaction's tables.
final class PreparedWrite: @unchecked Sendable {
  // Sendable: other threads only deliver the outcome; everything else belongs to the session.
  let transaction: WriteTransaction
  let outcome = Promise<Result<Void, StoreError>>()
  private let changes: PendingCommit
  /// The asynchronous commits, by identifier, that complete with this write.
  var waiting: [AsyncTransactionId] = []

  init(_ transaction: WriteTransaction, changes: PendingCommit) {
    self.transaction = transaction
    self.changes = changes
  }

  /// Starts to make the write durable; `body` runs on another thread once that succeeded or failed.
  func commit(allowGrouping: Bool, then body: @escaping @Sendable (PreparedWrite) -> Void) {
    changes.commit(allowGrouping: allowGrouping) { [self] result in
      outcome.fulfill(result)
      body(self)
    }
  }

  /// Whether the write was a commit of its own, once that has succeeded.
  var isAlone: Bool { changes.isAlone }

  /// Waits for the outcome.
  func wait() -> Result<Void, StoreError> {
    if outcome.present == nil { changes.flush() }
    return outcome.wait()
  }
}

extension Session {
  /// Ends the open transaction and keeps its changes visible. `body` runs on another thread once
  /// the changes are durable or failed to become so.
  ///
  /// - Parameter allowGrouping: Whether the commit may wait a moment so that later commits can join
  ///   it.
  /// - Returns: nil if nothing was written, so there is nothing to wait for.
  /// - Throws: `Realm.Error`; in that case nothing was written.
  func prepareCommit(
    allowGrouping: Bool = false, then body: @escaping @Sendable (PreparedWrite) -> Void
  ) throws -> PreparedWrite? {
    let open = openTransaction("Can't commit a non-existing write transaction")
    packCollections()
    openCollections.discardAll()
    state.endWrite()
    let changes: PendingCommit?
    do {
      try checkActiveVersions(open)
      changes = try open.seal()
    } catch {
      try leavingFailure { try returnToSnapshot() }
      requestWriterLock()
      throw (error as? StoreError).map { Realm.Error($0) } ?? error
    }
    guard let changes else {
      try returnToSnapshot()
      requestWriterLock()
      return nil
    }
    let write = PreparedWrite(open, changes: changes)
    state.prepare(write)?.transaction.release()
    moveHandles()
    let timer = EventTimer(configuration.events, store: configuration.storeName)
    write.commit(allowGrouping: allowGrouping) { write in
      timer.report(write.error == nil ? .committed : .failedCommit)
      body(write)
    }
    requestWriterLock()
    return write
  }

  /// Waits until the prepared write is durable, and advances to the resulting snapshot.
  func finishPendingWrite() throws {
    guard let write = pendingWrite else { return }
    let outcome = write.wait()
    state.finishPendingWrite()
    defer { write.transaction.release() }
    if case .success = outcome {
      try advanceAfterCommit(isAlone: write.isAlone)
    } else {
      try leavingFailure { try advanceAfterCommit() }
    }
    scheduleDelivery()
    warnOfGrowth()
  }

  /// Switches from the tables of an ended transaction to those of the prepared write, if any, or of
  /// the last commit.
  func returnToSnapshot() throws {
    if pendingWrite == nil { try advanceAfterCommit() } else { moveHandles() }
  }
}

extension PreparedWrite {
  /// The error that prevented the write from becoming durable, or nil. Waits for the outcome.
  var error: Realm.Error? {
    guard case .failure(let error) = wait() else { return nil }
    return Realm.Error(error)
  }
}
