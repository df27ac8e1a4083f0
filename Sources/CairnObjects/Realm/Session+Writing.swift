import CairnStorage
import CairnValues

/// Write transactions: while one is open, the tables of all handles are those of the transaction.
extension Session {
  /// Begins a transaction; waits for other writers.
  func beginWrite() throws {
    guard transaction == nil else {
      programmingError("The Realm is already in a write transaction")
    }
    let transaction: WriteTransaction
    do { transaction = try store.beginWrite() } catch { throw Realm.Error(error) }
    self.transaction = transaction
    do { try makeKnown() } catch {
      cancelWrite()
      throw error
    }
    moveHandles()
  }

  /// Makes what was written durable and visible to others.
  func commitWrite() throws {
    let open = openTransaction("Can't commit a non-existing write transaction")
    packCollections()
    openCollections.forgetAll()
    transaction = nil
    let outcome = Swift.Result { try open.commit() }
    try moveOn()
    do { try outcome.get() } catch let error as StoreError { throw Realm.Error(error) }
  }

  /// Drops what was written. Objects that were added are invalidated: their rows are nobody's again.
  func cancelWrite() {
    let open = openTransaction("Can't cancel a non-existing write transaction")
    openCollections.forgetAll()
    transaction = nil
    open.rollbackSpendingKeys()
    trapping { try moveOn() }
  }

  /// The class to write to; outside a transaction that is a programming error.
  func writer(of handle: ClassHandle) -> TableWriter {
    guard let transaction, let writer = transaction.table(handle.name) else {
      programmingError(isFrozen ? Session.frozenWrite : Session.notWriting)
    }
    return writer
  }

  /// Leaves the transaction's tables for those of the last commit.
  private func moveOn() throws {
    do { move(to: try store.snapshot()) } catch { throw Realm.Error(error) }
  }

  private func openTransaction(_ mistake: String) -> WriteTransaction {
    guard let transaction else { programmingError(mistake) }
    return transaction
  }

  /// What was worked out before is known to be stale from now on.
  func noteChange() { version += 1 }
}
