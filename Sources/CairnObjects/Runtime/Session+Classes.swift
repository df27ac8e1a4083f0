import CairnStorage
import CairnSystem

/// The classes of a session, and the handles through which its objects and results read them.
extension Session {
  /// The class of that name; nil if neither the store nor the program has one.
  func handle(_ name: String) -> ClassHandle? {
    lock.withLock { _ in lockedHandle(name) }
  }

  /// The class of that name, for callers that hold the lock.
  func lockedHandle(_ name: String) -> ClassHandle? {
    if let cached = classes.handle(name) { return cached }
    guard let table = table(name) else { return nil }
    let handle = ClassHandle(self, table: table)
    classes.add(handle, named: name, isShared: isFrozen)
    return handle
  }

  /// The object that keeps the handles alive for a realm.
  func makeHandleKeeper() -> HandleKeeper { lock.withLock { _ in classes.makeKeeper() } }

  private func table(_ name: String) -> Table? {
    if let writing = state.tableSource { return writing.table(name)?.table }
    return snapshot.table(name)
  }

  /// The classes of the present snapshot and those that only the program has.
  var schema: StoreSchema {
    isFrozen
      ? frozenSchema
      : state.tableSource?.schema ?? snapshot.declaredSchema
  }

  /// The stored class of a Swift class. The next write creates it in the store if it is missing.
  ///
  /// - Throws: ``Realm/Error`` if the class itself is wrong, or does not fit the store.
  func handle(for layout: ObjectLayout) throws -> ClassHandle {
    if isFrozen { return try frozenHandle(for: layout) }
    if !classes.contains(layout) { try register(layout) }
    guard let handle = handle(layout.className) else {
      throw Realm.Error(.fail, description: "Class '\(layout.className)' is not in the store.")
    }
    return handle
  }

  /// The layout of the class of that name; nil if the program has not used it.
  func layout(named name: String) -> ObjectLayout? {
    isFrozen ? lock.withLock { _ in classes.layouts[name] } : classes.layouts[name]
  }

  /// The layout by which objects of that class are read by name; nil in a migration, where the
  /// classes of the program may not fit the objects yet.
  func dynamicLayout(named name: String) -> ObjectLayout? {
    oldSession == nil ? layout(named: name) : nil
  }

  /// Registers a class and everything that it leads to.
  ///
  /// - Throws: ``Realm/Error`` with every mistake in the classes, and every difference from the
  ///   store.
  func register(_ layout: ObjectLayout) throws {
    try finishPendingWrite()
    try checkListed(layout)
    let fresh = classes.unregistered(reachableFrom: layout)
    try ObjectLayout.check(fresh, alongside: classes.layouts)
    try migrateClasses(fresh)
    try check(fresh, fit: schema)
    classes.register(fresh)
    oldSession?.successorLayouts = classes.layouts
    try applyProgramClasses()
    moveHandles()
  }

  func check(_ fresh: [ObjectLayout], fit schema: StoreSchema) throws {
    let differences = fresh.flatMap { layout in
      schema.table(named: layout.className).map(layout.differences) ?? []
    }
    guard differences.isEmpty else {
      throw Realm.Error(
        .schemaMismatch, sentences: differences,
        under: "The store has other properties than the program's classes:",
        suggestion:
          "Raise schemaVersion above \(configuration.schemaVersion) in the configuration to "
          + "migrate the store."
      )
    }
  }

  /// Adds the program's classes to the present snapshot. A transaction creates those that the store
  /// lacks.
  func applyProgramClasses() throws {
    do {
      // The last snapshot has the classes before their alteration; it is updated when the
      // transaction has ended.
      if transaction == nil || !hasAlteredClasses { try snapshot.declare(classes.drafts) }
      try transaction?.declareClasses(classes.drafts)
    } catch { throw Realm.Error(error) }
  }

  /// Ends all handles. Each reads a table that the body returns for it; new handles replace them.
  func detachHandles(_ table: (ClassHandle) -> Table?) {
    version += 1
    insertions = [:]
    for weak in classes.handles.values {
      guard let handle = weak.handle else { continue }
      handle.isEnded = true
      if let table = table(handle) { handle.move(to: table) }
    }
    classes.removeHandles()
    snapshotCaches.evictAll()
  }

  /// Moves every handle to the present snapshot.
  func moveHandles() {
    version += 1
    insertions = [:]
    for (name, weak) in classes.handles {
      if let handle = weak.handle, let table = table(name) { handle.move(to: table) }
    }
  }
}
