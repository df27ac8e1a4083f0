import CairnStorage

extension RealmCollection {
  /// Whether the collection is immutable, so that any thread may read it.
  public var isFrozen: Bool { realm?.isFrozen ?? false }
}

extension Results {
  /// Returns an immutable copy of the results, which any thread may read.
  ///
  /// The copy may be sent to another isolation once; ``Frozen`` can be sent any number of times.
  /// Inside a write transaction the copy shows the results before the transaction. Freezing results
  /// of a collection of an object that the transaction added is a programming error.
  public func freeze() -> sending Results {
    sendingFrozen(isFrozen ? self : frozenResults)
  }

  private var frozenResults: Results {
    if let owner { _ = owner.frozen }
    return counterpart(in: session.frozen())
  }

  /// Returns the live results for the caller's thread or actor, or nil if they belong to a
  /// collection of an object that was deleted since. Live results return themselves.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Results? {
    isFrozen ? following(session.thawed(_isolation)) : self
  }

  /// Returns the same results in another session, or nil if they belong to a collection of an
  /// object that does not exist there.
  func following(_ session: Session) -> Results? {
    if let owner, !owner.counterpart(in: session).isLive { return nil }
    return counterpart(in: session)
  }

  /// The object to whose collection the results belong.
  private var owner: Row? {
    switch content {
    case .values(let values): values.reference.row
    case .objects(let found): found.source.owner
    }
  }

  /// Returns the same query in another session.
  private func counterpart(in session: Session) -> Results {
    switch content {
    case .objects(let found):
      Results(
        handle: found.handle.counterpart(in: session),
        source: found.source.counterpart(in: session),
        query: found.query)
    case .values(let values):
      Results(
        .values(ValueResultCache(values.reference.counterpart(in: session), steps: values.steps)))
    }
  }
}

extension List {
  /// Returns an immutable copy of the list, which any thread may read. Freezing an unmanaged list
  /// is a programming error, and so is, inside a write transaction, freezing a list of an object
  /// that the transaction added.
  public func freeze() -> sending List {
    sendingFrozen(isFrozen ? self : List(at: .frozen(reference)))
  }

  /// Returns the live list for the caller's thread or actor, or nil if its object was deleted
  /// since. A live list returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> List? {
    isFrozen
      ? CollectionReference.thawed(reference, isolation: _isolation).map { List(at: $0) } : self
  }
}

extension MutableSet {
  /// Returns an immutable copy of the set, which any thread may read. Freezing an unmanaged set is
  /// a programming error, and so is, inside a write transaction, freezing a set of an object that
  /// the transaction added.
  public func freeze() -> sending MutableSet {
    sendingFrozen(isFrozen ? self : MutableSet(at: .frozen(reference)))
  }

  /// Returns the live set for the caller's thread or actor, or nil if its object was deleted since.
  /// A live set returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> MutableSet? {
    isFrozen
      ? CollectionReference.thawed(reference, isolation: _isolation).map { MutableSet(at: $0) }
      : self
  }
}

extension Map {
  /// Whether the map is immutable, so that any thread may read it.
  public var isFrozen: Bool { realm?.isFrozen ?? false }

  /// Returns an immutable copy of the map, which any thread may read. Freezing an unmanaged map is
  /// a programming error, and so is, inside a write transaction, freezing a map of an object that
  /// the transaction added.
  public func freeze() -> sending Map {
    sendingFrozen(isFrozen ? self : Map(at: .frozen(reference)))
  }

  /// Returns the live map for the caller's thread or actor, or nil if its object was deleted since.
  /// A live map returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Map? {
    isFrozen
      ? CollectionReference.thawed(reference, isolation: _isolation).map { Map(at: $0) } : self
  }
}

extension LinkingObjects {
  /// Returns an immutable copy of the objects that link here, which any thread may read. Freezing
  /// those of an unmanaged object is a programming error.
  public func freeze() -> sending LinkingObjects {
    guard let reference else { programmingError(CollectionReference.loose) }
    return sendingFrozen(
      isFrozen
        ? self : LinkingObjects(at: reference.counterpart(in: reference.row.frozen.handle.session)))
  }

  /// Returns the live objects for the caller's thread or actor, or nil if the object to which they
  /// link was deleted since. Live objects return themselves.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> LinkingObjects? {
    guard let reference, isFrozen else { return self }
    return following(reference.row.handle.session.thawed(_isolation))
  }

  /// Returns the same objects in another session, or nil if the object to which they link does not
  /// exist there.
  func following(_ session: Session) -> LinkingObjects? {
    guard let reference, reference.row.counterpart(in: session).isLive else { return nil }
    return LinkingObjects(at: reference.counterpart(in: session))
  }
}

extension AnyRealmCollection {
  /// Returns an immutable copy of the collection, which any thread may read.
  public func freeze() -> sending AnyRealmCollection {
    sendingFrozen(AnyRealmCollection(base._forAnyThread()))
  }

  /// Returns the live collection for the caller's thread or actor, or nil if its object was deleted
  /// since. A live collection returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> AnyRealmCollection? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }
}

extension CollectionReference {
  static let loose = "Unmanaged collections cannot be frozen."

  /// Returns a frozen reference to a stored collection in the current snapshot.
  fileprivate static func frozen(_ reference: CollectionReference?) -> CollectionReference {
    guard let reference else { programmingError(loose) }
    return reference.counterpart(in: reference.row.frozen.handle.session)
  }

  /// Returns the live reference for a caller, or nil if its object was deleted since.
  fileprivate static func thawed(
    _ reference: CollectionReference?, isolation: (any Actor)?
  ) -> CollectionReference? {
    guard let reference else { return nil }
    return reference.following(reference.session.thawed(isolation))
  }

  /// Returns the reference in another session, or nil if its object does not exist there.
  func following(_ session: Session) -> CollectionReference? {
    guard row.counterpart(in: session).isLive else { return nil }
    let reference = counterpart(in: session)
    return reference.isInvalidated ? nil : reference
  }

  /// Returns the same collection in another session.
  fileprivate func counterpart(in session: Session) -> CollectionReference {
    CollectionReference(site.counterpart(in: session), kind: kind)
  }
}

extension CollectionReference.Site {
  fileprivate func counterpart(in session: Session) -> CollectionReference.Site {
    switch self {
    case .property(let row, let column): .property(row.counterpart(in: session), column)
    case .mixed(let row, let column): .mixed(row.counterpart(in: session), column: column)
    case .index(let parent, let index): .index(parent.counterpart(in: session), index)
    case .key(let parent, let key): .key(parent.counterpart(in: session), key)
    }
  }
}

extension InverseReference {
  fileprivate func counterpart(in session: Session) -> InverseReference {
    InverseReference(
      row.counterpart(in: session), property: property, origin: origin.counterpart(in: session))
  }
}

extension ObjectSource {
  fileprivate var owner: Row? {
    switch self {
    case .all: nil
    case .collection(let reference), .distinct(let reference): reference.row
    case .inverse(let reference): reference.row
    }
  }

  fileprivate func counterpart(in session: Session) -> ObjectSource {
    switch self {
    case .all: .all
    case .collection(let reference): .collection(reference.counterpart(in: session))
    case .distinct(let reference): .distinct(reference.counterpart(in: session))
    case .inverse(let reference): .inverse(reference.counterpart(in: session))
    }
  }
}

extension Row {
  /// Returns the same row in another session.
  func counterpart(in session: Session) -> Row {
    Row(handle: handle.counterpart(in: session), key: key)
  }

  /// The same row, frozen. A row that the open write transaction added is a programming error.
  var frozen: Row {
    let frozen = counterpart(in: handle.session.frozen())
    if !frozen.isLive {
      handle.checkLive(key)
      programmingError(
        "Cannot freeze or refer to an object that the open write transaction added: commit it "
          + "first.")
    }
    return frozen
  }

  /// Whether the object still exists.
  var isLive: Bool { handle.table.isLive(key) }
}

extension ClassHandle {
  /// Returns the same class in another session.
  func counterpart(in session: Session) -> ClassHandle {
    if let layout = self.session.layout(named: name) {
      return orFatal { try session.handle(for: layout) }
    }
    guard let handle = session.handle(name) else {
      programmingError("Object type '\(name)' is not managed by the Realm.")
    }
    return handle
  }
}

extension Results {
  public func _forAnyThread() -> Results { freeze() }

  public func _counterpart(in realm: Realm) -> Results? { following(realm.session) }
}

extension List {
  public func _forAnyThread() -> List { freeze() }

  public func _counterpart(in realm: Realm) -> List? {
    reference?.following(realm.session).map { List(at: $0) }
  }
}

extension MutableSet {
  public func _forAnyThread() -> MutableSet { freeze() }

  public func _counterpart(in realm: Realm) -> MutableSet? {
    reference?.following(realm.session).map { MutableSet(at: $0) }
  }
}

extension Map: ThreadConfined {
  public func _forAnyThread() -> Map { freeze() }

  public func _counterpart(in realm: Realm) -> Map? {
    reference?.following(realm.session).map { Map(at: $0) }
  }
}

extension LinkingObjects {
  public func _forAnyThread() -> LinkingObjects { freeze() }

  public func _counterpart(in realm: Realm) -> LinkingObjects? { following(realm.session) }
}

extension AnyRealmCollection {
  public func _forAnyThread() -> AnyRealmCollection { freeze() }

  public func _counterpart(in realm: Realm) -> AnyRealmCollection? {
    base._counterpart(in: realm).map { AnyRealmCollection($0) }
  }
}
