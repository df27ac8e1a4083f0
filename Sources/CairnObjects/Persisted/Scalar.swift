import CairnGeometry
import CairnStorage
import CairnValues
import FoundationEssentials

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
}

extension _Scalar {
  public static func _read(_ row: Row, _ column: Int) -> Self {
    Self(_stored: StoredValue(value: row.handle.value(column, at: row.key))) ?? _default()
  }

  public func _write(_ row: Row, _ column: Int) {
    row.handle.set(_stored.value, column, at: row.key)
  }

  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    let value = row.handle.value(column, at: row.key)
    return value.isNull ? nil : Self(_stored: StoredValue(value: value))
  }

  public static func _writeNull(_ row: Row, _ column: Int) {
    row.handle.set(.null, column, at: row.key)
  }
}

extension Int: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .int) }
  public static func _default() -> Int { 0 }
  public init?(_stored: StoredValue) {
    guard case .int(let number) = _stored.value else { return nil }
    self = Int(number)
  }
  public var _stored: StoredValue { StoredValue(value: .int(Int64(self))) }
}

extension String: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .string) }
  public static func _default() -> String { "" }
  public init?(_stored: StoredValue) {
    guard case .string(let text) = _stored.value else { return nil }
    self = text
  }
  public var _stored: StoredValue { StoredValue(value: .string(self)) }
}
