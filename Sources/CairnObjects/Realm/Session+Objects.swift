import CairnStorage
import CairnValues

extension Session {
  /// The row of an object; one that is in no store is added, an embedded one to its owner.
  func adopt(_ object: ObjectBase, owner: Owner? = nil) -> Row {
    if let row = object.row {
      if let successor = successor(of: row) { return successor }
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
    return Row(handle: insertion.handle, key: insertion.add(object, owner))
  }

  /// Adds an object, or lets it update the one with its primary key.
  private func insertOrUpdate(
    _ object: ObjectBase, _ owner: Owner?, _ insertion: Insertion
  ) -> Row {
    let handle = insertion.handle
    let (values, later) = insertion.initialValues(of: object)
    let existing = existing(values, in: handle)
    let key: Int = trapping { try existing ?? insert(values, owner, insertion.writer) }
    let row = Row(handle: handle, key: key)
    if existing != nil { update(row, values, except: later) }
    insertion.settle(object, key, later)
    return row
  }

  /// What adding objects of a class takes; outside a write transaction that is a programming error.
  func insertion(of type: ObjectBase.Type) -> Insertion {
    if let known = insertions[ObjectIdentifier(type)] { return known }
    let handle: ClassHandle = trapping { try self.handle(for: ObjectLayout.of(type)) }
    let made = Insertion(handle, handle.binding(of: type), writer(of: handle))
    insertions[ObjectIdentifier(type)] = made
    return made
  }

  /// Adds an embedded object to the object that it lives in, at a property of that.
  func embed(_ object: ObjectBase, in owner: Row, _ column: ColumnSchema) -> Row {
    embed(
      object,
      Owner(table: owner.handle.table.schema.id, column: column.id, key: owner.key))
  }

  func embed(_ object: ObjectBase, _ owner: Owner) -> Row {
    guard object.row == nil else {
      programmingError("Cannot set a link to an existing managed embedded object.")
    }
    return insert(object, owner: owner)
  }
}
