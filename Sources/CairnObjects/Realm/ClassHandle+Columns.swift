import CairnStorage
import CairnValues

/// Properties of many rows at once.
extension ClassHandle {
  /// Sets the property at the end of a path of names, of rows in any order, to one value.
  ///
  /// - Parameter type: the class of objects that the rows are read as.
  func setValue(_ any: Any?, _ keyPath: String, _ type: Any.Type, at keys: [Int]) {
    _ = session.writer(of: self)
    let (name, rest) = KeyPathText.split(keyPath)
    guard let column = position(of: name).map({ table.schema.columns[$0] }) else {
      programmingError(
        ValueError.unknown(name, self.name, among: table.schema.properties.map(\.name)))
    }
    let keys = keys.risingOnce
    if let rest { return setValue(any, rest, behind: column, at: keys) }
    let type = type as? ObjectBase.Type ?? DynamicObject.self
    if isShared(any, column) {
      setShared(any, name, column, type, at: keys)
    } else {
      for key in keys { type.standing(at: Row(handle: self, key: key)).setValue(any, forKey: name) }
    }
  }

  /// Goes on with the objects that a property of the rows leads to.
  private func setValue(
    _ any: Any?, _ keyPath: String, behind column: ColumnSchema, at keys: [Int]
  ) {
    guard let target = targetHandle(column.position) else {
      programmingError("'\(keyPath)' does not follow an object: '\(name).\(column.name)' is none.")
    }
    session.packCollections()
    let linked = keys.flatMap { table.linkedKeys(column.position, at: $0) }
    let type = session.layout(named: target.name)?.type ?? DynamicObject.self
    target.setValue(any, keyPath, type, at: linked.filter(target.isLive))
  }

  /// Whether all rows can hold the same: embedded objects, and objects that are yet to be made, are one for each.
  private func isShared(_ any: Any?, _ column: ColumnSchema) -> Bool {
    guard !column.isPrimaryKey, column.type != .embedded else { return false }
    guard column.isLink, let any = Bridge.unwrapped(any) else { return true }
    return column.collection == .none && any is ObjectBase
  }

  /// Sets the first row as ever, with every check, and the others to what that holds then.
  private func setShared(
    _ any: Any?, _ name: String, _ column: ColumnSchema, _ type: ObjectBase.Type, at keys: [Int]
  ) {
    guard let first = keys.first else { return }
    type.standing(at: Row(handle: self, key: first)).setValue(any, forKey: name)
    if column.collection != .none || column.type == .mixed {
      session.packCollections()
      session.openCollections.forgetAll()
    }
    let value = table.value(column.position, at: first)
    trapping { try session.writer(of: self).set(value, column.position, at: keys) }
    session.noteChange()
  }
}

extension [Int] {
  /// The keys, rising and each once.
  var risingOnce: [Int] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    var rising: [Int] = []
    rising.reserveCapacity(count)
    for key in sorted() where rising.last != key { rising.append(key) }
    return rising
  }
}
