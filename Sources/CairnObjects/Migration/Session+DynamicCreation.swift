import CairnStorage
import CairnValues

extension Session {
  /// Adds an object of a class by name, which the program may have no Swift class for.
  ///
  /// - Throws: `Realm.Error` where a value does not fit.
  func create(in handle: ClassHandle, _ value: Any) throws -> Row {
    if let layout = layout(named: handle.name) {
      return try create(layout.type, value, layout.className)
    }
    guard let source = value as? [String: Any] else {
      throw ValueError.noSource(value, handle.name)
    }
    let columns = handle.table.schema.properties
    if let missing = columns.first(where: { $0.requiresLocation && source[$0.name] == nil }) {
      throw ValueError.missing(missing.name, handle.name)
    }
    let blanks = columns.map { $0.isNullable ? Value.null : .blank($0.storedType) }
    let row = Row(handle: handle, key: try insert(blanks, nil, writer(of: handle)))
    noteChange()
    for (name, any) in source {
      guard let position = handle.position(of: name) else {
        throw Realm.Error(
          .fail, ValueError.unknown(name, handle.name, among: columns.map(\.name)))
      }
      try DynamicCell(row, handle.table.schema.columns[position]).set(any)
    }
    return row
  }

  private func create<T: ObjectBase>(_ type: T.Type, _ value: Any, _ name: String) throws -> Row {
    let intake = ValueIntake(self)
    guard let object = try intake.object(type, from: value) else {
      throw ValueError.noSource(value, name)
    }
    intake.finish()
    let row = adopt(object)
    intake.finishAdded()
    return row
  }
}
