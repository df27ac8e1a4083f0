import CairnStorage
import CairnValues

/// Write transactions: while one is open, the tables of all handles are those of the transaction.
extension Session {
  /// Begins a transaction; waits for other writers.
  func beginWrite() throws {
    checkNotWriting()
    try open(quietTransaction())
  }

  /// Goes on in a transaction, which lies upon what was sealed before.
  func open(_ begun: Result<WriteTransaction, StoreError>) throws {
    hasAlteredClasses = false
    let begun = try fitting(try begun.mapError { Realm.Error($0) }.get())
    if observers.isEmpty {
      transaction = begun
    } else {
      // They are told of what is committed.
      try settle()
      transaction = try fitting(try tellBefore(begun))
    }
    do { try makeKnown() } catch {
      cancelWrite()
      throw error
    }
    moveHandles()
  }

  /// The transaction, if the program's classes still fit the store; else it ends.
  private func fitting(_ open: WriteTransaction) throws -> WriteTransaction {
    do { try checkFit(open.schema) } catch {
      open.rollback()
      askForTurn()
      throw error
    }
    return open
  }

  /// Makes what was written durable and visible to others.
  ///
  /// - Parameter spared: observers that are not told of it: they know.
  func commitWrite(sparing spared: [Observation] = []) throws {
    let open = openTransaction("Can't commit a non-existing write transaction")
    packCollections()
    openCollections.forgetAll()
    transaction = nil
    let outcome = Swift.Result {
      try checkActiveVersions(open)
      try open.commit()
    }
    defer { askForTurn() }
    if sealed == nil { try moveOn() } else { try settle() }
    do { _ = try outcome.get() } catch let error as StoreError { throw Realm.Error(error) }
    Logger.log(.debug, Category.Storage.transaction, "committed to '\(store.path)'")
    for observation in spared where !observation.isEnded { observation.skip() }
    noteState()
    hearOfChange(except: spared)
  }

  /// Drops what was written. Objects that were added are invalidated: their rows are nobody's again.
  func cancelWrite() {
    let open = openTransaction("Can't cancel a non-existing write transaction")
    openCollections.forgetAll()
    transaction = nil
    open.rollbackSpendingKeys()
    forgetAlteredClasses()
    Logger.log(.debug, Category.Storage.transaction, "cancelled a write to '\(store.path)'")
    trapping { try moveBack() }
    askForTurn()
    if observers.areDue { waker.wake() }
  }

  /// The class to write to; outside a transaction that is a programming error.
  func writer(of handle: ClassHandle) -> TableWriter {
    checkQuickly()
    guard let transaction, let writer = transaction.table(handle.name) else {
      programmingError(isFrozen ? Session.frozenWrite : Session.notWriting)
    }
    return writer
  }

  /// Leaves the transaction's tables for those of the last commit.
  func moveOn() throws {
    let latest: Snapshot
    do { latest = try store.snapshot() } catch { throw Realm.Error(error) }
    // Classes that somebody has altered meanwhile are for the next write, or the next refresh, to complain of.
    if (try? checkFit(latest.schema)) == nil { return move(to: snapshot) }
    move(to: latest)
  }

  private func openTransaction(_ mistake: String) -> WriteTransaction {
    guard let transaction else { programmingError(mistake) }
    return transaction
  }

  /// What was worked out before is known to be stale from now on.
  func noteChange() { version += 1 }
}
