/// A frozen object, collection or results that any number of threads, tasks and actors may hold and
/// read at once.
///
///     let dog = Frozen(dog)
///     Task.detached { print(dog.name) }
///     let dogs = Frozen(realm.objects(Dog.self))
///     Task.detached { print(dogs.count, dogs.value.filter("age > 3").count) }
///
/// Only frozen values are `Sendable`; a live value belongs to one thread, queue or actor.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
  // Sendable: frozen values and the objects they lead to never change, and a lock guards the caches
  // that reads fill.
  /// The frozen value.
  public let value: Value

  /// Freezes a value, as `freeze()` does.
  public init(_ value: Value) {
    self.value = value.freeze()
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }
}

extension Frozen where Value: ObjectBase {
  /// The frozen object.
  public var object: Value { value }
}

extension ObjectBase {
  /// Returns an immutable copy of the object, which any thread may read together with everything it
  /// leads to.
  ///
  /// The copy may be sent to another isolation once; ``Frozen`` can be sent any number of times.
  /// Inside a write transaction the copy shows the object before the transaction. Freezing an
  /// unmanaged object is a programming error, and so is freezing one that the open transaction
  /// added.
  public final func freeze() -> sending Self {
    sendingFrozen(frozenSelf)
  }

  private final var frozenSelf: Self {
    guard let row else { programmingError("Unmanaged objects cannot be frozen.") }
    if isFrozen { return self }
    row.handle.checkLive(row.key)
    return type(of: self).instance(at: row.frozen)
  }

  /// Returns the live object for the caller's thread or actor, or nil if it was deleted since. A
  /// live object returns itself.
  public final func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    guard let row else { programmingError("Unmanaged objects cannot be thawed.") }
    guard isFrozen else { return self }
    let live = counterpart(in: row.handle.session.thawed(_isolation), row)
    return live.isInvalidated ? nil : live
  }

  /// Whether the object is immutable, so that any thread may read it.
  public final var isFrozen: Bool { row?.handle.session.isFrozen ?? false }

  /// Returns the same object in another session.
  private final func counterpart(in session: Session, _ row: Row) -> Self {
    type(of: self).instance(at: row.counterpart(in: session))
  }
}

extension Realm {
  /// Returns an immutable view of the realm that any number of threads may read at once.
  ///
  /// A frozen realm pins old pages of the file, which cannot be reused meanwhile, so release it
  /// soon. Inside a write transaction it shows the snapshot before the transaction.
  public func freeze() -> sending Realm {
    sendingFrozen(Realm(checked.frozen()))
  }

  /// Returns the live realm of the same store for the caller's thread or actor. A live realm
  /// returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Realm {
    guard isFrozen else { return self }
    return Realm(session.thawed(_isolation))
  }

  /// Whether the realm is immutable, so that any thread may read it.
  public var isFrozen: Bool { session.isFrozen }
}

extension Session {
  /// Returns the live session of the same store for a caller with that isolation.
  func thawed(_ isolation: (any Actor)?) -> Session {
    guard isFrozen else { return self }
    return orFatal {
      try SessionRegistry.session(configuration, isolation: isolation, isReused: true)
    }
  }
}
