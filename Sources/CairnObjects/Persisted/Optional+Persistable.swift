/// What a property can hold or not: optionals of it are stored as values that may be null.
public protocol _PersistableInOptional: _DynamicValue {
  /// The type of what is stored: the type itself, but for enumerations and custom types.
  associatedtype PersistedType = Self
  /// How the values are stored.
  static var _kind: PropertyKind { get }
  /// What stands for null where a value is required.
  static func _blank() -> Self
  /// The value of a column in a row; nil for null.
  static func _readOptional(_ row: Row, _ column: Int) -> Self?
  /// The value of a column of the object's row; nil for null.
  static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self?
  /// Stores the value in a column of a row.
  func _write(_ row: Row, _ column: Int)
  /// What the cell of a new row holds for the value; nil where it can only be written once the row is there.
  var _initial: StoredValue? { get }
  /// Stores null in a column of a row.
  static func _writeNull(_ row: Row, _ column: Int)
  /// The value that stands for a property while a key path is traced.
  static func _traceOptional(_ tracer: KeyPathTracer) -> Self?
  /// Any value, for a type of one's own that is traced; nil where none is at hand.
  static func _traceValue(_ tracer: KeyPathTracer) -> Self?
}

extension _PersistableInOptional {
  /// What the row of the object gives.
  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    _readOptional(object.managedRow, column)
  }

  /// Written once the row is there.
  public var _initial: StoredValue? { nil }

  /// None is needed.
  public static func _traceValue(_ tracer: KeyPathTracer) -> Self? { nil }

  /// Null stands for the property.
  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.pass()
    return nil
  }
}

extension Optional: _Persistable where Wrapped: _PersistableInOptional {
  public typealias PersistedType = Wrapped.PersistedType?

  public static var _kind: PropertyKind {
    var kind = Wrapped._kind
    kind.isOptional = true
    return kind
  }

  @inlinable
  public static func _default() -> Wrapped? { nil }

  @inlinable
  public static func _read(_ row: Row, _ column: Int) -> Wrapped? {
    Wrapped._readOptional(row, column)
  }

  @inlinable
  public static func _get(_ object: ObjectBase, _ column: Int) -> Wrapped? {
    Wrapped._getOptional(object, column)
  }

  @inlinable
  public func _write(_ row: Row, _ column: Int) {
    if let self { self._write(row, column) } else { Wrapped._writeNull(row, column) }
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
