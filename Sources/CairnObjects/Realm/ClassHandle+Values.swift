import CairnStorage
import CairnValues

/// What properties read and write through.
extension ClassHandle {
  /// What a cell holds.
  func value(_ column: Int, at key: Int) -> Value {
    checkLive(key)
    return table.value(column, at: key)
  }

  /// Sets a cell; outside a write transaction that is a programming error.
  func set(_ value: Value, _ column: Int, at key: Int) {
    checkLive(key)
    let writer = session.writer(of: self)
    if table.schema.columns[column].isPrimaryKey || session.updatePolicy == .modified {
      guard table.value(column, at: key) != value else { return }
    }
    if table.schema.columns[column].isPrimaryKey {
      if session.formerSession != nil { return setMigrated(value, column, at: key, writer) }
      programmingError("Primary key can't be changed after an object is inserted.")
    }
    if !session.openCollections.isEmpty {
      session.openCollections.forget(Row(handle: self, key: key), table.schema.columns[column])
    }
    trapping { try writer.set(value, column, at: key) }
    session.noteChange()
  }

  /// A migration may give objects other primary keys: whether they tell objects apart shows when all have theirs.
  private func setMigrated(_ value: Value, _ column: Int, at key: Int, _ writer: TableWriter) {
    writer.deferUniqueness()
    trapping { try writer.set(value, column, at: key) }
    session.noteChange()
  }

  /// Lets a link lead to an object; one that is in no store is added.
  func setLink(_ object: ObjectBase?, _ column: Int, at key: Int) {
    guard let object else { return set(.null, column, at: key) }
    let schema = table.schema.columns[column]
    checkClass(of: object, schema)
    if session.updatePolicy == .modified, let present = target(column, at: key) {
      session.overwrite(present, with: object)
    }
    if schema.type == .embedded {
      guard !isEmbedded(object, column, at: key) else { return }
      let row = session.embed(object, in: Row(handle: self, key: key), schema)
      set(.int(Int64(row.key)), column, at: key)
    } else {
      set(.int(Int64(session.adopt(object).key)), column, at: key)
    }
  }

  /// Whether the object is the one that the property holds already.
  private func isEmbedded(_ object: ObjectBase, _ column: Int, at key: Int) -> Bool {
    guard let row = object.row, row.handle.session === session else { return false }
    return table.link(column, at: key) == row.key
  }

  /// Objects of a subclass are in a class of their own in the store, which a link to the superclass does not reach.
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
