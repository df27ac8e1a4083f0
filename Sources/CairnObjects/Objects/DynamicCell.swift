import CairnStorage
import CairnValues

/// One property of one object, by the type that the store gives it.
struct DynamicCell {
  private let row: Row
  private let column: ColumnSchema

  init(_ row: Row, _ column: ColumnSchema) {
    self.row = row
    self.column = column
  }

  /// `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint DynamicObject`, by the property's
  /// type; nil for null.
  var value: Any? {
    switch column.type {
    case .link, .embedded:
      row.handle.target(column.position, at: row.key).map { DynamicObject._object(at: $0) }
    default: Bridge.any(row.handle.value(column.position, at: row.key))
    }
  }

  /// - Throws: `Realm.Error` where the value does not fit.
  func set(_ any: Any?) throws {
    guard let any = any.flatMap(ValueSource.unwrapped) else {
      guard column.isOptional else { throw mismatch(any as Any) }
      return row.handle.set(.null, column.position, at: row.key)
    }
    switch column.type {
    case .link, .embedded:
      guard let object = any as? ObjectBase else { throw mismatch(any) }
      row.handle.setLink(object, column.position, at: row.key)
    default:
      guard let value = AnyScalar.value(any, as: column.type) else { throw mismatch(any) }
      row.handle.set(value, column.position, at: row.key)
    }
  }

  private func mismatch(_ any: Any) -> Realm.Error {
    let type = PropertyType(column.type).rawValue + (column.isOptional ? "?" : "")
    return ValueError.mismatch(
      any, "'\(type)' property '\(row.handle.name).\(column.name)'")
  }
}
