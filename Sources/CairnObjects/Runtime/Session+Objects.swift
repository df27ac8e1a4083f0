import CairnStorage
import CairnValues

extension Session {
  /// The row of an object. An object that is not in a store is added, an embedded one to its owner.
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

  /// Adds an object and everything that it leads to.
  ///
  /// - Parameter owner: the owner of an embedded object.
  func insert(_ object: ObjectBase, owner: Owner? = nil) -> Row {
    let insertion = insertion(of: type(of: object))
    additions.enter()
    defer { additions.leave() }
    let row =
      updatePolicy != .error && insertion.hasPrimaryKey
      ? insertOrUpdate(object, owner: owner, insertion: insertion)
      : Row(handle: insertion.handle, key: insertion.add(object, owner: owner))
    while let postponed = additions.next() { postponed.write() }
    return row
  }

  /// Adds an object, or updates the stored object with its primary key.
  private func insertOrUpdate(
    _ object: ObjectBase, owner: Owner?, insertion: Insertion
  ) -> Row {
    let handle = insertion.handle
    let (values, later) = insertion.initialValues(of: object)
    let existing = existing(values, in: handle)
    let key: Int = orFatal {
      try existing ?? insert(values, owner: owner, writer: insertion.writer)
    }
    let row = Row(handle: handle, key: key)
    if existing != nil { update(row, values: values, except: later) }
    insertion.bind(object, key: key, later: later)
    return row
  }

  /// The insertion for objects of a class; outside a write transaction this is a programming error.
  func insertion(of type: ObjectBase.Type) -> Insertion {
    if let cached = insertions[ObjectIdentifier(type)] { return cached }
    let handle: ClassHandle = orFatal { try self.handle(for: ObjectLayout.of(type)) }
    let made = Insertion(handle, binding: handle.binding(of: type), writer: writer(of: handle))
    insertions[ObjectIdentifier(type)] = made
    return made
  }

  /// Adds an embedded object to its owner, at a property of the owner.
  func embed(_ object: ObjectBase, in owner: Row, column: ColumnSchema) -> Row {
    embed(
      object,
      owner: Owner(table: owner.handle.table.schema.id, column: column.id, key: owner.key))
  }

  func embed(_ object: ObjectBase, owner: Owner) -> Row {
    guard object.row == nil else {
      programmingError("Cannot set a link to an existing managed embedded object.")
    }
    return insert(object, owner: owner)
  }
}

/// Objects whose primary key may already be in the store.
extension Session {
  /// Runs the body, which adds objects, under an update policy.
  func adopting<R>(_ policy: Realm.UpdatePolicy, body: () throws -> R) rethrows -> R {
    let outer = updatePolicy
    updatePolicy = policy
    defer { updatePolicy = outer }
    return try body()
  }

  /// The key of the stored row that an object with such values updates; nil if the object is new.
  func existing(_ values: [Value], in handle: ClassHandle) -> Int? {
    guard updatePolicy != .error, let position = handle.table.schema.primaryKey else { return nil }
    return handle.table.find(primaryKey: values[position])
  }

  /// - Throws: ``Realm/Error`` if a value does not fit, or the primary key is already in the store.
  func insert(_ values: [Value], owner: Owner?, writer: TableWriter) throws -> Int {
    do throws(StoreError) {
      return try insertingRow(into: writer.schema.id) { () throws(StoreError) in
        try writer.insert(values, owner: owner)
      }
    } catch {
      guard error.kind == .duplicateKey, let position = writer.schema.primaryKey else {
        throw Realm.Error(error)
      }
      throw InvalidValue.duplicate(values[position], className: writer.schema.name)
    }
  }

  /// Writes the values to an existing row.
  func update(_ row: Row, values: [Value], except later: [DeferredProperty]) {
    let later = Set(later.map(\.column))
    for column in row.handle.table.schema.properties
    where !column.isPrimaryKey && !later.contains(column.position) {
      row.handle.set(values[column.position], column: column.position, at: row.key)
    }
  }

  /// Binds an unmanaged object to an existing row, and writes its values there. An object of
  /// another class, or of a class with a primary key, is skipped: it gets a row of its own.
  func overwrite(_ row: Row, with object: ObjectBase) {
    guard object.row == nil, !row.handle.hasPrimaryKey, row.handle.table.isLive(row.key),
      ObjectLayout.of(type(of: object)).className == row.handle.name
    else { return }
    let insertion = insertion(of: type(of: object))
    let (values, later) = insertion.initialValues(of: object)
    update(row, values: values, except: later)
    insertion.bind(object, key: row.key, later: later)
  }
}

extension ClassHandle {
  /// Whether the class has a primary key.
  var hasPrimaryKey: Bool { table.schema.primaryKey != nil }
}
