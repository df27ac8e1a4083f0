/// What discovery asks of a `Persisted`, whatever it holds; every pointer leads to one in an instance.
protocol PersistedWrapper {
  static var kind: PropertyKind { get }
  /// Whether the default is another for each object.
  static var hasFreshDefault: Bool { get }
  /// Whether a value stands for a property that was given none.
  static var hasDefault: Bool { get }
  /// Whether it holds values of that type.
  static func holds(_ type: Any.Type) -> Bool
  /// Whether its values are collections, which stay the same instances when their object is added.
  static var keepsIdentity: Bool { get }
  /// The whole number that it holds, or that its elements are, whatever enumeration or optional is around it.
  static var integer: (any _StoredInteger.Type)? { get }
  /// Whether it holds cases of an enumeration, which the store may have other raw values for.
  static var holdsEnumeration: Bool { get }
  /// Whether the store may hold what it has no value for.
  static var mayBeUnreadable: Bool { get }
  /// Whether it holds an instance of a class, or an optional of one.
  static var holdsReference: Bool { get }
  /// Whether its state is bits alone.
  static var isPlain: Bool { get }
  /// Bytes of its state, which it begins with.
  static var stateSize: Int { get }
  /// The property of the other class that an inverse property of an instance in no store names.
  static func origin(_ pointer: UnsafeMutableRawPointer) -> String?
  static func options(_ pointer: UnsafeMutableRawPointer) -> PropertyOptions
  /// From now on the value is in the store, in that column.
  static func manage(
    _ pointer: UnsafeMutableRawPointer, of object: ObjectBase, _ column: Int)
  /// From now on reading the property is noted.
  static func trace(_ pointer: UnsafeMutableRawPointer, _ number: Int)
  /// Gives the value of an instance that is in no store yet to a row.
  static func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow)
  /// Lets a collection in an instance that was added be the one of its row, whoever holds it. Whether it is.
  static func settle(_ pointer: UnsafeMutableRawPointer, at row: Row, _ column: Int) -> Bool
  /// The value of an instance that is in no store yet.
  static func value(_ pointer: UnsafeMutableRawPointer) -> any _Persistable
  /// Whether an instance was given a value, be it by its declaration.
  static func hasValue(_ pointer: UnsafeMutableRawPointer) -> Bool
  /// A value of any type as the property's own; nil where it does not fit.
  static func value(from any: Any, _ intake: ValueIntake) throws -> (any _Persistable)?
  /// Sets the property of an instance, or of the row that it stands for.
  static func assign(_ value: any _Persistable, _ pointer: UnsafeMutableRawPointer, _ row: Row?)
  /// The property of an instance, or of the row that it stands for.
  static func read(_ pointer: UnsafeMutableRawPointer, _ row: Row?) -> any _Persistable
}

extension Persisted: PersistedWrapper {
  private static func wrapper(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    pointer.assumingMemoryBound(to: Self.self)
  }

  static var kind: PropertyKind { Value._kind }
  static var holdsReference: Bool { Value.self is any _Reference.Type || Value.self is AnyClass }
  static var isPlain: Bool { _isPOD(PersistedState<Value>.self) }
  static var stateSize: Int { MemoryLayout<PersistedState<Value>>.size }

  static var hasFreshDefault: Bool { Value._fresh() != nil }
  static var hasDefault: Bool { Value._hasDefault }
  static func holds(_ type: Any.Type) -> Bool { Value.self == type }
  static var keepsIdentity: Bool { Value._keepsIdentity }
  static var holdsEnumeration: Bool { RawValues.isEnumeration(Value.self) }
  static var mayBeUnreadable: Bool { RawValues.mayBeUnreadable(Value.self) }
  static var integer: (any _StoredInteger.Type)? { IntegerWidth.type(in: Value.self) }

  static func origin(_ pointer: UnsafeMutableRawPointer) -> String? {
    guard case .value(let value) = wrapper(pointer).pointee.state else { return nil }
    return (value as? any _Inverse)?._originProperty
  }

  static func options(_ pointer: UnsafeMutableRawPointer) -> PropertyOptions {
    wrapper(pointer).pointee.options
  }

  static func manage(
    _ pointer: UnsafeMutableRawPointer, of object: ObjectBase, _ column: Int
  ) {
    wrapper(pointer).pointee.state = .managed(ManagedProperty(object, column))
  }

  static func trace(_ pointer: UnsafeMutableRawPointer, _ number: Int) {
    wrapper(pointer).pointee.state = .traced(number)
  }

  static func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow) {
    if case .value(let value) = wrapper(pointer).pointee.state {
      value._append(to: row)
    } else {
      Value._default()._append(to: row)
    }
  }

  static func settle(_ pointer: UnsafeMutableRawPointer, at row: Row, _ column: Int) -> Bool {
    guard case .value(let value) = wrapper(pointer).pointee.state else { return false }
    return value._settle(at: row, column)
  }

  static func hasValue(_ pointer: UnsafeMutableRawPointer) -> Bool {
    if case .value = wrapper(pointer).pointee.state { true } else { false }
  }

  static func value(_ pointer: UnsafeMutableRawPointer) -> any _Persistable {
    if case .value(let value) = wrapper(pointer).pointee.state { return value }
    return Value._default()
  }
}

/// An optional of a class.
private protocol _Reference {}

extension Optional: _Reference where Wrapped: AnyObject {}
