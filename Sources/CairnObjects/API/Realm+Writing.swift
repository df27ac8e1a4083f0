import CairnStorage

extension Realm {
  /// Runs the body in a write transaction. All of its writes become durable and visible, or none if
  /// it throws.
  ///
  /// - Parameters:
  ///   - tokens: tokens of observers of this realm that are not notified of these writes, because
  ///     they already know them.
  ///   - body: the writes. It may commit or cancel the transaction itself.
  /// - Returns: the result of the body.
  /// - Throws: the error of the body, or ``Realm/Error``.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ body: () throws -> Result
  ) throws -> Result {
    try beginTransaction()
    let result: Result
    do { result = try body() } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction. Waits for other writers, and then reads what they committed.
  ///
  /// A store that is not writable, such as one that was opened for reading only, is a programming
  /// error; ``write(withoutNotifying:_:)`` throws instead.
  public func beginWrite() { orFatal { try beginTransaction() } }

  /// Makes the writes since ``beginWrite()`` durable and visible.
  ///
  /// - Parameter tokens: tokens of observers of this realm that are not notified of these writes,
  ///   because they already know them. A token of another realm is a programming error.
  /// - Throws: ``Realm/Error`` if nothing could be committed.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    let session = checked
    let excluded = tokens.compactMap(\.subscription)
    if excluded.contains(where: { $0.session !== session }) {
      programmingError(
        "Incorrect Realm: only notifications for the Realm being modified can be skipped.")
    }
    try session.commitWrite(excluding: excluded)
  }

  /// Discards the writes since ``beginWrite()``.
  public func cancelWrite() { checked.cancelWrite() }

  /// Whether a write transaction is open.
  public var isInWriteTransaction: Bool { checked.transaction != nil }

  private func beginTransaction() throws {
    let session = checked
    if session.isFrozen {
      programmingError("Can't perform transactions on a frozen Realm")
    }
    try session.beginWrite()
  }
}

extension Realm {
  /// The treatment of an added object whose primary key is already in the store.
  public enum UpdatePolicy: Int, Sendable {
    /// Refuses the object: a programming error, unless the values are validated.
    case error = 1
    /// Writes the values that differ to the stored object.
    case modified = 3
    /// Writes all values to the stored object.
    case all = 2
  }

  /// Adds an object and everything that it leads to. From then on the instance represents the
  /// stored object.
  ///
  /// An object that is already in the realm is left unchanged. A deleted object is a programming error, and
  /// so is an object of another realm; ``create(_:value:update:)`` copies the latter instead.
  ///
  /// - Parameter update: the treatment of an object whose primary key is already in the store.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    let session = writing
    if update != .error { requirePrimaryKey(type(of: object)) }
    if session.hasDeleted(object) { programmingError(InvalidValue.deleted) }
    _ = session.adopting(update) { session.adopt(object) }
  }

  /// Adds objects and everything that they lead to.
  ///
  /// - Parameter update: the treatment of an object whose primary key is already in the store.
  public func add<S: Sequence>(
    _ objects: S, update: UpdatePolicy = .error
  ) where S.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Creates an object from a dictionary by name, an array in the order of the declaration, or
  /// another object, and adds it. Nested values become objects too, and unmanaged objects in the values
  /// are copied.
  ///
  /// Values that an update omits remain unchanged in the store. Under ``UpdatePolicy/modified``,
  /// nested values without a primary key are written to the objects that the properties already
  /// lead to. Names that the class does not have are ignored, and omitted values of a new object
  /// are the properties' defaults.
  ///
  /// A value that does not fit its property is a programming error;
  /// ``create(_:validating:tolerating:update:)`` throws instead.
  ///
  /// - Parameter update: the treatment of an object whose primary key is already in the store.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    orFatal { try create(type, validating: value, tolerating: .all, update: update) }
  }

  /// Creates an object from values that come from outside the program, such as a file, and adds it.
  /// The dictionary must have a value for every property that needs one, and no other names. A
  /// value with a mistake creates nothing.
  ///
  /// - Parameters:
  ///   - tolerance: the properties that the value may omit, and whether it may have other names.
  ///   - update: the treatment of an object whose primary key is already in the store.
  /// - Throws: ``Realm/Error`` that names the property, or the primary key that is already in the
  ///   store.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, validating value: Any, tolerating tolerance: ValueTolerance = [],
    update: UpdatePolicy = .error
  ) throws -> T {
    let session = writing
    if update != .error { requirePrimaryKey(type) }
    let decoder = ValueDecoder(
      session, policy: update, tolerating: tolerance, copyingObjects: true)
    guard let object = try decoder.object(type, from: value) else {
      throw InvalidValue.noSource(value, className: ObjectLayout.of(type).className)
    }
    session.adopting(update) {
      decoder.finish()
      _ = session.adopt(object)
      decoder.finishAdded()
    }
    return object
  }

  private func requirePrimaryKey(_ type: Object.Type) {
    let layout = ObjectLayout.of(type)
    if layout.properties.contains(where: \.isPrimaryKey) { return }
    programmingError(
      "'\(layout.className)' does not have a primary key and can not be updated")
  }
}

extension Realm {
  /// Deletes an object and the embedded objects in it. Links to the object then read as null, and
  /// collections no longer contain it.
  ///
  /// An object of another realm, or of none, is a programming error.
  public func delete(_ object: ObjectBase) {
    let session = writing
    guard let row = object.row, row.handle.session === session else {
      programmingError("Can only delete an object from the Realm it belongs to.")
    }
    row.handle.checkLive(row.key)
    session.delete([row.key], from: row.handle)
  }

  /// Deletes objects and the embedded objects in them. Objects that are already deleted are
  /// skipped.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    let session = writing
    // All keys are collected first: a live collection would lose its elements one by one.
    var keys: [ObjectIdentifier: (handle: ClassHandle, keys: [Int])] = [:]
    for object in objects {
      guard let row = object.row, row.handle.session === session else {
        programmingError("Can only delete an object from the Realm it belongs to.")
      }
      keys[ObjectIdentifier(row.handle), default: (row.handle, [])].keys.append(row.key)
    }
    for (handle, keys) in keys.values { session.delete(keys, from: handle) }
  }

  /// Deletes the objects of results or another collection, and the embedded objects in them, chunk
  /// by chunk.
  public func delete<C: RealmCollection>(_ objects: C) where C.Element: ObjectBase {
    let session = writing
    guard let results = objects._results, results.session === session else {
      programmingError("Can only delete objects from the Realm they belong to.")
    }
    session.delete(results.found.allKeys, from: results.handle)
  }

  /// Deletes the objects that a map leads to, and the embedded objects in them. The keys remain,
  /// with null values.
  public func delete<Key: _MapKey, Element: ObjectBase>(_ map: Map<Key, Element?>) {
    delete(map.values.compactMap { $0 })
  }

  /// Deletes every object in the store; the classes remain.
  public func deleteAll() {
    let session = writing
    session.openCollections.discardAll()
    for name in session.classNames {
      if let handle = session.handle(name) { session.deleteAll(of: handle) }
    }
  }
}

extension Session {
  /// Deletes rows, given in any order. Deleted rows among them are skipped.
  func delete(_ keys: [Int], from handle: ClassHandle) {
    packCollections()
    let writer = writer(of: handle)
    deletingRows(keys, from: handle) {
      writer.delete(keys.sortedUnique)
      markChanged()
    }
  }

  fileprivate func deleteAll(of handle: ClassHandle) {
    let writer = writer(of: handle)
    deletingRows(nil, from: handle) {
      writer.deleteAll()
      markChanged()
    }
  }
}
