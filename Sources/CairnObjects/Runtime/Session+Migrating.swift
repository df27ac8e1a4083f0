import CairnStorage
import CairnValues

/// The work that a store needs before a realm reads it.
private enum Preparation {
  case nothing
  /// A new store has to record the program's schema version.
  case schemaVersion
  /// Indexes have to be built or removed.
  case indexes
  case migration
  /// Everything has to be deleted.
  case reset
}

extension [ObjectLayout] {
  /// The classes without duplicates, in order of first appearance; a list may name a class several
  /// times.
  fileprivate var unique: [ObjectLayout] {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension Session {
  /// Compares the classes that the program has used so far with those of the store. Classes that
  /// the program first used in its migration block are migrated now.
  ///
  /// - Throws: `Realm.Error` with every difference.
  func checkProgramClasses() throws {
    guard configuration.objectTypes == nil else { return }
    let layouts = try programClasses
    try migrateClasses(layouts)
    try check(layouts, fit: snapshot.schema)
  }

  /// Changes the store to the schema of the configuration, in one transaction, so that an error
  /// leaves the store unchanged.
  ///
  /// - Throws: `Realm.Error`.
  func prepare() throws {
    guard try preparation(programClasses) != .nothing else { return }
    let open: WriteTransaction
    do { open = try store.beginWrite() } catch { throw Realm.Error(error) }
    state.begin(open)
    do {
      try open.waitForBase()
      snapshot = try store.snapshot()
      // Another process or thread may have done it while this one waited for the writer lock.
      try prepare(programClasses, open: open)
      try open.commit()
    } catch {
      abandonPreparation(open)
      throw (error as? StoreError).map { Realm.Error($0) } ?? error
    }
    state.endWrite()
    do { snapshot = try store.snapshot() } catch { throw Realm.Error(error) }
    try applyProgramClasses()
    moveHandles()
  }

  private func prepare(_ layouts: [ObjectLayout], open: WriteTransaction) throws {
    switch try preparation(layouts) {
    case .nothing: return
    case .schemaVersion: open.setSchemaVersion(configuration.schemaVersion)
    case .indexes: try open.declareClasses(matching(layouts).map(\.draft))
    case .migration: try migrate(layouts, open: open)
    case .reset:
      open.removeTables()
      open.setSchemaVersion(configuration.schemaVersion)
    }
  }

  private func abandonPreparation(_ open: WriteTransaction) {
    openCollections.discardAll()
    state.endWrite()
    oldSession = nil
    open.rollback()
  }

  /// Returns the work that the store needs.
  ///
  /// - Throws: `Realm.Error` if the store has a higher schema version or cannot be written to.
  private func preparation(_ layouts: [ObjectLayout]) throws -> Preparation {
    let wanted = configuration.schemaVersion
    if snapshot.schemaVersion == nil, snapshot.schema.tables.isEmpty {
      return wanted > 0 && !configuration.readOnly ? .schemaVersion : .nothing
    }
    let stored = snapshot.schemaVersion ?? 0
    if configuration.deleteRealmIfMigrationNeeded {
      if stored != wanted || matching(layouts).count < layouts.count { return .reset }
    }
    guard stored <= wanted else {
      throw Realm.Error(
        .fail,
        description:
          "Provided schema version \(wanted) is less than last set version \(stored): a newer "
          + "program has migrated the store. Open it with schemaVersion \(stored) and the classes "
          + "of that version, or restore an older copy.")
    }
    if stored == wanted {
      guard !configuration.readOnly else { return .nothing }
      return try needsIndexes(matching(layouts)) ? .indexes : .nothing
    }
    guard !configuration.readOnly else {
      throw Realm.Error(
        .schemaMismatch,
        description:
          "The store has schema version \(stored), the configuration \(wanted), and a store that "
          + "is opened read-only cannot be migrated; open it once for writing.")
    }
    return .migration
  }

  /// Returns the classes that match those in the store or do not exist there.
  private func matching(_ layouts: [ObjectLayout]) -> [ObjectLayout] {
    layouts.filter { layout in
      snapshot.schema.table(named: layout.className).map(layout.differences)?.isEmpty != false
    }
  }

  private func needsIndexes(_ layouts: [ObjectLayout]) throws -> Bool {
    do { return try snapshot.schema.needsIndexes(of: layouts.map(\.draft)) } catch {
      throw Realm.Error(error)
    }
  }

  /// The classes of the configuration, or otherwise those that both the store and the program have;
  /// and every class they reach.
  private var programClasses: [ObjectLayout] {
    get throws {
      guard let types = configuration.objectTypes else {
        return ProgramClasses.layouts(named: snapshot.schema.tables.map(\.name))
      }
      try checkListedTargets()
      let layouts = types.map { ObjectLayout.of($0) }.unique
      try ObjectLayout.check(layouts, alongside: [:])
      return layouts
    }
  }
}

extension Session {
  /// Changes the program's classes to their new schema, and runs the program's migration block.
  ///
  /// - Throws: `Realm.Error` or `StoreError` if a class is invalid or the result violates the
  ///   schema.
  func migrate(_ layouts: [ObjectLayout], open: WriteTransaction) throws {
    let old = snapshot.schemaVersion ?? 0
    let timer = EventTimer(configuration.events, store: configuration.storeName)
    hasAlteredClasses = true
    defer { hasAlteredClasses = false }
    classes.register(layouts)
    open.setSchemaVersion(configuration.schemaVersion)
    try open.alter(classes.drafts, version: configuration.schemaVersion)
    moveHandles()
    if let block = configuration.migrationBlock {
      let oldSession = Session(reading: snapshot, beside: self)
      self.oldSession = oldSession
      migrationFault = nil
      oldSession.successorLayouts = classes.layouts
      block(Migration(session: self, oldSession: oldSession), old)
      self.oldSession = nil
      guard transaction === open, open.isOpen else {
        throw Realm.Error(
          .fail, description: "The migration block has ended the migration's write transaction.")
      }
      if let migrationFault { throw migrationFault }
      packCollections()
      openCollections.discardAll()
    }
    try open.finishAlterations()
    Logger.log(
      .detail, category: Category.Storage.all,
      message:
        "migrated '\(store.path)' from schema version \(old) to \(configuration.schemaVersion)")
    timer.report(.migrated(from: old, to: configuration.schemaVersion))
  }

  /// Changes classes that the program uses only now to the schema that a migration gave the others.
  func migrateClasses(_ fresh: [ObjectLayout]) throws {
    let old = fresh.filter { layout in
      schema.table(named: layout.className)
        .map { $0.version < configuration.schemaVersion } == true
    }
    guard !old.isEmpty, !isFrozen else { return }
    let drafts = fresh.map(\.draft)
    do {
      guard try schema.needsAltering(to: drafts) else { return }
      if let transaction {
        hasAlteredClasses = true
        try alter(drafts, in: transaction)
      } else if !configuration.readOnly {
        try store.write { try alter(drafts, in: $0) }
        snapshot = try store.snapshot()
      }
    } catch let error as StoreError { throw Realm.Error(error) }
  }

  private func alter(_ drafts: [TableDraft], in open: WriteTransaction) throws(StoreError) {
    try open.alter(drafts, version: configuration.schemaVersion)
    if oldSession == nil { try open.finishAlterations() }
  }

  /// Forgets the program's classes after the transaction that altered them was dropped. They are
  /// bound again on the next use.
  func forgetAlteredClasses() {
    guard hasAlteredClasses else { return }
    hasAlteredClasses = false
    classes.removeLayouts()
  }

  /// Returns the migrated object for an object of the snapshot before the migration.
  func successor(of row: Row) -> Row? {
    guard let oldSession, row.handle.session === oldSession,
      let handle = handle(row.handle.name), handle.isLive(row.key)
    else { return nil }
    return Row(handle: handle, key: row.key)
  }

  /// Checks that the program's classes still match a schema.
  ///
  /// - Throws: `Realm.Error` if the store's classes were altered so that they no longer match.
  func checkFit(_ schema: StoreSchema) throws {
    guard schema.tables != snapshot.schema.tables else { return }
    var differences = classes.layouts.values.sorted { $0.className < $1.className }.flatMap {
      layout in
      schema.table(named: layout.className).map(layout.differences) ?? []
    }
    if differences.isEmpty {
      differences = classes.handles.values.compactMap(\.handle).filter {
        !$0.keepsColumns(in: schema)
      }
      .map { "Properties of class '\($0.name)' were removed." }.sorted()
    }
    guard differences.isEmpty else {
      throw Realm.Error(
        .schemaMismatch,
        description:
          "The classes in the store were altered after the realm was opened; release it, and open "
          + "it again with matching classes:" + differences.map { "\n- \($0)" }.joined())
    }
  }
}

extension ClassHandle {
  /// Returns whether the columns to which objects are bound have kept their positions.
  fileprivate func keepsColumns(in schema: StoreSchema) -> Bool {
    guard isBound, let later = schema.table(named: name) else { return true }
    return table.schema.properties.allSatisfy { column in
      guard let now = later.column(named: column.name) else { return false }
      return now.position == column.position && now.storedType == column.storedType
    }
  }
}

/// The object classes of the program, by their names in a store.
enum ProgramClasses {
  /// Returns the one class of that name, provided that neither it nor any class it reaches has
  /// mistakes.
  static func layout(named name: String) -> ObjectLayout? {
    layouts(named: [name]).first { $0.className.utf8.elementsEqual(name.utf8) }
  }

  /// Returns the classes of those names and every class they reach. Omits names that several
  /// classes share and classes with mistakes; such a class is checked when it is first used.
  static func layouts(named names: [String]) -> [ObjectLayout] {
    var found: [String: ObjectLayout] = [:]
    for name in names {
      guard let layout = ObjectLayout.unique(named: name) else { continue }
      let group = layout.reachable
      let isClear = group.allSatisfy { found[$0.className] ?? $0 === $0 && $0.mistakes.isEmpty }
      if isClear { for layout in group { found[layout.className] = layout } }
    }
    return found.values.sorted { $0.className < $1.className }
  }
}
