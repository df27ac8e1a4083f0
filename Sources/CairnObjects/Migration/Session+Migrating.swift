import CairnStorage
import CairnValues

extension Session {
  /// Gives the program's classes their new form, and lets the program's block do the rest.
  ///
  /// - Throws: `Realm.Error`, or `StoreError`: what makes a class impossible, or does not come out right in the end.
  func migrate(_ known: [ObjectLayout], _ open: WriteTransaction) throws {
    let old = snapshot.schemaVersion ?? 0
    hasAlteredClasses = true
    defer { hasAlteredClasses = false }
    for layout in known { layouts[layout.className] = layout }
    drafts = layouts.values.map(\.draft)
    open.setSchemaVersion(configuration.schemaVersion)
    try open.alter(drafts, version: configuration.schemaVersion)
    moveHandles()
    if let block = configuration.migrationBlock {
      let former = Session(reading: snapshot, beside: self)
      formerSession = former
      former.successorLayouts = layouts
      block(Migration(session: self, former: former), old)
      formerSession = nil
      guard transaction === open, open.isOpen else {
        throw Realm.Error(.fail, "The migration block has ended the migration's write transaction.")
      }
      packCollections()
      openCollections.forgetAll()
    }
    try open.settleAlterations()
    Logger.log(
      .detail, Category.Storage.all,
      "migrated '\(store.path)' from schema version \(old) to \(configuration.schemaVersion)")
  }

  /// Gives classes that the program comes to use only now the form that a migration gave the others.
  func bringUp(_ fresh: [ObjectLayout]) throws {
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
    if formerSession == nil { try open.settleAlterations() }
  }

  /// Forgets the program's classes where the transaction that altered them is dropped; they are made out anew when they
  /// are used.
  func forgetAlteredClasses() {
    guard hasAlteredClasses else { return }
    hasAlteredClasses = false
    layouts = [:]
    drafts = []
  }

  /// The object of the state that comes of a migration, for one of the state before.
  func successor(of row: Row) -> Row? {
    guard let formerSession, row.handle.session === formerSession,
      let handle = handle(row.handle.name), handle.isLive(row.key)
    else { return nil }
    return Row(handle: handle, key: row.key)
  }

  /// - Throws: `Realm.Error` where the store's classes have been altered so that the program's do not fit any more.
  func checkFit(_ schema: CairnStorage.Schema) throws {
    guard schema.tables != snapshot.schema.tables else { return }
    var differences = layouts.values.sorted { $0.className < $1.className }.flatMap { layout in
      schema.table(named: layout.className).map(layout.differences) ?? []
    }
    if differences.isEmpty {
      differences = handles.values.compactMap(\.handle).filter { !$0.standsAsBefore(in: schema) }
        .map { "Properties of class '\($0.name)' were removed." }.sorted()
    }
    guard differences.isEmpty else {
      throw Realm.Error(
        .schemaMismatch,
        "The classes in the store were altered after the realm was opened; let go of it, and open it again with classes "
          + "that fit:" + differences.map { "\n- \($0)" }.joined())
    }
  }
}

extension ClassHandle {
  /// Whether the properties that objects are bound to stand where they stood.
  fileprivate func standsAsBefore(in schema: CairnStorage.Schema) -> Bool {
    guard isBound, let later = schema.table(named: name) else { return true }
    return table.schema.properties.allSatisfy { column in
      guard let now = later.column(named: column.name) else { return false }
      return now.position == column.position && now.storedType == column.storedType
    }
  }
}
