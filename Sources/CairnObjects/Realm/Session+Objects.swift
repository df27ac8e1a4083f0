import CairnStorage
import CairnValues

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
    let layout = ObjectLayout.of(type(of: object))
    let handle: ClassHandle = trapping { try self.handle(for: layout) }
    let writer = writer(of: handle)
    let (values, later) = handle.binding(of: layout.type).initialValues(of: object)
    let existing = existing(values, in: handle)
    let key: Int = trapping { try existing ?? insert(values, owner, writer) }
    let row = Row(handle: handle, key: key)
    object.attach(to: row)
    if existing != nil { update(row, values, except: later) }
    noteChange()
    for property in later { property.value._write(row, property.column) }
    return row
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
