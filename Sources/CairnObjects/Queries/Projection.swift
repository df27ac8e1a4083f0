/// A view of the objects of a class that shows some of their properties or values derived from
/// them.
///
///     class Contact: Projection<Person> {
///       @Projected(\Person.name) var name
///       @Projected(\Person.address?.city) var city
///       @Projected(\Person.friends.projectTo.name) var friends: ProjectedCollection<String>
///     }
///
/// A projection holds no values itself: its properties read from the object and write to it.
open class Projection<Root: ObjectBase & RealmCollectionValue>: RealmCollectionValue {
  /// The projected object.
  public let rootObject: Root

  /// Projects an object.
  public required init(projecting object: Root) {
    rootObject = object
  }

  /// Returns the projection of a row's object. Only Cairn calls it.
  public static func _object(at row: Row) -> Self {
    row.handle.check(self)
    return self.init(projecting: Root._object(at: row))
  }
}

extension Projection: Hashable {
  /// Returns whether both are the same type of projection of the same object.
  public static func == (a: Projection, b: Projection) -> Bool {
    guard type(of: a) == type(of: b) else { return false }
    if a.rootObject === b.rootObject { return true }
    guard let x = a.rootObject.row, let y = b.rootObject.row else { return false }
    return x.key == y.key && x.handle === y.handle
  }

  /// Hashes the projected object.
  public func hash(into hasher: inout Hasher) {
    if let row = rootObject.row {
      hasher.combine(row.key)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }
}

extension Projection: CustomStringConvertible {
  /// The name of the projection and a line for each property with its source.
  public var description: String {
    let lines = ProjectionLayout.of(type(of: self)).properties.map { property in
      let value = property.wrapper.text(property.pointer(in: self), object: rootObject)
      return "\t\(property.name)(\(property.path.joined(separator: "."))) = \(value);"
    }
    return "\(type(of: self))<\(Root.self)> {\n\(lines.joined(separator: "\n"))\n}"
  }
}

/// Marks a property of a `Projection` that shows the value at a key path of its object.
///
/// It can be set if the key path is writable.
@propertyWrapper
public struct Projected<Root: ObjectBase & RealmCollectionValue, Value> {
  /// The key path of the value.
  let keyPath: KeyPath<Root, Value>

  /// Declares a property that shows the value at a key path.
  public init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
  }

  /// Required by the compiler only; properties are read and written through their projection.
  @available(*, unavailable, message: "@Projected can only be used in projections")
  public var wrappedValue: Value {
    get { programmingError("@Projected can only be used in projections.") }
    set {}
  }

  /// The value in the projected object.
  public static subscript<Enclosing: Projection<Root>>(
    _enclosingInstance projection: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      guard
        let writable = projection[keyPath: storage].keyPath
          as? ReferenceWritableKeyPath<Root, Value>
      else {
        programmingError("The projected property is read-only, because its source is.")
      }
      projection.rootObject[keyPath: writable] = newValue
    }
  }
}

extension Projection {
  /// The realm of the projected object, or nil if the object is unmanaged.
  public var realm: Realm? { rootObject.realm }
  /// The schema of the projected object's class.
  public var objectSchema: ObjectSchema { rootObject.objectSchema }
  /// Whether the projected object was deleted.
  public var isInvalidated: Bool { rootObject.isInvalidated }
  /// Whether the projected object is immutable, so that any thread may read it.
  public var isFrozen: Bool { rootObject.isFrozen }
}

/// The interface of projections for methods that return or receive `Self`: with it, `freeze`,
/// `thaw` and `observe` return the subclass.
public protocol ProjectionObservable<Root>: AnyObject, ThreadConfined {
  /// The class of the projected objects.
  associatedtype Root: ObjectBase & RealmCollectionValue
  /// The projected object.
  var rootObject: Root { get }
  /// Projects an object.
  init(projecting object: Root)
}

extension Projection: ProjectionObservable {
  public func _forAnyThread() -> Self { Self(projecting: rootObject.freeze()) }

  public func _counterpart(in realm: Realm) -> Self? {
    rootObject._counterpart(in: realm).map { Self(projecting: $0) }
  }
}

extension ProjectionObservable {
  /// Returns a projection of an immutable copy of the object, which any thread may read.
  public func freeze() -> Self { _forAnyThread() }

  /// Returns a projection of the live object for the caller's thread or actor, or nil if the object
  /// was deleted since. A live projection returns itself.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    rootObject.thaw(_isolation: _isolation).map {
      $0 === rootObject ? self : Self(projecting: $0)
    }
  }
}

extension Projection {
  public static var _kind: PropertyKind { Root._kind }

  public static func _element(_ elements: StoredElements, at index: Int) -> Self {
    let object = Root._element(elements, at: index)
    object.row?.handle.check(self)
    return self.init(projecting: object)
  }

  public func _element(in owner: CollectionOwner) -> StoredElement {
    rootObject._element(in: owner)
  }
}
