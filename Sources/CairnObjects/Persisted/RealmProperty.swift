/// A type of values that a `RealmProperty` can hold: an optional number or flag, or an `AnyRealmValue`.
public protocol RealmPropertyType: _Persistable {}

/// A type of values that a `RealmOptional` can hold: a number, a flag, or an enumeration of numbers.
public protocol RealmOptionalType: _Scalar {}

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}
extension AnyRealmValue: RealmPropertyType {}
extension Optional: RealmPropertyType where Wrapped: RealmOptionalType {}

/// A property whose value older models read and set through `value`: `@Persisted var age: RealmProperty<Int?>`.
///
/// It is stored as the value itself, so that `@Persisted var age: Int?` reads the same store.
public final class RealmProperty<Value: RealmPropertyType>: _ValueHolder {
  public typealias PersistedType = Value.PersistedType
  public typealias _Held = Value

  private var held: HeldValue<Value>

  /// A holder of null.
  public init() { held = HeldValue(Value._default()) }

  /// A holder of a value.
  public init(_ value: Value) { held = HeldValue(value) }

  public init(_at row: Row, _ column: Int) { held = HeldValue(row, column) }

  /// The value. Of an object in a realm it is set in a write transaction.
  public var value: Value {
    get { held.value }
    set { held.value = newValue }
  }
}

/// A number or flag that may be null, which older models read and set through `value`:
/// `@Persisted var age: RealmOptional<Int>`.
///
/// It is stored as the value itself, so that `@Persisted var age: Int?` reads the same store.
public final class RealmOptional<Wrapped: RealmOptionalType>: _ValueHolder {
  public typealias PersistedType = Wrapped.PersistedType?
  public typealias _Held = Wrapped?

  private var held: HeldValue<Wrapped?>

  /// A holder of null.
  public init() { held = HeldValue(nil) }

  /// A holder of a value.
  public init(_ value: Wrapped?) { held = HeldValue(value) }

  public init(_at row: Row, _ column: Int) { held = HeldValue(row, column) }

  /// The value. Of an object in a realm it is set in a write transaction.
  public var value: Wrapped? {
    get { held.value }
    set { held.value = newValue }
  }
}

extension RealmProperty: CustomStringConvertible {
  /// The value.
  public var description: String { String(describing: value) }
}

extension RealmOptional: CustomStringConvertible {
  /// The value.
  public var description: String { String(describing: value) }
}

// MARK: Coding

extension RealmProperty: Decodable where Value: Decodable {
  /// Reads the value alone.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value.self))
  }
}

extension RealmProperty: Encodable where Value: Encodable {
  /// Writes the value alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension RealmOptional: Decodable where Wrapped: Decodable {
  /// Reads the value alone, or null.
  public convenience init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Wrapped?.self))
  }
}

extension RealmOptional: Encodable where Wrapped: Encodable {
  /// Writes the value alone, or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// The older name of `PersistableEnum`.
@available(*, deprecated, renamed: "PersistableEnum")
public typealias RealmEnum = PersistableEnum
