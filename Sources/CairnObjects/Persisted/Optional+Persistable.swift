/// What a property can hold or not: optionals of it are stored as values that may be null.
public protocol _PersistableInOptional {
  /// How the values are stored.
  static var _kind: PropertyKind { get }
  /// The value of a column in a row; nil for null.
  static func _readOptional(_ row: Row, _ column: Int) -> Self?
  /// Stores the value in a column of a row.
  func _write(_ row: Row, _ column: Int)
  /// Stores null in a column of a row.
  static func _writeNull(_ row: Row, _ column: Int)
  /// The value that stands for a property while a key path is traced.
  static func _traceOptional(_ tracer: KeyPathTracer) -> Self?
}

extension _PersistableInOptional {
  /// Null stands for the property.
  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.pass()
    return nil
  }
}

extension Optional: _Persistable where Wrapped: _PersistableInOptional {
  public static var _kind: PropertyKind {
    var kind = Wrapped._kind
    kind.isOptional = true
    return kind
  }

  public static func _default() -> Wrapped? { nil }

  public static func _read(_ row: Row, _ column: Int) -> Wrapped? {
    Wrapped._readOptional(row, column)
  }

  public func _write(_ row: Row, _ column: Int) {
    if let self { self._write(row, column) } else { Wrapped._writeNull(row, column) }
  }

  public static func _trace(_ tracer: KeyPathTracer) -> Wrapped? {
    Wrapped._traceOptional(tracer)
  }
}

extension Optional: _Indexable where Wrapped: _PersistableInOptional & _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PersistableInOptional & _PrimaryKey {}
