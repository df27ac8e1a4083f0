import CairnStorage
import CairnValues

/// A type that a property can hold. Members with an underscore are internal to Cairn; conform
/// through `PersistableEnum`, `CustomPersistable` or `FailableCustomPersistable` instead.
public protocol _Persistable: _DynamicValue {
  /// The stored type: the type itself, except for enumerations and custom types.
  associatedtype PersistedType = Self
  /// The storage type of the values.
  static var _kind: PropertyKind { get }
  /// Returns the value of a property that was not set.
  static func _default() -> Self
  /// Returns a default that differs from object to object; nil for types with a constant default,
  /// and for instances that represent rows.
  static func _fresh() -> Self?
  /// Returns the value in a column of a row.
  static func _read(_ row: Row, column: Int) -> Self
  /// Returns the value in a column of the object's row.
  static func _get(_ object: ObjectBase, column: Int) -> Self
  /// Writes the value to a column of a row.
  func _write(_ row: Row, column: Int)
  /// The cell of a new row for the value; nil if the value can only be written after the row
  /// exists.
  var _initial: StoredValue? { get }
  /// Appends the value to a row that is being built.
  func _append(to row: _NewRow)
  /// Whether the value remains the same instance when its object is added, as collections do.
  static var _keepsIdentity: Bool { get }
  /// Turns a collection of a newly added instance, whoever holds it, into the collection of its
  /// row, and returns whether it did.
  func _bind(at row: Row, _ column: Int) -> Bool
  /// The column whose collection the value is; nil for other values.
  var _boundColumn: Int? { get }
  /// Returns the placeholder for a property while a key path is traced.
  static func _trace(_ tracer: KeyPathTracer) -> Self
}

extension _Persistable {
  /// Only collections can be referenced from elsewhere.
  @inlinable
  public static var _keepsIdentity: Bool { false }
  public func _bind(at row: Row, _ column: Int) -> Bool { false }
  public var _boundColumn: Int? { nil }

  /// Sets the property of a managed object that has kept its collection since it was added.
  @usableFromInline
  @inline(never)
  static func _replace(_ state: PersistedState<Self>, with value: Self, in object: ObjectBase) {
    guard case .value(let kept) = state, let column = kept._boundColumn else {
      ObjectBase.missingRow()
    }
    _store(value, in: object, column: column)
  }

  /// Returns the value in a column of the object's row. The most common types skip the call through
  /// their conformance, which the optimizer cannot see through. Only the branch for the type
  /// remains in a program.
  @inlinable @inline(__always)
  static func _stored(in object: ObjectBase, _ column: Int) -> Self {
    if Self.self == Int.self { return unsafeBitCast(object.int(column), to: Self.self) }
    if Self.self == Double.self { return unsafeBitCast(object.double(column), to: Self.self) }
    if Self.self == String.self { return unsafeBitCast(object.text(column), to: Self.self) }
    return _get(object, column: column)
  }

  /// Returns the placeholder for a property of a tracing instance.
  @usableFromInline
  @inline(never)
  static func _traced(in object: ObjectBase, _ number: Int) -> Self {
    _trace(object.tracer(number))
  }

  /// Writes a value to a column of the object's row. Not inlined, so that code that sets properties
  /// remains small.
  @usableFromInline
  @inline(never)
  static func _store(_ value: Self, in object: ObjectBase, column: Int) {
    value._write(object.managedRow, column: column)
  }

  /// Reads the value from the row of the object.
  @inlinable
  public static func _get(_ object: ObjectBase, column: Int) -> Self {
    _read(object.managedRow, column: column)
  }

  /// The type has a constant default.
  @inlinable
  public static func _fresh() -> Self? { nil }

  /// Written after the row exists.
  public var _initial: StoredValue? { nil }

  public func _append(to row: _NewRow) { row.append(self, initial: _initial) }

  /// Uses the default as the placeholder.
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.record()
    return _default()
  }
}

/// A type whose values can be indexed.
public protocol _Indexable: _Persistable {}

/// A type that can be a primary key.
public protocol _PrimaryKey: _Indexable {}

/// The objects that link to an object. A property of this type stores nothing.
public protocol _Inverse: _Persistable {
  /// Returns the inverse property of an unmanaged object, to which nothing links.
  static func _inverse(through property: String) -> Self
  /// The property of the other class that links here.
  var _originProperty: String { get }
}

/// The storage type of a property.
public struct PropertyKind {
  var type: ValueType
  var collection: CollectionKind = .none
  var isOptional = false
  /// The class of the objects in the property.
  var target: ObjectBase.Type?
  /// Whether the property is the inverse of a link, which stores nothing.
  var isInverse = false

  /// Whether the property may hold objects.
  var leadsToObjects: Bool { !isInverse && (target != nil || type == .mixed) }
}

/// A type whose optional a property can hold, stored as a value that may be null.
public protocol _PersistableInOptional: _DynamicValue {
  /// The stored type: the type itself, except for enumerations and custom types.
  associatedtype PersistedType = Self
  /// The storage type of the values.
  static var _kind: PropertyKind { get }
  /// Returns the value for null where a value is required.
  static func _valueForNull() -> Self
  /// Returns the value in a column of a row, or nil for null.
  static func _readOptional(_ row: Row, column: Int) -> Self?
  /// Returns the value in a column of the object's row, or nil for null.
  static func _getOptional(_ object: ObjectBase, column: Int) -> Self?
  /// Writes the value to a column of a row.
  func _write(_ row: Row, column: Int)
  /// The cell of a new row for the value; nil if the value can only be written after the row
  /// exists.
  var _initial: StoredValue? { get }
  /// Writes null to a column of a row.
  static func _writeNull(_ row: Row, column: Int)
  /// Returns the placeholder for a property while a key path is traced.
  static func _traceOptional(_ tracer: KeyPathTracer) -> Self?
  /// Returns any value, for tracing a custom type; nil if none is available.
  static func _traceValue(_ tracer: KeyPathTracer) -> Self?
}

extension _PersistableInOptional {
  /// Reads the value from the row of the object.
  @inlinable
  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    _readOptional(object.managedRow, column: column)
  }

  /// Written after the row exists.
  public var _initial: StoredValue? { nil }

  /// Custom types that are not stored as scalars need no value.
  public static func _traceValue(_ tracer: KeyPathTracer) -> Self? { nil }

  /// Uses null as the placeholder.
  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.record()
    return nil
  }
}

extension Optional: _Persistable where Wrapped: _PersistableInOptional {
  /// The type that the store contains.
  /// The stored type: that of the wrapped value, which may be null.
  public typealias PersistedType = Wrapped.PersistedType?

  public static var _kind: PropertyKind {
    var kind = Wrapped._kind
    kind.isOptional = true
    return kind
  }

  @inlinable
  public static func _default() -> Wrapped? { nil }

  @inlinable
  public static func _read(_ row: Row, column: Int) -> Wrapped? {
    Wrapped._readOptional(row, column: column)
  }

  @inlinable
  public static func _get(_ object: ObjectBase, column: Int) -> Wrapped? {
    Wrapped._getOptional(object, column: column)
  }

  @inlinable
  public func _write(_ row: Row, column: Int) {
    if let self {
      self._write(row, column: column)
    } else {
      Wrapped._writeNull(row, column: column)
    }
  }

  public var _initial: StoredValue? {
    if let self { self._initial } else { StoredValue(.null) }
  }

  public static func _trace(_ tracer: KeyPathTracer) -> Wrapped? {
    Wrapped._traceOptional(tracer)
  }
}

extension Optional: _Indexable where Wrapped: _PersistableInOptional & _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PersistableInOptional & _PrimaryKey {}
