/// A value that belongs to a realm, and so to that realm's thread, queue or actor: an object,
/// results, a list, a set or a map.
public protocol ThreadConfined {
  /// The realm of the value, or nil if the value is unmanaged.
  var realm: Realm? { get }
  /// Whether the value, or the object to which it belongs, was deleted.
  var isInvalidated: Bool { get }
  /// Whether the value is immutable, so that any thread may read it.
  var isFrozen: Bool { get }
  /// Returns an immutable copy of the current state, which any thread may read. Freezing an
  /// unmanaged value is a programming error.
  func freeze() -> Self
  /// Returns the live counterpart for the caller's thread or actor, or nil if the value was deleted
  /// since. A live value returns itself.
  func thaw(_isolation: isolated (any Actor)?) -> Self?
  /// Returns a frozen counterpart that any thread may resolve. An object that the open write transaction
  /// added is invalidated in it. Only Cairn calls it.
  func _forAnyThread() -> Self
  /// Returns the counterpart in another realm, or nil if the value was deleted. Only Cairn calls
  /// it.
  func _counterpart(in realm: Realm) -> Self?
}

extension ObjectBase: ThreadConfined {
  public final func _forAnyThread() -> Self {
    guard let row, !isFrozen else { return freeze() }
    row.handle.checkLive(row.key)
    // A row that the open write transaction added is not in the snapshot yet. It will be found under
    // its key once that is committed.
    return type(of: self).instance(at: row.counterpart(in: row.handle.session.frozen()))
  }

  public final func _counterpart(in realm: Realm) -> Self? {
    guard let row else { return nil }
    let there = row.counterpart(in: realm.session)
    return there.isLive ? type(of: self).instance(at: there) : nil
  }
}

extension ThreadConfined {
  /// Returns the live counterpart for the caller's thread or actor, or nil if the value was deleted
  /// since. A live value returns itself.
  ///
  /// Generic code calls this method; concrete types declare their own.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }
}
