import CairnStorage
import CairnValues

/// Links that are set by name: to objects, or to new ones with the values of dictionaries and arrays.
extension DynamicCell {
  /// Sets a link, or a collection of links.
  func setLinks(_ any: Any?, _ decoder: ValueDecoder) throws {
    let any = Bridge.mapped(any) ?? Bridge.unwrapped(any)
    switch column.collection {
    case .none:
      let object = try any.map { try linked([$0], decoder)[0] }
      // An embedded object that was created for the property has its owner already.
      if let own = object.flatMap(ownedRow) {
        return row.handle.set(.int(Int64(own.key)), column: column.position, at: row.key)
      }
      row.handle.setLink(object, column: column.position, at: row.key)
    case .list:
      let list = List<DynamicObject>()
      list.append(objectsIn: try linkedElements(any, decoder))
      list._write(row, column: column.position)
    case .set:
      let set = MutableSet<DynamicObject>()
      set.insert(objectsIn: try linkedElements(any, decoder))
      set._write(row, column: column.position)
    case .map:
      guard let entries = any.map(ValueSource.entries) ?? [:] else { throw mismatch(any as Any) }
      // In the order of the keys, so that new objects have the same keys in each run.
      let sorted = entries.sorted { $0.key < $1.key }
      let present = sorted.filter { Bridge.unwrapped($0.value) != nil }
      let objects = try linked(present.map(\.value), decoder).map(stored)
      let map = Map<String, DynamicObject?>()
      for (key, _) in sorted { map.updateValue(nil, forKey: key) }
      for (entry, object) in zip(present, objects) { map.updateValue(object, forKey: entry.key) }
      map._write(row, column: column.position)
    }
  }

  private func linkedElements(_ any: Any?, _ decoder: ValueDecoder) throws -> [DynamicObject] {
    guard let elements = any.map(ValueSource.elements) ?? [] else { throw mismatch(any as Any) }
    return try linked(elements, decoder).map(stored)
  }

  /// Converts values to objects: an object is taken as it is, and a dictionary or an array gives the
  /// values of a new one. All values are checked before an object is added.
  private func linked(_ values: [Any], _ decoder: ValueDecoder) throws -> [ObjectBase] {
    let session = row.handle.session
    guard let target = row.handle.targetHandle(column.position) else { throw mismatch(values) }
    let layout = session.layout(named: target.name)
    var objects: [ObjectBase?] = []
    for any in values {
      if let object = Bridge.object(Bridge.mapped(any) ?? any) {
        objects.append(try taken(object, as: layout, decoder))
      } else if Bridge.unwrapped(any) == nil {
        throw mismatch(any)
      } else if let layout {
        guard let object = try decoder.object(layout.type, from: any) else { throw mismatch(any) }
        objects.append(object)
      } else {
        objects.append(nil)
      }
    }
    return try created(for: objects, from: values, in: target)
  }

  /// The object itself, or a copy if it is of another realm.
  private func taken(
    _ object: ObjectBase, as layout: ObjectLayout?, _ decoder: ValueDecoder
  ) throws -> ObjectBase {
    let session = row.handle.session
    let name = object.row?.handle.name ?? ObjectLayout.of(Swift.type(of: object)).className
    guard name == column.target else { throw mismatch(object) }
    guard let other = object.row, other.handle.session !== session,
      session.successor(of: other) == nil, let layout
    else { return object }
    guard let copy = try decoder.object(layout.type, from: object) else { throw mismatch(object) }
    return copy
  }

  /// Creates the missing objects, of a class that the program does not have. If the values of one do
  /// not fit, none remains.
  private func created(
    for objects: [ObjectBase?], from values: [Any], in target: ClassHandle
  ) throws -> [ObjectBase] {
    let session = row.handle.session
    let owner = CollectionOwner(row, column: column).embedding
    var made: [Int] = []
    do {
      return try zip(objects, values).map { object, any in
        if let object { return object }
        let new = try session.create(in: target, any, owner: owner)
        made.append(new.key)
        return DynamicObject._object(at: new)
      }
    } catch {
      session.delete(made, from: target)
      throw error
    }
  }

  /// The object in the store, to which it is added if it is not there yet.
  private func stored(_ object: ObjectBase) -> DynamicObject {
    DynamicObject._object(
      at: ownedRow(object) ?? CollectionOwner(row, column: column).adopt(object))
  }

  /// The row of an embedded object that the property owns already; nil for any other object.
  private func ownedRow(_ object: ObjectBase) -> Row? {
    guard let owner = CollectionOwner(row, column: column).embedding, let own = object.row,
      own.handle.session === row.handle.session, own.handle.name == column.target,
      own.handle.table.owner(of: own.key) == owner
    else { return nil }
    return own
  }
}
