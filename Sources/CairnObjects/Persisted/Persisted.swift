/// Marks a property of an `Object` or `EmbeddedObject` as stored.
///
///     class Place: Object {
///       @Persisted(primaryKey: true) var id: ObjectId
///       @Persisted(indexed: true) var name = ""
///       @Persisted var location: GeoPoint?
///       @Persisted(originProperty: "places") var trips: LinkingObjects<Trip>
///     }
@propertyWrapper
@frozen
public struct Persisted<Value: _Persistable> {
  @usableFromInline var state: PersistedState<Value>
  @usableFromInline let options: PropertyOptions

  @inlinable
  init(_ state: PersistedState<Value>, _ options: PropertyOptions) {
    self.state = state
    self.options = options
  }

  /// A property that begins with the default of its type: 0, empty, null, a new id.
  @inlinable
  public init() { self.init(Self.initial, []) }

  /// No value yet, unless the default is another for each object.
  @inlinable
  static var initial: PersistedState<Value> { Value._fresh().map { .value($0) } ?? .unset }

  /// A property that begins with a value.
  @inlinable
  public init(wrappedValue: Value) { self.init(.value(wrappedValue), []) }

  /// Only for the compiler; properties are read and written through their object.
  @available(*, unavailable, message: "@Persisted can only be used in classes")
  public var wrappedValue: Value {
    get { Value._default() }
    set {}
  }

  /// The value, in the instance or in the store.
  ///
  /// Always inlined: only then do the key paths fold away, which would cost a hundred times what the access does.
  public static subscript<Enclosing: ObjectBase>(
    _enclosingInstance object: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    @inlinable @inline(__always)
    get {
      switch object[keyPath: storage].state {
      case .value(let value): return value
      case .managed(let property): return Value._stored(in: object, property.column)
      case .traced(let number): return Value._traced(in: object, number)
      case .unset:
        let value = Value._hasDefault ? Value._default() : Value._default(of: object)
        object[keyPath: storage].state = .value(value)
        return value
      }
    }
    @inlinable @inline(__always)
    set {
      if case .managed(let property) = object[keyPath: storage].state {
        Value._store(newValue, in: object, property.column)
      } else if Value._keepsIdentity, object.row != nil {
        Value._replace(object[keyPath: storage].state, with: newValue, in: object)
      } else {
        object[keyPath: storage].state = .value(newValue)
      }
    }
  }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// A property with an index of its values.
  @inlinable
  public init(indexed: Bool) { self.init(Self.initial, indexed ? .indexed : []) }

  /// A property with an index of its values, that begins with a value.
  @inlinable
  public init(wrappedValue: Value, indexed: Bool) {
    self.init(.value(wrappedValue), indexed ? .indexed : [])
  }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// The property that tells the objects of the class apart.
  @inlinable
  public init(primaryKey: Bool) { self.init(Self.initial, primaryKey ? .primaryKey : []) }

  /// The property that tells the objects of the class apart, and begins with a value.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(.value(wrappedValue), primaryKey ? .primaryKey : [])
  }
}

extension Persisted where Value: _Inverse {
  /// The objects whose property of that name leads here.
  @inlinable
  public init(originProperty: String) {
    self.init(.value(Value._inverse(through: originProperty)), [])
  }
}

extension ObjectBase {
  /// Where a managed object stands.
  @inlinable
  final var managedRow: Row {
    if let row { return row }
    ObjectBase.missingRow()
  }

  @usableFromInline
  static func missingRow() -> Never { programmingError("The object is in no realm.") }
}
