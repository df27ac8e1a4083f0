import CairnStorage

extension Session {
  /// Whether the session shows a commit: no transaction is open, and no commit is pending.
  var showsCommit: Bool { !isFrozen && state.phase == .reading }

  /// Notifies the observers that are due.
  func deliver() {
    guard showsCommit else { return }
    observers.deliver(self)
    notifyOfChange()
    // If a block wrote, observers before it were notified of the snapshot before that write.
    if observers.hasDue { waker.wake() }
  }

  /// Schedules a notification of the snapshot that the session has advanced to.
  func scheduleDelivery() {
    guard !observers.isEmpty || trackedSites != nil else { return }
    observers.hasChanged = true
    waker.wake()
  }

  /// Calls the blocks of the realm's observers, except for those that already know the new
  /// snapshot.
  func notifyOfChange(except excluded: [Subscription] = []) {
    guard observers.hasChanged else { return }
    observers.hasChanged = false
    observers.notify(.didChange, except: excluded)
  }

  /// Runs in the owner's isolation: the session advances to the last commit, and observers are
  /// notified.
  ///
  /// If a transaction is open or a commit is pending, its end schedules another run.
  func deliverChanges() {
    startWatching()
    guard transaction == nil, pendingWrite == nil || pendingWrite?.outcome.present != nil else {
      return
    }
    if autorefresh {
      // If the store cannot be read now, the session keeps its snapshot; the next commit schedules
      // another run.
      _ = try? refresh()
    } else {
      notifyOfOtherCommits()
      deliver()
    }
  }

  private func notifyOfOtherCommits() {
    guard let latest = try? store.snapshot(), latest.version != snapshot.version else { return }
    observers.notify(.refreshRequired)
  }

  /// Watches for commits from now on. It begins with the first run, so that nothing is watched if
  /// none ever comes.
  private func startWatching() {
    guard commits == nil else { return }
    let waker = waker
    commits = store.watch { _ in waker.wake() }
  }

  // MARK: Before writing

  /// Begins a transaction on a snapshot that observers were notified of beforehand, because they
  /// may take their time and write with other realms. If others keep committing meanwhile,
  /// observers are notified while the transaction waits; see `notifyBefore(_:)`.
  func beginAfterNotifying() throws -> Result<WriteTransaction, StoreError> {
    for _ in 0..<Self.maxNotifyingAttempts
    where state.waitingTransaction == nil && !observers.isEmpty {
      try finishPendingWrite()
      _ = try advance()
      deliver()
      checkNotWriting()
      let begun = nextTransaction()
      guard case .success(let transaction) = begun else { return begun }
      _ = try advance()
      guard observers.hasDue else { return begun }
      transaction.rollback()
    }
    return nextTransaction()
  }

  private static let maxNotifyingAttempts = 4

  /// Ends the program if a transaction is open.
  func checkNotWriting() {
    if transaction != nil {
      programmingError("The Realm is already in a write transaction")
    }
    checkNotReporting()
  }

  /// The next transaction: one that has begun and waits for observers, one that has been granted
  /// the writer lock, or a new one.
  func nextTransaction() -> Result<WriteTransaction, StoreError> {
    if let waiting = state.takeWaiting() { return .success(waiting) }
    return grantedTransaction() ?? Result { () throws(StoreError) in try store.beginWrite() }
  }

  /// Advances to the snapshot of a transaction, and notifies observers of it before the transaction
  /// is used. A block that writes takes over the transaction, so that another one is begun.
  func notifyBefore(_ begun: WriteTransaction) throws -> WriteTransaction {
    var begun = begun
    while !observers.isEmpty {
      state.wait(begun)
      defer { _ = state.takeWaiting() }
      _ = try advance()
      deliver()
      if let waiting = state.waitingTransaction { return waiting }
      checkNotWriting()
      try finishPendingWrite()
      do { begun = try nextTransaction().get() } catch { throw Realm.Error(error) }
    }
    return begun
  }
}
