import CairnStorage

/// A frozen session reads one state for good. What it remembers on the way is guarded by its lock, so that any number
/// of threads may read through it at once.
extension Session {
  /// The present state, frozen; inside a write transaction the state that the transaction began with.
  func frozen() -> Session {
    if isFrozen { return self }
    checkThread()
    if let transaction { return frozen(before: transaction) }
    trapping { try settle() }
    return frozen(at: snapshot)
  }

  /// The last commit, frozen: nobody commits while the transaction is open but those before it.
  private func frozen(before open: WriteTransaction) -> Session {
    // Where they fail the transaction says so when it is committed.
    try? open.settleBase()
    return frozen(at: trapping { try store.snapshot() })
  }

  private func frozen(at state: Snapshot) -> Session {
    if let known = lastFrozen, known.frozenVersion == state.version { return known }
    let frozen = trapping { try Session(freezing: state, of: self) }
    lastFrozen = frozen
    return frozen
  }

  /// The number of the state.
  var frozenVersion: UInt64 { lock.withLock { _ in snapshot.version } }

  /// Makes the tables of all classes, so that no reader has to.
  func makeTables() {
    for schema in snapshot.knownSchema.tables { _ = snapshot.table(schema.name) }
  }

  /// The classes of the state, and those that the program has besides.
  var frozenSchema: CairnStorage.Schema { lock.withLock { _ in snapshot.knownSchema } }

  /// The class that a class of objects is stored in.
  ///
  /// - Throws: `Realm.Error` where the class itself is at fault, or does not fit what the store has.
  func frozenHandle(for layout: ObjectLayout) throws -> ClassHandle {
    try checkListed(layout)
    return try lock.withLock { _ in
      if layouts[layout.className] !== layout { try learn(layout) }
      guard let handle = lockedHandle(layout.className) else {
        throw Realm.Error(.fail, "Class '\(layout.className)' is not in the store.")
      }
      return handle
    }
  }

  /// Takes note of a class and of all that it leads to. Under the lock: handles that others read through stay as they
  /// are.
  private func learn(_ layout: ObjectLayout) throws {
    let fresh = layout.reachable.filter { layouts[$0.className] !== $0 }
    try ObjectLayout.check(fresh, besides: layouts)
    try check(fresh, fit: snapshot.knownSchema)
    for layout in fresh { layouts[layout.className] = layout }
    drafts = layouts.values.map(\.draft)
    do { snapshot = try Snapshot(sharing: snapshot, knowing: drafts) } catch {
      throw Realm.Error(error)
    }
    makeTables()
    for layout in fresh { handles[layout.className] = nil }
  }
}
