/// A type that a `RealmProperty` can hold: an optional number or boolean, or an `AnyRealmValue`.
public protocol RealmPropertyType: _Persistable {}

/// A type that a `RealmOptional` can hold: a number, a boolean, or an enumeration of numbers.
public protocol RealmOptionalType: _Scalar {}

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}

/// A property whose value older models access through `value`:
/// `@Persisted var age: RealmProperty<Int?>`.
///
/// The value itself is stored, so `@Persisted var age: Int?` reads the same store.
public final class RealmProperty<Value: RealmPropertyType>: _ValueHolder {
  /// The type that the store contains.
  /// The stored type: that of the value.
  public typealias PersistedType = Value.PersistedType
  /// The type of the value.
  public typealias _Held = Value

  private var storage: HolderStorage<Value>

  /// Creates a property with null.
  public init() { storage = HolderStorage(Value._default()) }

  /// Creates a property with a value.
  public init(_ value: Value) { storage = HolderStorage(value) }

  public init(_at row: Row, _ column: Int) { storage = HolderStorage(row, column: column) }

  /// The value. Setting it in a managed object requires a write transaction.
  public var value: Value {
    get { storage.value }
    set { storage.value = newValue }
  }
}

/// An optional number or boolean, which older models access through `value`:
/// `@Persisted var age: RealmOptional<Int>`.
///
/// The value itself is stored, so `@Persisted var age: Int?` reads the same store.
public final class RealmOptional<Wrapped: RealmOptionalType>: _ValueHolder {
  /// The type that the store contains.
  /// The stored type: that of the value.
  public typealias PersistedType = Wrapped.PersistedType?
  /// The type of the value.
  public typealias _Held = Wrapped?

  private var storage: HolderStorage<Wrapped?>

  /// Creates a property with null.
  public init() { storage = HolderStorage(nil) }

  /// Creates a property with a value.
  public init(_ value: Wrapped?) { storage = HolderStorage(value) }

  public init(_at row: Row, _ column: Int) { storage = HolderStorage(row, column: column) }

  /// The value. Setting it in a managed object requires a write transaction.
  public var value: Wrapped? {
    get { storage.value }
    set { storage.value = newValue }
  }
}

extension RealmProperty: CustomStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: value) }
}

extension RealmOptional: CustomStringConvertible {
  /// The description of the value.
  public var description: String { String(describing: value) }
}

// MARK: Coding

extension RealmProperty: Decodable where Value: Decodable {
  /// Decodes the bare value.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value.self))
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Encodes the bare value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmOptional: Decodable where Wrapped: Decodable {
  /// Decodes the bare value or null.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Wrapped?.self))
  }
}

extension RealmOptional: Encodable where Wrapped: Encodable {
  /// Encodes the bare value or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The former name of `PersistableEnum`.
@available(*, deprecated, renamed: "PersistableEnum")
public typealias RealmEnum = PersistableEnum

/// A class that holds the value of a property: `RealmProperty` and `RealmOptional`, which older
/// models declare.
///
/// The store holds the value itself, without the holder.
public protocol _ValueHolder: AnyObject, _Persistable {
  /// The type of the value.
  associatedtype _Held: _Persistable
  /// Creates an unmanaged holder with the type's default value.
  init()
  /// Creates the holder of a property of a stored object.
  init(_at row: Row, _ column: Int)
  /// The value in the instance or in the store.
  var value: _Held { get set }
}

extension _ValueHolder {
  public static var _kind: PropertyKind { _Held._kind }
  public static func _default() -> Self { Self() }

  public static func _read(_ row: Row, column: Int) -> Self {
    row.handle.checkLive(row.key)
    return Self(_at: row, column)
  }

  public func _write(_ row: Row, column: Int) { value._write(row, column: column) }

  public var _initial: StoredValue? { value._initial }

  public static func _from(_ any: Any, decoder: ValueDecoder) throws -> Self? {
    if let same = any as? Self { return same }
    return try _Held._from(any, decoder: decoder).map { value in
      let holder = Self()
      holder.value = value
      return holder
    }
  }

  public var _dynamic: Any? { value._dynamic }
}

/// The storage of a holder's value: the instance, or a cell in the store.
struct HolderStorage<Value: _Persistable> {
  private var unmanaged: Value
  private var cell: (row: Row, column: Int)?

  init(_ value: Value) { unmanaged = value }

  init(_ row: Row, column: Int) {
    unmanaged = Value._default()
    cell = (row, column)
  }

  var value: Value {
    get { cell.map { Value._read($0.row, column: $0.column) } ?? unmanaged }
    set {
      guard let cell else {
        unmanaged = newValue
        return
      }
      cell.row.handle.checkLive(cell.row.key)
      newValue._write(cell.row, column: cell.column)
    }
  }
}
