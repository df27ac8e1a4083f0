/// The type-erased view of a `Persisted` property for reflection. Every pointer refers to the
/// property within an instance.
protocol PersistedWrapper {
  static var kind: PropertyKind { get }
  /// Whether the default differs from object to object.
  static var hasFreshDefault: Bool { get }
  /// Whether a property that was not set has a value.
  static var hasDefault: Bool { get }
  /// Returns whether the property holds values of that type.
  static func holds(_ type: Any.Type) -> Bool
  /// Whether the values are collections, which remain the same instances when their object is
  /// added.
  static var keepsIdentity: Bool { get }
  /// The integer type of the property or of its elements, inside any enumeration or optional.
  static var integer: (any _StoredInteger.Type)? { get }
  /// Whether the property holds cases of an enumeration, for which the store may hold other raw
  /// values.
  static var holdsEnumeration: Bool { get }
  /// Whether the store may hold values that the property's type cannot represent.
  static var mayBeUnreadable: Bool { get }
  /// Whether the property holds an instance of a class, or an optional of one.
  static var holdsReference: Bool { get }
  /// Whether the property holds a list of required doubles.
  static var holdsDoubles: Bool { get }
  /// Whether the state consists of plain bits.
  static var isPlain: Bool { get }
  /// The size in bytes of the state, which is the first field of the property.
  static var stateSize: Int { get }
  /// Returns the property of the other class that an inverse property of an unmanaged instance
  /// names.
  static func origin(_ pointer: UnsafeMutableRawPointer) -> String?
  static func options(_ pointer: UnsafeMutableRawPointer) -> PropertyOptions
  /// Binds the property to a column of its object's row.
  static func manage(
    _ pointer: UnsafeMutableRawPointer, of object: ObjectBase, column: Int)
  /// Returns whether the property is bound to that column of that object's row.
  static func isManaged(
    _ pointer: UnsafeMutableRawPointer, by object: ObjectBase, column: Int
  ) -> Bool
  /// Makes reads of the property be recorded.
  static func trace(_ pointer: UnsafeMutableRawPointer, number: Int)
  /// Appends the value of an unmanaged instance to a row.
  static func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow)
  /// Turns a collection of a newly added instance, whoever holds it, into the collection of its
  /// row, and returns whether it did.
  static func bind(_ pointer: UnsafeMutableRawPointer, at row: Row, column: Int) -> Bool
  /// Returns the value of an unmanaged instance.
  static func value(_ pointer: UnsafeMutableRawPointer) -> any _Persistable
  /// Returns whether the property of an instance has a value, which may come from its declaration.
  static func hasValue(_ pointer: UnsafeMutableRawPointer) -> Bool
  /// Converts a value of any type to the property's type; returns nil if it does not fit.
  static func value(from any: Any, _ decoder: ValueDecoder) throws -> (any _Persistable)?
  /// Sets the property of an instance or of its row.
  static func assign(_ value: any _Persistable, pointer: UnsafeMutableRawPointer, row: Row?)
  /// Returns the property of an instance or of its row.
  static func read(_ pointer: UnsafeMutableRawPointer, row: Row?) -> any _Persistable
}

extension Persisted: PersistedWrapper {
  /// The property at an address. Valid while its instance exists.
  private static func wrapper(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Self> {
    assert(
      Int(bitPattern: pointer) % MemoryLayout<Self>.alignment == 0, "the property is not aligned")
    return pointer.assumingMemoryBound(to: Self.self)
  }

  static var kind: PropertyKind { Value._kind }
  static var holdsReference: Bool { Value.self is any _Reference.Type || Value.self is AnyClass }
  static var holdsDoubles: Bool { Value.self is any _ListOfDoubles.Type }
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
    _ pointer: UnsafeMutableRawPointer, of object: ObjectBase, column: Int
  ) {
    wrapper(pointer).pointee.state = .managed(ManagedProperty(object, column: column))
  }

  static func isManaged(
    _ pointer: UnsafeMutableRawPointer, by object: ObjectBase, column: Int
  ) -> Bool {
    guard case .managed(let property) = wrapper(pointer).pointee.state else { return false }
    return property.object === object && property.column == column
  }

  static func trace(_ pointer: UnsafeMutableRawPointer, number: Int) {
    wrapper(pointer).pointee.state = .traced(number)
  }

  static func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow) {
    if case .value(let value) = wrapper(pointer).pointee.state {
      value._append(to: row)
    } else {
      Value._default()._append(to: row)
    }
  }

  static func bind(_ pointer: UnsafeMutableRawPointer, at row: Row, column: Int) -> Bool {
    guard case .value(let value) = wrapper(pointer).pointee.state else { return false }
    return value._bind(at: row, column)
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

extension Persisted {
  /// Converts a value of any type to the property's type, or returns nil if it does not fit.
  static func value(from any: Any, _ decoder: ValueDecoder) throws -> (any _Persistable)? {
    try Value._from(any, decoder: decoder)
  }

  /// Sets the property of an instance or of its row.
  static func assign(
    _ value: any _Persistable, pointer: UnsafeMutableRawPointer, row: Row?
  ) {
    guard let value = value as? Value else { return }
    let wrapper = wrapper(pointer)
    if let row, case .managed(let property) = wrapper.pointee.state {
      value._write(row, column: property.column)
    } else if let row, case .value(let kept) = wrapper.pointee.state,
      let column = kept._boundColumn
    {
      value._write(row, column: column)
    } else {
      wrapper.pointee.state = .value(value)
    }
  }

  /// Returns the property of an instance or of its row.
  static func read(_ pointer: UnsafeMutableRawPointer, row: Row?) -> any _Persistable {
    let wrapper = wrapper(pointer)
    switch wrapper.pointee.state {
    case .value(let value): return value
    case .managed(let property):
      guard let row else { ObjectBase.missingRow() }
      return Value._read(row, column: property.column)
    case .traced: return Value._default()
    case .unset:
      let value = Value._default()
      wrapper.pointee.state = .value(value)
      return value
    }
  }
}

/// A list of required doubles, which is read without a look-up of its element type.
public protocol _ListOfDoubles {}
