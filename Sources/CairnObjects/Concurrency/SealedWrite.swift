import CairnStorage

/// A write whose transaction is over for the program, and which is on its way to the disk. Its session shows the
/// transaction's tables meanwhile.
final class SealedWrite: @unchecked Sendable {
  // Sendable: other threads only come with the outcome; the rest is the session's.
  let transaction: WriteTransaction
  let outcome = Arrival<Result<Void, StoreError>>()
  /// Who waits for the outcome besides the session, by number.
  var waiting: [AsyncTransactionId] = []

  init(_ transaction: WriteTransaction) { self.transaction = transaction }
}

extension Session {
  /// Ends the open transaction, whose changes stay to be seen; `body` runs on another thread once they are durable, or
  /// could not be made so.
  ///
  /// - Returns: nil where nothing was written, so that nothing is to be waited for.
  /// - Throws: `Realm.Error`; nothing was written then.
  func seal(then body: @escaping @Sendable (SealedWrite) -> Void) throws -> SealedWrite? {
    guard let open = transaction else {
      programmingError("Can't commit a non-existing write transaction")
    }
    packCollections()
    openCollections.forgetAll()
    transaction = nil
    let changes: SealedChanges?
    do { changes = try open.seal() } catch {
      try moveOn()
      askForTurn()
      throw Realm.Error(error)
    }
    guard let changes else {
      try moveOn()
      askForTurn()
      return nil
    }
    let write = SealedWrite(open)
    sealed = write
    moveHandles()
    changes.commit { outcome in
      write.outcome.come(outcome)
      body(write)
    }
    askForTurn()
    return write
  }

  /// Waits until what was sealed is durable, and goes on with the store as it is then.
  func settle() throws {
    guard let write = sealed else { return }
    _ = write.outcome.wait()
    sealed = nil
    defer { write.transaction.release() }
    try moveOn()
    noteState()
  }
}

extension SealedWrite {
  /// Why it could not be made durable; waits until that is known.
  var error: Realm.Error? {
    guard case .failure(let error) = outcome.wait() else { return nil }
    return Realm.Error(error)
  }
}
