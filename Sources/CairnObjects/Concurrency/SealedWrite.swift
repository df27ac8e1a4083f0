import CairnStorage

/// A write whose transaction is over for the program, and which is on its way to the disk. Its session shows the
/// transaction's tables meanwhile.
final class SealedWrite: @unchecked Sendable {
  // Sendable: other threads only come with the outcome; the rest is the session's.
  let transaction: WriteTransaction
  let outcome = Arrival<Result<Void, StoreError>>()
  private let changes: SealedChanges
  /// Who waits for the outcome besides the session, by number.
  var waiting: [AsyncTransactionId] = []

  init(_ transaction: WriteTransaction, _ changes: SealedChanges) {
    self.transaction = transaction
    self.changes = changes
  }

  /// Sends it to the disk; `body` runs on another thread once it is there, or could not get there.
  func commit(allowGrouping: Bool, then body: @escaping @Sendable (SealedWrite) -> Void) {
    changes.commit(allowGrouping: allowGrouping) { [self] result in
      outcome.come(result)
      body(self)
    }
  }

  /// Waits until it is known how it went.
  func wait() -> Result<Void, StoreError> {
    if outcome.present == nil { changes.hasten() }
    return outcome.wait()
  }
}

extension Session {
  /// Ends the open transaction, whose changes stay to be seen; `body` runs on another thread once they are durable, or
  /// could not be made so.
  ///
  /// - Parameter allowGrouping: whether that may take a moment longer, so that others come along.
  /// - Returns: nil where nothing was written, so that nothing is to be waited for.
  /// - Throws: `Realm.Error`; nothing was written then.
  func seal(
    allowGrouping: Bool = false, then body: @escaping @Sendable (SealedWrite) -> Void
  ) throws -> SealedWrite? {
    guard let open = transaction else {
      programmingError("Can't commit a non-existing write transaction")
    }
    packCollections()
    openCollections.forgetAll()
    transaction = nil
    let changes: SealedChanges?
    do {
      try checkActiveVersions(open)
      changes = try open.seal()
    } catch {
      try moveBack()
      askForTurn()
      throw (error as? StoreError).map { Realm.Error($0) } ?? error
    }
    guard let changes else {
      try moveBack()
      askForTurn()
      return nil
    }
    let write = SealedWrite(open, changes)
    sealed?.transaction.release()
    sealed = write
    moveHandles()
    write.commit(allowGrouping: allowGrouping, then: body)
    askForTurn()
    return write
  }

  /// Waits until what was sealed is durable, and goes on with the store as it is then.
  func settle() throws {
    guard let write = sealed else { return }
    _ = write.wait()
    sealed = nil
    defer { write.transaction.release() }
    try moveOn()
    noteState()
  }

  /// Leaves the tables of a transaction that has ended for what was sealed before, or for those of the last commit.
  func moveBack() throws {
    if sealed == nil { try moveOn() } else { moveHandles() }
  }
}

extension SealedWrite {
  /// Why it could not be made durable; waits until that is known.
  var error: Realm.Error? {
    guard case .failure(let error) = wait() else { return nil }
    return Realm.Error(error)
  }
}
