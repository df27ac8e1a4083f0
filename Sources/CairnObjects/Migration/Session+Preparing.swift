import CairnStorage
import CairnValues

/// What has to be done to a store before a realm reads it.
private enum Preparation {
  case nothing
  /// The program's number for the form of its classes is entered into a new store.
  case number
  /// Indexes are built or removed.
  case indexes
  case migration
  /// Everything is deleted.
  case reset
}

extension [ObjectLayout] {
  /// The classes, each where it first stands: a list may name one several times.
  fileprivate var eachOnce: [ObjectLayout] {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}

extension Session {
  /// Compares the program's classes, as far as it has used them, with those of the store. Classes that a migration left
  /// behind, because the program came to use them in its block, get their new form.
  ///
  /// - Throws: `Realm.Error` with every difference.
  func checkProgramClasses() throws {
    guard configuration.objectTypes == nil else { return }
    let known = try programClasses
    try bringUp(known)
    try check(known, fit: snapshot.schema)
  }

  /// Brings the store into the form that the configuration asks for; in one transaction, so that an error leaves the
  /// store as it was.
  ///
  /// - Throws: `Realm.Error`.
  func prepare() throws {
    guard try preparation(programClasses) != .nothing else { return }
    let open: WriteTransaction
    do { open = try store.beginWrite() } catch { throw Realm.Error(error) }
    transaction = open
    do {
      try open.settleBase()
      snapshot = try store.snapshot()
      // Somebody else may have done it while this one waited for its turn.
      try prepare(programClasses, open)
      try open.commit()
    } catch {
      abandonPreparation(open)
      throw (error as? StoreError).map { Realm.Error($0) } ?? error
    }
    transaction = nil
    do { snapshot = try store.snapshot() } catch { throw Realm.Error(error) }
    try makeKnown()
    moveHandles()
  }

  private func prepare(_ layouts: [ObjectLayout], _ open: WriteTransaction) throws {
    switch try preparation(layouts) {
    case .nothing: return
    case .number: open.setSchemaVersion(configuration.schemaVersion)
    case .indexes: try open.makeKnown(fitting(layouts).map(\.draft))
    case .migration: try migrate(layouts, open)
    case .reset:
      open.removeTables()
      open.setSchemaVersion(configuration.schemaVersion)
    }
  }

  private func abandonPreparation(_ open: WriteTransaction) {
    openCollections.forgetAll()
    transaction = nil
    formerSession = nil
    open.rollback()
  }

  /// - Throws: `Realm.Error` where the store has a higher number, or cannot be written to.
  private func preparation(_ layouts: [ObjectLayout]) throws -> Preparation {
    let wanted = configuration.schemaVersion
    if snapshot.schemaVersion == nil, snapshot.schema.tables.isEmpty {
      return wanted > 0 && !configuration.readOnly ? .number : .nothing
    }
    let stored = snapshot.schemaVersion ?? 0
    if configuration.deleteRealmIfMigrationNeeded {
      if stored != wanted || fitting(layouts).count < layouts.count { return .reset }
    }
    guard stored <= wanted else {
      throw Realm.Error(
        .fail,
        "Provided schema version \(wanted) is less than last set version \(stored): a newer program has migrated the "
          + "store. Open it with schemaVersion \(stored) and the classes of that, or restore an older copy."
      )
    }
    if stored == wanted {
      guard !configuration.readOnly else { return .nothing }
      return try needsIndexes(fitting(layouts)) ? .indexes : .nothing
    }
    guard !configuration.readOnly else {
      throw Realm.Error(
        .schemaMismatch,
        "The store has schema version \(stored), the configuration \(wanted), and a store that is opened for reading "
          + "only cannot be migrated; open it once for writing.")
    }
    return .migration
  }

  /// The classes that the store has as the program has them, or does not have.
  private func fitting(_ layouts: [ObjectLayout]) -> [ObjectLayout] {
    layouts.filter { layout in
      snapshot.schema.table(named: layout.className).map(layout.differences)?.isEmpty != false
    }
  }

  private func needsIndexes(_ layouts: [ObjectLayout]) throws -> Bool {
    do { return try snapshot.schema.needsIndexes(of: layouts.map(\.draft)) } catch {
      throw Realm.Error(error)
    }
  }

  /// The classes of the configuration, else those that the store has and the program too; and all that they lead to.
  private var programClasses: [ObjectLayout] {
    get throws {
      guard let types = configuration.objectTypes else {
        return ProgramClasses.layouts(named: snapshot.schema.tables.map(\.name))
      }
      try checkListedTargets()
      let layouts = types.map { ObjectLayout.of($0) }.eachOnce
      try ObjectLayout.check(layouts, besides: [:])
      return layouts
    }
  }
}
