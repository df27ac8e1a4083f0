import CairnStorage
import CairnValues

/// What adding objects of one class takes, looked up once in a write transaction.
final class Insertion {
  let handle: ClassHandle
  let binding: ClassBinding
  let writer: TableWriter
  /// Whether an object may update one that the store has.
  let hasPrimaryKey: Bool
  /// Takes the values of each object in turn.
  let row: _NewRow

  init(_ handle: ClassHandle, _ binding: ClassBinding, _ writer: TableWriter) {
    self.handle = handle
    self.binding = binding
    self.writer = writer
    hasPrimaryKey = handle.table.schema.primaryKey != nil
    row = _NewRow(handle, writer, defersLinks: binding.defersLinks)
  }
}

extension Session {
  /// The row of an object; one that is in no store is added, an embedded one to its owner.
  func adopt(_ object: ObjectBase, owner: Owner? = nil) -> Row {
    if let row = object.row {
      guard row.handle.session === self else {
        programmingError("Object is already managed by another Realm.")
      }
      return row
    }
    return insert(object, owner: owner)
  }

  /// Adds an object, and all that it leads to.
  ///
  /// - Parameter owner: the object that an embedded object lives in.
  func insert(_ object: ObjectBase, owner: Owner? = nil) -> Row {
    let insertion = insertion(of: type(of: object))
    if updatePolicy != .error, insertion.hasPrimaryKey {
      return insertOrUpdate(object, owner, insertion)
    }
    insertion.binding.append(object, to: insertion.row)
    let later = insertion.row.takeLater()
    let key: Int
    do { key = try insertion.writer.finishRow(owner: owner) } catch {
      programmingError("\(error)")
    }
    return settle(object, Row(handle: insertion.handle, key: key), insertion, later)
  }

  /// Adds an object, or lets it update the one with its primary key.
  private func insertOrUpdate(
    _ object: ObjectBase, _ owner: Owner?, _ insertion: Insertion
  ) -> Row {
    let handle = insertion.handle
    let (values, later) = insertion.binding.initialValues(of: object)
    let existing = existing(values, in: handle)
    let key: Int = trapping { try existing ?? insert(values, owner, insertion.writer) }
    let row = Row(handle: handle, key: key)
    if existing != nil { update(row, values, except: later) }
    return settle(object, row, insertion, later)
  }

  /// Makes an object the one of its new row.
  private func settle(
    _ object: ObjectBase, _ row: Row, _ insertion: Insertion, _ later: [DeferredProperty]
  ) -> Row {
    object.row = row
    insertion.binding.manage(object)
    noteChange()
    for property in later { property.value._write(row, property.column) }
    return row
  }

  /// What adding objects of a class takes; outside a write transaction that is a programming error.
  private func insertion(of type: ObjectBase.Type) -> Insertion {
    if let known = insertions[ObjectIdentifier(type)] { return known }
    let handle: ClassHandle = trapping { try self.handle(for: ObjectLayout.of(type)) }
    let made = Insertion(handle, handle.binding(of: type), writer(of: handle))
    insertions[ObjectIdentifier(type)] = made
    return made
  }

  /// Adds an embedded object to the object that it lives in, at a property of that.
  func embed(_ object: ObjectBase, in owner: Row, _ column: ColumnSchema) -> Row {
    guard object.row == nil else {
      programmingError("Cannot set a link to an existing managed embedded object.")
    }
    return insert(
      object,
      owner: Owner(table: owner.handle.table.schema.id, column: column.id, key: owner.key))
  }
}
