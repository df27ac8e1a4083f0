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
  init(_ state: PersistedState<Value>, options: PropertyOptions) {
    self.state = state
    self.options = options
  }

  /// Declares a property with the default value of its type: zero, empty, null, or a new
  /// identifier.
  @inlinable
  public init() { self.init(Self.initial, options: []) }

  /// The state of a property without a value, unless the default differs from object to object.
  @inlinable
  static var initial: PersistedState<Value> { Value._fresh().map { .value($0) } ?? .unset }

  /// Declares a property with an initial value.
  @inlinable
  public init(wrappedValue: Value) { self.init(.value(wrappedValue), options: []) }

  /// Required by the compiler only; properties are read and written through their object.
  @available(*, unavailable, message: "@Persisted can only be used in classes")
  public var wrappedValue: Value {
    get { Value._default() }
    set {}
  }

  /// The value in the instance or in the store.
  ///
  /// Always inlined: only then can the optimizer remove the key paths, which would cost a hundred
  /// times as much as the access itself.
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
        Value._store(newValue, in: object, column: property.column)
      } else if Value._keepsIdentity, object.row != nil {
        Value._replace(object[keyPath: storage].state, with: newValue, in: object)
      } else {
        object[keyPath: storage].state = .value(newValue)
      }
    }
  }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// Declares a property whose values are indexed.
  @inlinable
  public init(indexed: Bool) { self.init(Self.initial, options: indexed ? .indexed : []) }

  /// Declares a property with an initial value whose values are indexed.
  @inlinable
  public init(wrappedValue: Value, indexed: Bool) {
    self.init(.value(wrappedValue), options: indexed ? .indexed : [])
  }
}

/// The kind of an index: `@Persisted(indexed: .fullText)`. A property declares one of the two.
@frozen
public enum IndexType: Hashable, Sendable {
  /// An index of the values, for comparisons; the same as `indexed: true`.
  case general
  /// An index of the words of a string, for full-text searches.
  case fullText

  @inlinable var option: PropertyOptions {
    switch self {
    case .general: .indexed
    case .fullText: .fullText
    }
  }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// Declares a property with an index of that kind. Only strings can have a full-text index.
  @inlinable
  public init(indexed: IndexType) { self.init(Self.initial, options: indexed.option) }

  /// Declares a property with an initial value and an index of that kind. Only strings can have a
  /// full-text index.
  @inlinable
  public init(wrappedValue: Value, indexed: IndexType) {
    self.init(.value(wrappedValue), options: indexed.option)
  }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// Declares the primary key of the class.
  @inlinable
  public init(primaryKey: Bool) { self.init(Self.initial, options: primaryKey ? .primaryKey : []) }

  /// Declares the primary key of the class, with an initial value.
  @inlinable
  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(.value(wrappedValue), options: primaryKey ? .primaryKey : [])
  }
}

extension Persisted where Value: _Inverse {
  /// Declares the objects that link here through their property of that name.
  @inlinable
  public init(originProperty: String) {
    self.init(.value(Value._inverse(through: originProperty)), options: [])
  }
}

extension ObjectBase {
  /// The row of a managed object.
  @inlinable
  final var managedRow: Row {
    if let row { return row }
    ObjectBase.missingRow()
  }

  @usableFromInline
  static func missingRow() -> Never { programmingError("The object is not in a realm.") }
}

/// The location of a property's value.
@frozen
@usableFromInline
enum PersistedState<Value> {
  /// No value exists: it was neither read nor set. The default is created on first access, so that
  /// objects read from a store create none.
  case unset
  /// The instance holds the value.
  case value(Value)
  /// The store holds the value.
  case managed(ManagedProperty)
  /// No value exists: the instance records which properties a key path reads, this one by its
  /// number.
  ///
  /// A number instead of a reference keeps the state of an `Int` trivial, so setting it costs as
  /// much as setting a field.
  case traced(Int)
}

/// The location in the store of a property of an instance.
@frozen
@usableFromInline
struct ManagedProperty {
  /// The instance that owns the property, because encoding a property receives only the property.
  @usableFromInline unowned(unsafe) let object: ObjectBase
  @usableFromInline let columnIndex: UInt16

  init(_ object: ObjectBase, column: Int) {
    self.object = object
    columnIndex = UInt16(truncatingIfNeeded: column)
  }

  /// The position of its column.
  @inlinable var column: Int { Int(columnIndex) }
}

/// The options in the declaration of a property.
@frozen
@usableFromInline
struct PropertyOptions: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable static var indexed: PropertyOptions { PropertyOptions(rawValue: 1) }
  @inlinable static var primaryKey: PropertyOptions { PropertyOptions(rawValue: 2) }
  @inlinable static var fullText: PropertyOptions { PropertyOptions(rawValue: 4) }
}
