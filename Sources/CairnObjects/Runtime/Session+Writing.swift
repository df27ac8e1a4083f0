import CairnStorage
import CairnValues

/// Write transactions. While one is open, all handles read the tables of the transaction.
extension Session {
  /// Begins a transaction, after waiting for other writers.
  func beginWrite() throws {
    checkNotWriting()
    try open(beginAfterNotifying())
  }

  /// Opens a transaction, which builds on the pending commit, if there is one.
  func open(_ begun: Result<WriteTransaction, StoreError>) throws {
    hasAlteredClasses = false
    let begun = try fitting(try begun.mapError { Realm.Error($0) }.get())
    if observers.isEmpty {
      if trackedSites != nil { try showBase() }
      state.begin(begun)
    } else {
      // The observers are notified of what has been committed.
      try finishPendingWrite()
      state.begin(try fitting(try notifyBefore(begun)))
    }
    do { try applyProgramClasses() } catch {
      cancelWrite()
      throw error
    }
    moveHandles()
  }

  /// Advances to the snapshot that a transaction builds on, so that commits of other
  /// sessions are reported first.
  private func showBase() throws {
    if pendingWrite == nil { _ = try advance() }
  }

  /// The transaction, if the program's classes still fit the store; otherwise rolls it back and
  /// throws.
  private func fitting(_ open: WriteTransaction) throws -> WriteTransaction {
    do { try checkFit(open.schema) } catch {
      open.rollback()
      requestWriterLock()
      throw error
    }
    return open
  }

  /// Makes the writes durable and visible to others.
  ///
  /// - Parameter excluded: the observers that are not notified, because they already know the
  ///   writes.
  func commitWrite(excluding excluded: [Subscription] = []) throws {
    let open = openTransaction("Can't commit a non-existing write transaction")
    packCollections()
    openCollections.discardAll()
    state.endWrite()
    let timer = EventTimer(configuration.events, store: configuration.storeName)
    let outcome = Swift.Result {
      try checkActiveVersions(open)
      try open.commit()
    }
    defer { requestWriterLock() }
    let isCommitted = if case .success = outcome { true } else { false }
    timer.report(isCommitted ? .committed : .failedCommit)
    if isCommitted {
      try leave(open)
    } else {
      try leavingFailure { try leave(open) }
    }
    do { _ = try outcome.get() } catch let error as StoreError { throw Realm.Error(error) }
    Logger.log(
      .debug, category: Category.Storage.transaction, message: "committed to '\(store.path)'")
    for subscription in excluded where !subscription.isEnded { subscription.skip() }
    scheduleDelivery()
    notifyOfChange(except: excluded)
    warnOfGrowth()
  }

  /// Leaves the tables of a transaction that has ended.
  private func leave(_ ended: WriteTransaction) throws {
    if pendingWrite == nil {
      try advanceAfterCommit(isAlone: ended.isAloneInCommit)
    } else {
      try finishPendingWrite()
    }
  }

  /// Discards the writes. Objects that were added are invalidated, and their keys are never reused.
  func cancelWrite() {
    let open = openTransaction("Can't cancel a non-existing write transaction")
    discardingChanges(of: open) {
      openCollections.discardAll()
      state.endWrite()
      open.rollbackReservingKeys()
      forgetAlteredClasses()
      Logger.log(
        .debug, category: Category.Storage.transaction,
        message: "cancelled a write to '\(store.path)'")
      orFatal { try returnToSnapshot() }
    }
    requestWriterLock()
    if observers.hasDue || trackedSites != nil { waker.wake() }
  }

  /// The writer of a class; outside a transaction this is a programming error.
  func writer(of handle: ClassHandle) -> TableWriter {
    checkQuickly()
    guard let transaction, let writer = transaction.table(handle.name) else {
      programmingError(isFrozen ? Session.frozenWrite : Session.notWriting)
    }
    return writer
  }

  /// Leaves the transaction's tables for those of the last commit.
  ///
  /// - Parameter isAlone: Whether the session's last write was a commit of its own. Its changes were
  ///   reported already.
  func advanceAfterCommit(isAlone: Bool = false) throws {
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    // The next write or refresh throws if another process has changed classes incompatibly
    // meanwhile.
    if (try? checkFit(latest.schema)) == nil { return move(to: snapshot) }
    if isAlone, latest.version == snapshot.version + 1 { return move(to: latest) }
    showAfterWriting(latest)
  }

  func openTransaction(_ mistake: String) -> WriteTransaction {
    checkNotReporting()
    guard let transaction else { programmingError(mistake) }
    return transaction
  }

  /// Marks results that were computed before as outdated.
  func markChanged() { version += 1 }
}

extension Session {
  /// Releases the snapshot and all handles. The handles that objects and results still hold have no
  /// rows.
  func invalidate() {
    guard !isFrozen else { return }
    checkNotReporting()
    if transaction != nil { cancelWrite() }
    orFatal { try finishPendingWrite() }
    guard let present = state.snapshot else { return }
    observers.endAll()
    changingEverything {
      orFatal {
        let empty = try present.emptyTables()
        detachHandles { empty($0.name) }
      }
    }
    unlockedReads?.leave(present)
    state.releaseSnapshot()
  }
}
