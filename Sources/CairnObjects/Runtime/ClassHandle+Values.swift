import CairnStorage
import CairnValues

/// Reads and writes of the properties.
extension ClassHandle {
  /// The value of a cell.
  func value(_ column: Int, at key: Int) -> Value {
    checkLive(key)
    session.trackRead(self, column: column, key: key)
    return table.value(column, at: key)
  }

  /// Sets a cell; outside a write transaction this is a programming error.
  func set(_ value: Value, column: Int, at key: Int) {
    checkLive(key)
    let writer = session.writer(of: self)
    if table.schema.columns[column].isPrimaryKey || session.updatePolicy == .modified {
      guard table.value(column, at: key) != value else { return }
    }
    if table.schema.columns[column].isPrimaryKey {
      if session.oldSession != nil {
        return setInMigration(value, column: column, at: key, writer: writer)
      }
      programmingError("Primary key can't be changed after an object is inserted.")
    }
    session.settingProperty(table.schema.columns[column], at: key, of: self) {
      if !session.openCollections.isEmpty {
        session.openCollections.discard(
          Row(handle: self, key: key), column: table.schema.columns[column])
      }
      orFatal { try writer.write(value, position: column, at: key) }
      session.markChanged()
    }
  }

  /// Sets a primary key during a migration, which may give objects other primary keys. Uniqueness
  /// is checked when all objects have theirs.
  private func setInMigration(_ value: Value, column: Int, at key: Int, writer: TableWriter) {
    writer.deferUniqueness()
    orFatal { try writer.set(value, position: column, at: key) }
    session.markChanged()
  }

  /// Links to an object, which is added first if it is not in a store.
  func setLink(_ object: ObjectBase?, column: Int, at key: Int) {
    guard let object else { return set(.null, column: column, at: key) }
    let schema = table.schema.columns[column]
    checkClass(of: object, schema)
    if session.updatePolicy == .modified, let present = target(column, at: key) {
      session.overwrite(present, with: object)
    }
    if schema.type == .embedded {
      guard !isEmbedded(object, column: column, at: key) else { return }
      let row = session.embed(object, in: Row(handle: self, key: key), column: schema)
      set(.int(Int64(row.key)), column: column, at: key)
    } else {
      set(.int(Int64(session.adopt(object).key)), column: column, at: key)
    }
  }

  /// Whether the object is the one that the property already holds.
  private func isEmbedded(_ object: ObjectBase, column: Int, at key: Int) -> Bool {
    guard let row = object.row, row.handle.session === session else { return false }
    return table.link(column, at: key) == row.key
  }

  /// Checks that a link may lead to the object. Objects of a subclass are in a class of their own
  /// in the store, which a link to the superclass does not reach.
  func checkClass(of object: ObjectBase, _ column: ColumnSchema) {
    let name = object.row?.handle.name ?? ObjectLayout.of(type(of: object)).className
    guard name == column.target else {
      programmingError(
        "Object of type '\(name)' cannot be in property '\(self.name).\(column.name)', which holds "
          + "objects of type '\(column.target ?? "")'.")
    }
  }

  func checkLive(_ key: Int) {
    session.checkQuickly()
    guard isLive(key) else { programmingError("Object has been deleted or invalidated.") }
  }
}

/// Writes that set properties of many rows at once.
extension ClassHandle {
  /// Sets the property at the end of a path of names to one value, for rows in any order.
  ///
  /// - Parameter type: the class of objects that the rows are read as.
  func setValue(_ any: Any?, keyPath: String, type: Any.Type, at keys: [Int]) {
    _ = session.writer(of: self)
    let (name, rest) = KeyPathText.split(keyPath)
    guard let column = position(of: name).map({ table.schema.columns[$0] }) else {
      programmingError(
        InvalidValue.unknown(name, className: self.name, among: table.schema.properties.map(\.name))
      )
    }
    let keys = keys.sortedUnique
    if let rest { return setValue(any, keyPath: rest, behind: column, at: keys) }
    let type = type as? ObjectBase.Type ?? DynamicObject.self
    if isShared(any, column: column) {
      setShared(any, name: name, column: column, type: type, at: keys)
    } else {
      for key in keys { type.instance(at: Row(handle: self, key: key)).setValue(any, forKey: name) }
    }
  }

  /// Continues with the objects that a property of the rows leads to.
  private func setValue(
    _ any: Any?, keyPath: String, behind column: ColumnSchema, at keys: [Int]
  ) {
    guard let target = targetHandle(column.position) else {
      programmingError(
        "'\(keyPath)' does not follow an object: '\(name).\(column.name)' is not a link.")
    }
    session.packCollections()
    let linked = keys.flatMap { table.linkedKeys(column.position, at: $0) }
    let type = session.layout(named: target.name)?.type ?? DynamicObject.self
    target.setValue(any, keyPath: keyPath, type: type, at: linked.filter(target.isLive))
  }

  /// Whether all rows can hold the same value. Embedded objects, and objects that are yet to be
  /// created, are one for each row.
  private func isShared(_ any: Any?, column: ColumnSchema) -> Bool {
    guard !column.isPrimaryKey, column.type != .embedded else { return false }
    guard column.isLink, let any = Bridge.unwrapped(any) else { return true }
    return column.collection == .none && any is ObjectBase
  }

  /// Sets the first row as a single property would be set, with every check, and the others to the
  /// value that the first row then holds.
  private func setShared(
    _ any: Any?, name: String, column: ColumnSchema, type: ObjectBase.Type, at keys: [Int]
  ) {
    guard let first = keys.first else { return }
    type.instance(at: Row(handle: self, key: first)).setValue(any, forKey: name)
    if column.collection != .none || column.type == .mixed {
      session.packCollections()
      session.openCollections.discardAll()
    }
    let value = table.value(column.position, at: first)
    session.settingProperty(column, at: keys, of: self) {
      let writer = session.writer(of: self)
      orFatal { try writer.set(value, position: column.position, at: keys) }
      writer.noteWritten(column.position, at: keys)
      session.markChanged()
    }
  }
}

extension [Int] {
  /// The keys in ascending order, without duplicates.
  var sortedUnique: [Int] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    var rising: [Int] = []
    rising.reserveCapacity(count)
    for key in sorted() where rising.last != key { rising.append(key) }
    return rising
  }
}

/// A path of names as a string.
enum KeyPathText {
  /// The first name and the rest of the path; the rest is nil after the last name.
  static func split(_ keyPath: String) -> (name: String, rest: String?) {
    guard let dot = keyPath.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (keyPath, nil) }
    return (String(keyPath[..<dot]), String(keyPath[keyPath.index(after: dot)...]))
  }
}
