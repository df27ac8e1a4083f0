import CairnStorage

extension Session {
  /// Whether it shows a commit: neither a transaction is open nor one on its way to the disk.
  var isAtRest: Bool { transaction == nil && sealed == nil && !isFrozen }

  /// Tells the observers what is due.
  func deliver() {
    guard isAtRest else { return }
    observers.deliver(self)
    hearOfChange()
    // Where a block wrote, some were told of the state before.
    if observers.areDue { waker.wake() }
  }

  /// Lets observers be told, later, of the state that the session goes on to.
  func noteState() {
    guard !observers.isEmpty else { return }
    observers.hasChanged = true
    waker.wake()
  }

  /// Calls the blocks of the realm's observers, except those that know the new state.
  func hearOfChange(except spared: [Observation] = []) {
    guard observers.hasChanged else { return }
    observers.hasChanged = false
    observers.hear(.didChange, except: spared)
  }

  /// The owner's turn: the session goes on to what was committed elsewhere, and observers are told.
  ///
  /// A transaction that is open, or on its way to the disk, asks for another turn when it ends.
  func takeTurn() {
    guard transaction == nil, sealed == nil || sealed?.outcome.present != nil else { return }
    startWatching()
    if autorefresh {
      // Where the store cannot be read now it stays at its state; the next commit asks for another turn.
      _ = try? refresh()
    } else {
      noteOtherCommits()
      deliver()
    }
  }

  private func noteOtherCommits() {
    guard let latest = try? store.snapshot(), latest.version != snapshot.version else { return }
    observers.hear(.refreshRequired)
  }

  /// Asks for a turn from now on when anyone commits. Begun in a turn: where none ever comes, nothing runs.
  private func startWatching() {
    guard commits == nil else { return }
    let waker = waker
    commits = store.watch { _ in waker.wake() }
  }

  // MARK: Before writing

  /// A transaction over a state that observers were told of before it was begun: they may take their time, and write with
  /// other realms. Where others keep committing meanwhile they are told while the transaction waits, see `tellBefore`.
  func quietTransaction() throws -> Result<WriteTransaction, StoreError> {
    for _ in 0..<Self.quietAttempts where held == nil && !observers.isEmpty {
      try settle()
      _ = try goOn()
      deliver()
      checkNotWriting()
      let begun = nextTransaction()
      guard case .success(let transaction) = begun else { return begun }
      _ = try goOn()
      guard observers.areDue else { return begun }
      transaction.rollback()
    }
    return nextTransaction()
  }

  private static let quietAttempts = 4

  /// Ends the program where a transaction is open.
  func checkNotWriting() {
    if transaction != nil {
      programmingError("The Realm is already in a write transaction")
    }
  }

  /// A transaction: the one that was begun and still waits for observers, or one whose turn has come, or else the next.
  func nextTransaction() -> Result<WriteTransaction, StoreError> {
    if let waiting = held {
      held = nil
      return .success(waiting)
    }
    return turnAtHand() ?? Result { () throws(StoreError) in try store.beginWrite() }
  }

  /// Goes on to the state that a transaction begins with, and tells observers of it before it is there to be written to. A
  /// block that writes itself takes the transaction, so that another is begun.
  func tellBefore(_ begun: WriteTransaction) throws -> WriteTransaction {
    var begun = begun
    while !observers.isEmpty {
      held = begun
      defer { held = nil }
      _ = try goOn()
      deliver()
      if let mine = held { return mine }
      checkNotWriting()
      try settle()
      do { begun = try nextTransaction().get() } catch { throw Realm.Error(error) }
    }
    return begun
  }
}
