import CairnStorage

extension Realm {
  /// Deletes an object, and the embedded objects in it. Links to it read as null from then on, and collections
  /// do without it.
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

  /// Deletes objects, and the embedded objects in them.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    // All of them are fetched first: results would lose them one by one.
    for object in Array(objects) where !object.isInvalidated { delete(object) }
  }

  /// Deletes the objects of results, and the embedded objects in them.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    let session = writing
    guard objects.handle.session === session else {
      programmingError("Can only delete objects from the Realm they belong to.")
    }
    session.delete(objects.found.allKeys, from: objects.handle)
  }

  /// Deletes the objects that a map leads to, and the embedded objects in them; its keys stay, with null.
  public func delete<Key: _MapKey, Element: ObjectBase>(_ map: Map<Key, Element?>) {
    delete(map.values.compactMap { $0 })
  }

  /// Deletes every object in the store; the classes stay.
  public func deleteAll() {
    let session = writing
    session.openCollections.forgetAll()
    for name in session.classNames {
      if let handle = session.handle(name) { session.deleteAll(of: handle) }
    }
  }
}

extension Session {
  /// Deletes rows that live.
  func delete(_ keys: [Int], from handle: ClassHandle) {
    packCollections()
    let writer = writer(of: handle)
    trapping {
      for key in keys where handle.table.isLive(key) { try writer.delete(key) }
    }
    noteChange()
  }

  fileprivate func deleteAll(of handle: ClassHandle) {
    writer(of: handle).deleteAll()
    noteChange()
  }
}
