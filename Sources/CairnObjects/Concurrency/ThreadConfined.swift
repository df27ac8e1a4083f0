/// What belongs to a realm, and so to the thread, queue or actor of that: objects, results, lists, sets, maps.
public protocol ThreadConfined {
  /// The realm that it is read from; nil while it is in none.
  var realm: Realm? { get }
  /// Whether it, or the object that it belongs to, was deleted.
  var isInvalidated: Bool { get }
  /// Whether it stays as it is, and any thread may read it.
  var isFrozen: Bool { get }
  /// Returns it as it is now, for good, so that any thread may read it. Without a realm it is a programming error.
  func freeze() -> Self
  /// Returns the live counterpart for the caller's thread or actor; nil when it was deleted since. A live one itself.
  func thaw(_isolation: isolated (any Actor)?) -> Self?
  /// The same for good, as any thread may have it; Cairn alone calls it.
  func _forAnyThread() -> Self
  /// The same in another realm; nil when it was deleted. Cairn alone calls it.
  func _counterpart(in realm: Realm) -> Self?
}

extension ObjectBase: ThreadConfined {
  public final func _forAnyThread() -> Self { freeze() }

  public final func _counterpart(in realm: Realm) -> Self? {
    guard let row else { return nil }
    let there = row.counterpart(in: realm.session)
    return there.isLive ? type(of: self).standing(at: there) : nil
  }
}

extension Results {
  public func _forAnyThread() -> Results { freeze() }

  public func _counterpart(in realm: Realm) -> Results? { following(realm.session) }
}

extension List {
  public func _forAnyThread() -> List { freeze() }

  public func _counterpart(in realm: Realm) -> List? {
    place?.following(realm.session).map { List(at: $0) }
  }
}

extension MutableSet {
  public func _forAnyThread() -> MutableSet { freeze() }

  public func _counterpart(in realm: Realm) -> MutableSet? {
    place?.following(realm.session).map { MutableSet(at: $0) }
  }
}

extension Map: ThreadConfined {
  public func _forAnyThread() -> Map { freeze() }

  public func _counterpart(in realm: Realm) -> Map? {
    place?.following(realm.session).map { Map(at: $0) }
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
