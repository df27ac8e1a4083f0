import CairnStorage
import CairnValues

extension Session {
  /// Adds an object of a class by name, for which the program may have no Swift class. If the
  /// update policy allows it, updates the object with the same primary key instead.
  ///
  /// - Parameter owner: The owner of an embedded object of a class without a Swift class.
  /// - Throws: `Realm.Error` if a value does not fit; in that case nothing is added.
  func create(in handle: ClassHandle, _ value: Any, owner: Owner? = nil) throws -> Row {
    if let layout = layout(named: handle.name) {
      return try create(layout.type, value: value, name: layout.className)
    }
    let values = try DynamicSource(value, for: handle)
    let (row, isNew) = try row(in: handle, values, owner: owner)
    markChanged()
    do {
      for (column, any) in values.properties { try DynamicCell(row, column: column).set(any) }
    } catch {
      if isNew { delete([row.key], from: handle) }
      throw error
    }
    return row
  }

  private func create<T: ObjectBase>(_ type: T.Type, value: Any, name: String) throws -> Row {
    let decoder = ValueDecoder(self, policy: updatePolicy, copyingObjects: true)
    guard let object = try decoder.object(type, from: value) else {
      throw InvalidValue.noSource(value, className: name)
    }
    decoder.finish()
    let row = adopt(object)
    decoder.finishAdded()
    return row
  }

  /// Returns the row for the object: a new one, or the existing one with its primary key.
  private func row(
    in handle: ClassHandle, _ source: DynamicSource, owner: Owner?
  ) throws -> (row: Row, isNew: Bool) {
    var values = handle.table.schema.properties.map {
      $0.isNullable ? Value.null : .defaultValue(of: $0.storedType)
    }
    if let position = handle.table.schema.primaryKey, let key = source.primaryKey {
      values[position] = key
      if let key = existing(values, in: handle) { return (Row(handle: handle, key: key), false) }
    }
    let given = Set(source.properties.map(\.column.name))
    let columns = handle.table.schema.properties
    if let missing = columns.first(where: { $0.requiresLocation && !given.contains($0.name) }) {
      throw InvalidValue.missing(missing.name, className: handle.name)
    }
    let key = try insert(values, owner: owner, writer: writer(of: handle))
    return (Row(handle: handle, key: key), true)
  }
}

/// The values for an object of a class that has no Swift class.
private struct DynamicSource {
  /// The primary key as it is stored; nil if the class has none or the source gives none.
  private(set) var primaryKey: Value?
  /// The values of the other properties.
  private(set) var properties: [(column: ColumnSchema, value: Any)] = []

  /// Collects the values for an object.
  ///
  /// - Throws: `Realm.Error` if the source has no named values, a name that the class does not
  ///   have, or a primary key of another type.
  init(_ any: Any, for handle: ClassHandle) throws {
    for (name, value) in try DynamicSource.values(of: any, for: handle) {
      let columns = handle.table.schema.columns
      guard let position = handle.position(of: name) else {
        let names = handle.table.schema.properties.map(\.name)
        throw Realm.Error(
          .fail, description: InvalidValue.unknown(name, className: handle.name, among: names))
      }
      guard columns[position].isPrimaryKey else {
        properties.append((columns[position], value))
        continue
      }
      primaryKey = try DynamicSource.key(value, column: columns[position], handle: handle)
    }
  }

  private static func values(of any: Any, for handle: ClassHandle) throws -> [String: Any] {
    let names = handle.table.schema.properties.map(\.name)
    switch any {
    case let values as [String: Any]: return values
    case let values as [Any]:
      guard values.count <= names.count else {
        throw InvalidValue.tooMany(values.count, properties: names.count, className: handle.name)
      }
      return Dictionary(zip(names, values)) { first, _ in first }
    case let object as ObjectBase:
      let given = names.compactMap { name in object.valueForCopy(of: name).map { (name, $0) } }
      return Dictionary(given) { first, _ in first }
    default: throw InvalidValue.noSource(any, className: handle.name)
    }
  }

  private static func key(
    _ any: Any, column: ColumnSchema, handle: ClassHandle
  ) throws -> Value {
    let any = (any as? any _DynamicValue).map { $0._dynamic as Any } ?? any
    guard let key = Bridge.unwrapped(any) else {
      if column.isOptional { return .null }
      throw InvalidValue.mismatch(any, column: column, className: handle.name)
    }
    guard let value = AnyScalar.value(key, as: column.type) else {
      throw InvalidValue.mismatch(any, column: column, className: handle.name)
    }
    return value
  }
}
