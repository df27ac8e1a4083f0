import CairnStorage
import CairnValues

/// A type of which one value is stored in one cell of a column: neither object nor collection.
public protocol _Scalar: _Persistable, _PersistableInOptional {
  /// The value of a cell that is not null; nil where the cell holds something else.
  init?(_stored: StoredValue)
  /// What a cell holds for the value.
  var _stored: StoredValue { get }
}

/// What stands in a cell.
public struct StoredValue {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension _Scalar {
  public static func _blank() -> Self { _default() }

  public static func _read(_ row: Row, _ column: Int) -> Self {
    _readOptional(row, column) ?? _default()
  }

  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    let value = row.handle.value(column, at: row.key)
    return value.isNull ? nil : Self(_stored: StoredValue(value))
  }

  public var _initial: StoredValue? { _stored }

  public func _write(_ row: Row, _ column: Int) {
    row.handle.set(_stored.value, column, at: row.key)
  }

  public static func _writeNull(_ row: Row, _ column: Int) {
    row.handle.set(.null, column, at: row.key)
  }
}
