import CairnStorage
import CairnValues

/// A type of which one value is stored in one cell of a column: neither object nor collection.
public protocol _Scalar: _Persistable, _PersistableInOptional, RealmCollectionValue {
  /// The value of a cell of its type that is not null.
  init(_cell: _Cell)
  /// The value that a cell holds; nil where that is of another type.
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

  public var _initial: StoredValue? { _stored }

  @inlinable
  public static func _read(_ row: Row, _ column: Int) -> Self { Self(_cell: row.cell(column)) }

  @inlinable
  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    row.cellUnlessNull(column).map { Self(_cell: $0) }
  }

  @inlinable
  public static func _get(_ object: ObjectBase, _ column: Int) -> Self {
    Self(_cell: object.cell(column))
  }

  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    object.cellUnlessNull(column).map { Self(_cell: $0) }
  }

  public func _write(_ row: Row, _ column: Int) {
    row.handle.set(_stored.value, column, at: row.key)
  }

  public static func _writeNull(_ row: Row, _ column: Int) {
    row.handle.set(.null, column, at: row.key)
  }
}
