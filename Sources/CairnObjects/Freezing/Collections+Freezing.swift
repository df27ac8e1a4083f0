import CairnStorage

extension RealmCollection {
  /// Whether the collection stays as it is, and may be read by any thread.
  public var isFrozen: Bool { realm?.isFrozen ?? false }
}

extension Results {
  /// The results as they are now, for good: any thread may read them.
  ///
  /// They may be sent to another isolation once; `Frozen` goes to any number. Inside a write transaction they are the
  /// results before the transaction; those of a collection of an object that the transaction added are a programming
  /// error.
  public func freeze() -> sending Results {
    nonisolated(unsafe) let frozen = isFrozen ? self : frozenResults
    return frozen
  }

  private var frozenResults: Results {
    if let owner { _ = owner.frozen }
    return counterpart(in: session.frozen())
  }

  /// The live results for the caller's thread or actor; nil where they were of a collection of an object that was
  /// deleted since. Live results themselves.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Results? {
    isFrozen ? following(session.thawed(_isolation)) : self
  }

  /// The same results of another session; nil where they were of a collection of an object that is not there.
  func following(_ session: Session) -> Results? {
    if let owner, !owner.counterpart(in: session).isLive { return nil }
    return counterpart(in: session)
  }

  /// The object whose collection the results are of.
  private var owner: Row? {
    switch content {
    case .values(let values): values.place.row
    case .objects(let found): found.source.owner
    }
  }

  /// The same question asked of another session.
  private func counterpart(in session: Session) -> Results {
    switch content {
    case .objects(let found):
      Results(
        handle: found.handle.counterpart(in: session),
        source: found.source.counterpart(in: session),
        query: found.query)
    case .values(let values):
      Results(.values(FoundValues(values.place.counterpart(in: session), values.steps)))
    }
  }
}

extension List {
  /// The list as it is now, for good: any thread may read it. A list in no realm is a programming error, and so is, inside
  /// a write transaction, that of an object that the transaction added.
  public func freeze() -> sending List {
    nonisolated(unsafe) let frozen = isFrozen ? self : List(at: .frozen(place))
    return frozen
  }

  /// The live list for the caller's thread or actor; nil when its object was deleted since. A live list itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> List? {
    isFrozen ? CollectionPlace.thawed(place, _isolation).map { List(at: $0) } : self
  }
}

extension MutableSet {
  /// The set as it is now, for good: any thread may read it. A set in no realm is a programming error, and so is, inside a
  /// write transaction, that of an object that the transaction added.
  public func freeze() -> sending MutableSet {
    nonisolated(unsafe) let frozen = isFrozen ? self : MutableSet(at: .frozen(place))
    return frozen
  }

  /// The live set for the caller's thread or actor; nil when its object was deleted since. A live set itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> MutableSet? {
    isFrozen ? CollectionPlace.thawed(place, _isolation).map { MutableSet(at: $0) } : self
  }
}

extension Map {
  /// Whether the map stays as it is, and may be read by any thread.
  public var isFrozen: Bool { realm?.isFrozen ?? false }

  /// The map as it is now, for good: any thread may read it. A map in no realm is a programming error, and so is, inside a
  /// write transaction, that of an object that the transaction added.
  public func freeze() -> sending Map {
    nonisolated(unsafe) let frozen = isFrozen ? self : Map(at: .frozen(place))
    return frozen
  }

  /// The live map for the caller's thread or actor; nil when its object was deleted since. A live map itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Map? {
    isFrozen ? CollectionPlace.thawed(place, _isolation).map { Map(at: $0) } : self
  }
}

extension LinkingObjects {
  /// The objects that lead here now, for good: any thread may read them. Of an object in no realm it is a programming
  /// error.
  public func freeze() -> sending LinkingObjects {
    guard let place else { programmingError(CollectionPlace.loose) }
    nonisolated(unsafe) let frozen =
      isFrozen ? self : LinkingObjects(at: place.counterpart(in: place.row.frozen.handle.session))
    return frozen
  }

  /// The live objects for the caller's thread or actor; nil when the one that they lead to was deleted since. Live ones
  /// themselves.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> LinkingObjects? {
    guard let place, isFrozen else { return self }
    return following(place.row.handle.session.thawed(_isolation))
  }

  /// The same objects of another session; nil where the one that they lead to is not there.
  func following(_ session: Session) -> LinkingObjects? {
    guard let place, place.row.counterpart(in: session).isLive else { return nil }
    return LinkingObjects(at: place.counterpart(in: session))
  }
}

extension AnyRealmCollection {
  /// The collection as it is now, for good: any thread may read it.
  public func freeze() -> sending AnyRealmCollection {
    nonisolated(unsafe) let frozen = AnyRealmCollection(base._forAnyThread())
    return frozen
  }

  /// The live collection for the caller's thread or actor; nil when its object was deleted since. A live one itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> AnyRealmCollection? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }
}

extension CollectionPlace {
  static let loose = "Unmanaged collections cannot be frozen."

  /// The place of a stored collection in the present state, frozen.
  fileprivate static func frozen(_ place: CollectionPlace?) -> CollectionPlace {
    guard let place else { programmingError(loose) }
    return place.counterpart(in: place.row.frozen.handle.session)
  }

  /// The live place for a caller; nil when its object was deleted since.
  fileprivate static func thawed(
    _ place: CollectionPlace?, _ isolation: (any Actor)?
  ) -> CollectionPlace? {
    guard let place else { return nil }
    return place.following(place.session.thawed(isolation))
  }

  /// The place in another session; nil where its object is not there.
  func following(_ session: Session) -> CollectionPlace? {
    guard row.counterpart(in: session).isLive else { return nil }
    let place = counterpart(in: session)
    return place.isInvalidated ? nil : place
  }

  /// The same collection, read through another session.
  fileprivate func counterpart(in session: Session) -> CollectionPlace {
    CollectionPlace(site.counterpart(in: session), kind)
  }
}

extension CollectionPlace.Site {
  fileprivate func counterpart(in session: Session) -> CollectionPlace.Site {
    switch self {
    case .property(let row, let column): .property(row.counterpart(in: session), column)
    case .mixed(let row, let column): .mixed(row.counterpart(in: session), column: column)
    case .index(let parent, let place): .index(parent.counterpart(in: session), place)
    case .key(let parent, let key): .key(parent.counterpart(in: session), key)
    }
  }
}

extension InversePlace {
  fileprivate func counterpart(in session: Session) -> InversePlace {
    InversePlace(
      row.counterpart(in: session), property: property, origin: origin.counterpart(in: session))
  }
}

extension ObjectSource {
  fileprivate var owner: Row? {
    switch self {
    case .all: nil
    case .collection(let place), .distinct(let place): place.row
    case .inverse(let place): place.row
    }
  }

  fileprivate func counterpart(in session: Session) -> ObjectSource {
    switch self {
    case .all: .all
    case .collection(let place): .collection(place.counterpart(in: session))
    case .distinct(let place): .distinct(place.counterpart(in: session))
    case .inverse(let place): .inverse(place.counterpart(in: session))
    }
  }
}

extension Row {
  /// The same row, read through another session.
  func counterpart(in session: Session) -> Row {
    Row(handle: handle.counterpart(in: session), key: key)
  }

  /// The same row, frozen; one that the open write transaction added is a programming error.
  var frozen: Row {
    let frozen = counterpart(in: handle.session.frozen())
    if !frozen.isLive {
      handle.checkLive(key)
      programmingError(
        "Cannot freeze or refer to an object that the open write transaction added: commit it first."
      )
    }
    return frozen
  }

  /// Whether the object was not deleted.
  var isLive: Bool { handle.table.isLive(key) }
}

extension ClassHandle {
  /// The same class, read through another session.
  func counterpart(in session: Session) -> ClassHandle {
    if let layout = self.session.layout(named: name) {
      return trapping { try session.handle(for: layout) }
    }
    guard let handle = session.handle(name) else {
      programmingError("Object type '\(name)' is not managed by the Realm.")
    }
    return handle
  }
}
