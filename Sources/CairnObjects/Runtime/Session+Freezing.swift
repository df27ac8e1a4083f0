import CairnStorage
import CairnSystem

/// A frozen session reads one snapshot for its whole life. Its lock guards its caches, so any
/// number of threads may read through it at once.
extension Session {
  /// Returns the current snapshot, frozen; inside a write transaction, the snapshot at which the
  /// transaction began.
  func frozen() -> Session {
    if isFrozen { return self }
    checkThread()
    if let transaction { return frozen(before: transaction) }
    orFatal { try finishPendingWrite() }
    return frozen(at: snapshot)
  }

  /// Returns the last commit, frozen. While the transaction is open only the commits before it can
  /// complete.
  private func frozen(before open: WriteTransaction) -> Session {
    // If these fail, the transaction reports it when it is committed.
    try? open.waitForBase()
    return frozen(at: orFatal { try store.snapshot() })
  }

  private func frozen(at state: Snapshot) -> Session {
    if let cached = lastFrozen, cached.frozenVersion == state.version { return cached }
    let frozen = orFatal { try Session(freezing: state, of: self) }
    lastFrozen = frozen
    return frozen
  }

  /// The version of the snapshot.
  var frozenVersion: UInt64 { lock.withLock { _ in snapshot.version } }

  /// Creates the tables of all classes in advance, so that no reader has to.
  func makeTables() {
    for schema in snapshot.declaredSchema.tables { _ = snapshot.table(schema.name) }
  }

  /// The classes of the snapshot and the further classes that the program declares.
  var frozenSchema: StoreSchema { lock.withLock { _ in snapshot.declaredSchema } }

  /// Returns the class in which an object class is stored.
  ///
  /// - Throws: `Realm.Error` if the class has mistakes or does not match the class in the store.
  func frozenHandle(for layout: ObjectLayout) throws -> ClassHandle {
    try checkListed(layout)
    return try lock.withLock { _ in
      if !classes.contains(layout) { try registerFrozen(layout) }
      guard let handle = lockedHandle(layout.className) else {
        throw Realm.Error(.fail, description: "Class '\(layout.className)' is not in the store.")
      }
      return handle
    }
  }

  /// Registers a class and every class it reaches. Requires the lock. Handles that other threads
  /// read through do not change.
  private func registerFrozen(_ layout: ObjectLayout) throws {
    let fresh = classes.unregistered(reachableFrom: layout)
    try ObjectLayout.check(fresh, alongside: classes.layouts)
    try check(fresh, fit: snapshot.declaredSchema)
    classes.register(fresh)
    do { snapshot = try Snapshot(sharing: snapshot, declaring: classes.drafts) } catch {
      throw Realm.Error(error)
    }
    makeTables()
    for layout in fresh { classes.removeHandle(layout.className) }
  }
}

extension Session {
  /// Drops a transaction whose commit would leave more versions than the configuration allows.
  ///
  /// - Throws: `Realm.Error` in that case.
  func checkActiveVersions(_ open: WriteTransaction) throws {
    guard let most = configuration.maximumNumberOfActiveVersions else { return }
    // The session advances to the version that it commits, so the one that it reads now does not
    // count.
    state.releaseSnapshot()
    let count = open.activeVersionCount
    guard count > most else { return }
    open.rollback()
    throw Realm.Error(
      .fail,
      description:
        "Number of active versions (\(count)) in the Realm exceeded the limit of \(most): a reader "
        + "still holds an old version. Release frozen objects, refresh realms of bare threads, or "
        + "raise maximumNumberOfActiveVersions.")
  }
}

extension Realm {
  /// The number of versions of the store from the oldest that any process still reads to the
  /// newest, both included. If the number keeps growing, a reader holds an old version, and the
  /// file grows.
  public var numberOfActiveVersions: UInt {
    let held = checked.store.heldVersions()
    guard let oldest = held.first, let newest = try? checked.store.snapshot().version else {
      return 1
    }
    return UInt(newest - min(oldest, newest) + 1)
  }
}
