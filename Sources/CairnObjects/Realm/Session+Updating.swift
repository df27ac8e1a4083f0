import CairnStorage
import CairnValues

/// Objects whose primary key the store may have already.
extension Session {
  /// Adds objects under a policy.
  func adopting<R>(_ policy: Realm.UpdatePolicy, _ body: () throws -> R) rethrows -> R {
    let outer = updatePolicy
    updatePolicy = policy
    defer { updatePolicy = outer }
    return try body()
  }

  /// The row that an object with such values updates; nil for a new one.
  func existing(_ values: [Value], in handle: ClassHandle) -> Int? {
    guard updatePolicy != .error, let position = handle.table.schema.primaryKey else { return nil }
    return handle.table.find(primaryKey: values[position])
  }

  /// - Throws: `Realm.Error` where a value does not fit, or the primary key is there already.
  func insert(_ values: [Value], _ owner: Owner?, _ writer: TableWriter) throws -> Int {
    do { return try writer.insert(values, owner: owner) } catch {
      guard error.kind == .duplicateKey, let position = writer.schema.primaryKey else {
        throw Realm.Error(error)
      }
      throw ValueError.duplicate(values[position], writer.schema.name)
    }
  }

  /// Writes the values into a row that is there already.
  func update(_ row: Row, _ values: [Value], except later: [DeferredProperty]) {
    let later = Set(later.map(\.column))
    for column in row.handle.table.schema.properties
    where !column.isPrimaryKey && !later.contains(column.position) {
      row.handle.set(values[column.position], column.position, at: row.key)
    }
  }

  /// Lets an object that is in no store become the one of a row that is there: the row gets its values. One of a class
  /// with primary keys, or of another class, is left alone: a row of its own is found for it.
  func overwrite(_ row: Row, with object: ObjectBase) {
    guard object.row == nil, !row.handle.hasPrimaryKey, row.handle.table.isLive(row.key),
      ObjectLayout.of(type(of: object)).className == row.handle.name
    else { return }
    let insertion = insertion(of: type(of: object))
    let (values, later) = insertion.initialValues(of: object)
    update(row, values, except: later)
    insertion.settle(object, row.key, later)
  }
}

extension ClassHandle {
  /// Whether a property tells the objects of the class apart.
  var hasPrimaryKey: Bool { table.schema.primaryKey != nil }
}
