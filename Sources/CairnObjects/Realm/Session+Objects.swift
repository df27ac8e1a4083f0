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
  func insert(_ object: ObjectBase, owner: Owner? = nil) -> Row {
    let layout = ObjectLayout.of(type(of: object))
    let handle: ClassHandle = trapping { try self.handle(for: layout) }
    let writer = writer(of: handle)
    let binding = handle.binding(of: layout.type)
    let (values, later) = binding.initialValues(of: object)
    let key: Int = trapping { try writer.insert(values, owner: owner) }
    let row = Row(handle: handle, key: key)
    object.attach(to: row)
    noteChange()
    for property in later { property.value._write(row, property.column) }
    return row
  }
}
