import CairnStorage

/// The class that a bulk load fills, and its store.
package struct LoadTarget: Sendable {
  /// The store of the realm.
  package let store: Store
  /// The name of the class in the store.
  package let className: String
  /// The class as the program declares it; nil if the program has no Swift class for it.
  package let declared: TableSchema?
  /// The class as a program declares it, with all classes that its properties lead to. The load makes
  /// those that the store lacks.
  package let classes: [TableDraft]
}

extension Realm {
  /// Prepares a bulk load into the class of a Swift class.
  ///
  /// - Throws: ``Realm/Error`` if the class does not fit the store, or nothing can be written.
  package func loadTarget(for type: ObjectBase.Type) throws -> LoadTarget {
    let session = try loadingSession()
    let layout = ObjectLayout.of(type)
    let handle = try session.handle(for: layout)
    return LoadTarget(
      store: session.store, className: layout.className, declared: handle.table.schema,
      classes: layout.reachable.map(\.draft))
  }

  /// Prepares a bulk load into a class by name, which need not exist. The properties of a class that
  /// the program has used do not change.
  ///
  /// - Throws: ``Realm/Error`` if nothing can be written.
  package func loadTarget(named className: String) throws -> LoadTarget {
    let session = try loadingSession()
    if let layout = session.layout(named: className) { return try loadTarget(for: layout.type) }
    return LoadTarget(store: session.store, className: className, declared: nil, classes: [])
  }

  private func loadingSession() throws -> Session {
    let session = checked
    guard !session.isFrozen else {
      throw Realm.Error(
        .fail, description: "Cannot import into a frozen Realm, or save in it; thaw it first.")
    }
    guard session.transaction == nil else {
      throw Realm.Error(
        .fail,
        description: "Cannot import or save inside a write transaction: either is a transaction "
          + "of its own. Commit the open one first.")
    }
    guard !session.store.isReadOnly else {
      throw Realm.Error(
        .filePermissionDenied,
        description: "Cannot import into a Realm that was opened for reading only, or save in it.",
        fileURL: configuration.fileURL)
    }
    return session
  }
}
