import CairnStorage
import CairnValues

/// How a class of objects and a class in a store fit: which column holds which property.
final class ClassBinding {
  let layout: ObjectLayout
  /// The column of each property; nil where nothing is stored for it.
  private let columns: [Int?]

  /// - Throws: `Realm.Error` with every property that does not fit.
  init(_ layout: ObjectLayout, _ schema: TableSchema) throws {
    self.layout = layout
    columns = layout.properties.map { property in
      property.kind.isInverse ? nil : schema.column(named: property.columnName)?.position
    }
  }

  /// Makes the properties of an instance those of the row that it is attached to.
  func manage(_ object: ObjectBase) {
    for (property, column) in zip(layout.properties, columns) {
      guard let column else { continue }
      property.wrapper.manage(property.pointer(in: object), column)
    }
  }

  /// Stores the properties of an instance that is in no store yet into a row.
  func store(_ object: ObjectBase, into row: Row) {
    for (property, column) in zip(layout.properties, columns) {
      guard let column else { continue }
      property.wrapper.store(property.pointer(in: object), row, column)
    }
  }

  /// Values for a new row before its properties are stored: the primary key, and blanks.
  func blankValues(_ object: ObjectBase) -> [Value] {
    layout.schema.columns.map { column in
      column.isOptional ? .null : Value.blank(column.storedType)
    }
  }
}

extension Value {
  /// What stands in a cell that may not be null and was given nothing.
  static func blank(_ type: ValueType) -> Value {
    switch type {
    case .bool: .bool(false)
    case .int, .link, .embedded: .int(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data, .mixed: .data([])
    case .date: .date(0)
    case .objectId: .objectId(ObjectId())
    case .uuid: .uuid(UUIDBytes(high: 0, low: 0))
    case .decimal128: .decimal(0)
    case .point: .null
    }
  }
}
