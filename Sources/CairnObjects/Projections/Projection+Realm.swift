extension Projection {
  /// The realm of the object that is shown; nil while it is in none.
  public var realm: Realm? { rootObject.realm }
  /// The class of the object that is shown.
  public var objectSchema: ObjectSchema { rootObject.objectSchema }
  /// Whether the object that is shown was deleted.
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the object that is shown stays as it is, and may be read by any thread.
  public var isFrozen: Bool { rootObject.isFrozen }
}

/// What projections are to those who take `Self` of them: `freeze`, `thaw` and `observe` give the subclass.
public protocol ProjectionObservable<Root>: AnyObject, ThreadConfined {
  /// The class of the objects that are shown.
  associatedtype Root: ObjectBase & RealmCollectionValue
  /// The object that is shown.
  var rootObject: Root { get }
  /// Shows an object.
  init(projecting object: Root)
}

extension Projection: ProjectionObservable {
  public func _forAnyThread() -> Self { Self(projecting: rootObject.freeze()) }

  public func _counterpart(in realm: Realm) -> Self? {
    rootObject._counterpart(in: realm).map { Self(projecting: $0) }
  }
}

extension ProjectionObservable {
  /// The projection of the object as it is now, for good: any thread may read it.
  public func freeze() -> Self { _forAnyThread() }

  /// The projection of the live object of the caller's thread or actor; nil when it was deleted since. A live one itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    rootObject.thaw(_isolation: _isolation).map {
      $0 === rootObject ? self : Self(projecting: $0)
    }
  }
}
