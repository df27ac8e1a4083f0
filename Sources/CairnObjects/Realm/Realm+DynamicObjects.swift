import CairnStorage
import CairnValues

extension Realm {
  /// All objects of a class; a class that the store does not have is a programming error.
  public func dynamicObjects(_ className: String) -> Results<DynamicObject> {
    Results(handle: handle(named: className))
  }

  /// The object with that primary key, nil where there is no such object. An optional key may be nil.
  ///
  /// A class that the store does not have, or that has no primary key, is a programming error.
  public func dynamicObject(ofType className: String, forPrimaryKey key: Any?) -> DynamicObject? {
    let handle = handle(named: className)
    return handle.row(primaryKey: key as Any).map { DynamicObject._object(at: $0) }
  }

  /// The class of that name in the store; a name that it does not have is a programming error.
  func handle(named className: String) -> ClassHandle {
    let session = checked
    if let handle = session.handle(className) { return handle }
    programmingError(session.unknownClass(className))
  }
}

extension ClassHandle {
  /// The row with that primary key; nil when there is none, as for a value of another type. Without primary keys it is a programming error.
  func row(primaryKey any: Any) -> Row? {
    guard let position = table.schema.primaryKey else {
      programmingError("'\(name)' does not have a primary key.")
    }
    guard let value = primaryKey(any, table.schema.columns[position]) else { return nil }
    return table.find(primaryKey: value).map { Row(handle: self, key: $0) }
  }

  private func primaryKey(_ any: Any, _ column: ColumnSchema) -> Value? {
    let any = (any as? any _DynamicValue).map { $0._dynamic as Any } ?? any
    guard let any = Bridge.unwrapped(any) else { return column.isOptional ? .null : nil }
    return AnyScalar.value(any, as: column.type)
  }
}
