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

  /// Deletes objects, and the embedded objects in them; those that are deleted already are passed over.
  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    let session = writing
    // All of them are found first: a collection would lose them one by one.
    var keys: [ObjectIdentifier: (handle: ClassHandle, keys: [Int])] = [:]
    for object in objects {
      guard let row = object.row, row.handle.session === session else {
        programmingError("Can only delete an object from the Realm it belongs to.")
      }
      keys[ObjectIdentifier(row.handle), default: (row.handle, [])].keys.append(row.key)
    }
    for (handle, keys) in keys.values { session.delete(keys, from: handle) }
  }

  /// Deletes the objects of results or another collection, and the embedded objects in them, chunk by chunk.
  public func delete<C: RealmCollection>(_ objects: C) where C.Element: ObjectBase {
    let session = writing
    guard let results = objects._results, results.session === session else {
      programmingError("Can only delete objects from the Realm they belong to.")
    }
    session.delete(results.found.allKeys, from: results.handle)
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
  /// Deletes rows, in any order; dead ones among them are passed over.
  func delete(_ keys: [Int], from handle: ClassHandle) {
    packCollections()
    writer(of: handle).delete(keys.risingOnce)
    noteChange()
  }

  fileprivate func deleteAll(of handle: ClassHandle) {
    writer(of: handle).deleteAll()
    noteChange()
  }
}
