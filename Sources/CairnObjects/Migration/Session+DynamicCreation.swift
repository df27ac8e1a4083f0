import CairnStorage
import CairnValues

extension Session {
  /// Adds an object of a class by name, which the program may have no Swift class for; where the update policy says
  /// so, the object with its primary key gets the values instead.
  ///
  /// - Throws: `Realm.Error` where a value does not fit; nothing is added then.
  func create(in handle: ClassHandle, _ value: Any) throws -> Row {
    if let layout = layout(named: handle.name) {
      return try create(layout.type, value, layout.className)
    }
    let values = try DynamicSource(value, for: handle)
    let row = try row(in: handle, values)
    noteChange()
    for (column, any) in values.rest { try DynamicCell(row, column).set(any) }
    return row
  }

  private func create<T: ObjectBase>(_ type: T.Type, _ value: Any, _ name: String) throws -> Row {
    let intake = ValueIntake(self, updatePolicy)
    guard let object = try intake.object(type, from: value) else {
      throw ValueError.noSource(value, name)
    }
    intake.finish()
    let row = adopt(object)
    intake.finishAdded()
    return row
  }

  /// The row that the object is to be: a new one, or the one with its primary key.
  private func row(in handle: ClassHandle, _ source: DynamicSource) throws -> Row {
    var values = handle.table.schema.properties.map {
      $0.isNullable ? Value.null : .blank($0.storedType)
    }
    if let position = handle.table.schema.primaryKey, let key = source.primaryKey {
      values[position] = key
      if let key = existing(values, in: handle) { return Row(handle: handle, key: key) }
    }
    let given = Set(source.rest.map(\.column.name))
    let columns = handle.table.schema.properties
    if let missing = columns.first(where: { $0.requiresLocation && !given.contains($0.name) }) {
      throw ValueError.missing(missing.name, handle.name)
    }
    return Row(handle: handle, key: try insert(values, nil, writer(of: handle)))
  }
}

/// What an object of a class without a Swift class is made from.
private struct DynamicSource {
  /// The primary key as it is stored; nil where the source has none, or the class.
  private(set) var primaryKey: Value?
  /// The values of the other properties.
  private(set) var rest: [(column: ColumnSchema, value: Any)] = []

  /// - Throws: `Realm.Error` for a source without values by name, a name that the class does not have, and a primary
  ///   key of another type.
  init(_ any: Any, for handle: ClassHandle) throws {
    for (name, value) in try DynamicSource.values(of: any, for: handle) {
      let columns = handle.table.schema.columns
      guard let position = handle.position(of: name) else {
        let names = handle.table.schema.properties.map(\.name)
        throw Realm.Error(.fail, ValueError.unknown(name, handle.name, among: names))
      }
      guard columns[position].isPrimaryKey else {
        rest.append((columns[position], value))
        continue
      }
      primaryKey = try DynamicSource.key(value, columns[position], handle)
    }
  }

  private static func values(of any: Any, for handle: ClassHandle) throws -> [String: Any] {
    let names = handle.table.schema.properties.map(\.name)
    switch any {
    case let values as [String: Any]: return values
    case let values as [Any]:
      guard values.count <= names.count else {
        throw ValueError.tooMany(values.count, names.count, handle.name)
      }
      return Dictionary(zip(names, values)) { first, _ in first }
    case let object as ObjectBase:
      let given = names.compactMap { name in object.given(name).map { (name, $0) } }
      return Dictionary(given) { first, _ in first }
    default: throw ValueError.noSource(any, handle.name)
    }
  }

  private static func key(
    _ any: Any, _ column: ColumnSchema, _ handle: ClassHandle
  ) throws -> Value {
    let any = (any as? any _DynamicValue).map { $0._dynamic as Any } ?? any
    guard let key = Bridge.unwrapped(any) else {
      if column.isOptional { return .null }
      throw ValueError.mismatch(any, column, handle.name)
    }
    guard let value = AnyScalar.value(key, as: column.type) else {
      throw ValueError.mismatch(any, column, handle.name)
    }
    return value
  }
}
