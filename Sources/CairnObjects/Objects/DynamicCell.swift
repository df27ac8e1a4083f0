import CairnGeometry
import CairnStorage
import CairnValues
import FoundationEssentials

/// One property of one object, by the type that the store gives it.
struct DynamicCell {
  private let row: Row
  private let column: ColumnSchema

  init(_ row: Row, _ column: ColumnSchema) {
    self.row = row
    self.column = column
  }

  /// `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint DynamicObject`, or a list, a set or a
  /// map of those, by the property's type; what a mixed property holds; nil for null. A whole number is of the width that the
  /// program's class declares.
  var value: Any? {
    // While a migration runs a required location may not be set yet.
    if column.type == .point, column.requiresLocation {
      return Bridge.any(row.handle.value(column.position, at: row.key))
    }
    guard let type else { return DynamicObject?._read(row, column.position) }
    let value = type._read(row, column.position)._dynamic
    guard column.type == .mixed, let place = (value as? ObjectBase)?.row else { return value }
    return DynamicObject._object(at: place)
  }

  /// - Throws: `Realm.Error` where the value does not fit.
  func set(_ any: Any?) throws {
    let intake = ValueIntake(row.handle.session)
    guard let type, let value = try type._from(any as Any, intake) else {
      return try setLink(any)
    }
    value._write(row, column.position)
    intake.finishAdded()
  }

  private func setLink(_ any: Any?) throws {
    let any = Bridge.mapped(any) ?? Bridge.unwrapped(any)
    guard column.collection == .none, column.isLink, any == nil || any is ObjectBase else {
      throw mismatch(any as Any)
    }
    row.handle.setLink(any as? ObjectBase, column.position, at: row.key)
  }

  private func mismatch(_ any: Any) -> Realm.Error {
    ValueError.mismatch(any, column, row.handle.name)
  }
}

extension DynamicCell {
  /// The type that a program would give the property; nil for a link to one object.
  private var type: (any _Persistable.Type)? {
    switch column.type {
    case .bool: type(of: Bool.self)
    case .int: integer
    case .float: type(of: Float.self)
    case .double: type(of: Double.self)
    case .string: type(of: String.self)
    case .data: type(of: Data.self)
    case .date: type(of: Date.self)
    case .objectId: type(of: ObjectId.self)
    case .uuid: type(of: UUID.self)
    case .decimal128: type(of: Decimal128.self)
    case .point: column.isOptional ? GeoPoint?.self : GeoPoint.self
    case .mixed: column.collection == .none ? AnyRealmValue.self : collection(AnyRealmValue.self)
    case .link, .embedded: links
    }
  }

  private func type<T: _Scalar & RealmCollectionValue>(of type: T.Type) -> any _Persistable.Type {
    guard column.collection == .none else {
      return column.isOptional ? collection(T?.self) : collection(T.self)
    }
    return column.isOptional ? T?.self : T.self
  }

  /// Numbers that the program's class could not hold, as before a migration, are given as `Int`.
  private var integer: any _Persistable.Type {
    guard row.handle.mayBeDeclared else { return type(of: Int.self) }
    let declared = row.handle.session.integer(of: column, in: row.handle.name)
    return row.fits(declared, column) ? type(of: declared) : type(of: Int.self)
  }

  private func collection<T: RealmCollectionValue>(_ type: T.Type) -> any _Persistable.Type {
    switch column.collection {
    case .set: MutableSet<T>.self
    case .map: Map<String, T>.self
    default: List<T>.self
    }
  }

  private var links: (any _Persistable.Type)? {
    switch column.collection {
    case .none: nil
    case .map: Map<String, DynamicObject?>.self
    default: collection(DynamicObject.self)
    }
  }
}
