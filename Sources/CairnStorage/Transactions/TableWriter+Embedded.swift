import CairnValues

/// Embedded objects live as long as the object that owns them. The locations that they describe are
/// stored in a column of the owner.
extension TableWriter {
  /// Returns the writer of the class that a property links to.
  func target(of position: Int) -> TableWriter? {
    if let index = table.targets[position] { return set.writer(at: index) }
    guard table.target(of: position) != nil, let index = table.targets[position] else { return nil }
    return set.writer(at: index)
  }

  /// Returns the keys in a value of a link column.
  func linkedKeys(_ value: Value, column: ColumnSchema) -> [Int] {
    switch value {
    case .int(let key): [Int(key)]
    case .data(let bytes):
      bytes.withUnsafeBytes {
        StoredCollection($0, of: column.type, isMap: column.collection == .map).linkedKeys
      }
    default: []
    }
  }

  /// Throws if a value of a link column links to an object that does not exist or that has another
  /// owner.
  func checkLinks(_ value: Value, column: ColumnSchema, at key: Int) throws(StoreError) {
    guard column.isLink else { return }
    let linked = linkedKeys(value, column: column)
    for linked in linked { try checkLink(linked, column: column, at: key) }
    guard column.type != .embedded || Set(linked).count == linked.count else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot hold an embedded object twice")
    }
  }

  /// Throws if a link of a row links to such an object. The row may be unfinished.
  func checkLink(
    _ linked: Int, column: ColumnSchema, at key: Int
  ) throws(StoreError) {
    let owner = Owner(table: table.id, column: column.id, key: key)
    guard let target = target(of: column.position), target.table.isLive(linked) else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot link to object \(linked) of "
          + "'\(column.target ?? "")', which does not exist"
      )
    }
    guard column.type != .embedded || target.table.owner(of: linked) == owner else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot hold an embedded object "
          + "that belongs to another object"
      )
    }
  }

  /// Throws unless the owner can hold an object of the class.
  func checkOwner(_ owner: Owner?) throws(StoreError) {
    guard (draft.owner != nil) == (owner != nil) else {
      throw StoreError(
        .invalidValue,
        message: schema.isEmbedded
          ? "an object of '\(schema.name)' is embedded, so it must belong to another object"
          : "an object of '\(schema.name)' is not embedded, so it cannot belong to another object")
    }
    guard let owner else { return }
    if owner.code == draft.checkedOwner { return }
    guard let index = table.set.index(ofID: owner.table),
      let column = table.set.schemas[index].properties.first(where: { $0.id == owner.column }),
      column.type == .embedded, column.target == schema.name
    else {
      throw StoreError(
        .invalidValue,
        message: "an object of '\(schema.name)' cannot belong to a property that does not embed it")
    }
    draft.checkedOwner = owner.code
  }

  private func location(behind link: Value, _ column: ColumnSchema) -> Value {
    guard case .int(let key) = link,
      let location = table.target(of: column.position)?.describedLocation(at: Int(key))
    else { return .null }
    return .point(location)
  }

  /// Updates the location column of an embedded object to what the object describes.
  func refreshLocation(_ column: ColumnSchema, at key: Int) {
    guard let point = schema.point(for: column) else { return }
    let link = table.link(column.position, at: key).map { Value.int(Int64($0)) } ?? .null
    let location = location(behind: link, column)
    guard location != table.value(point.position, at: key) else { return }
    edit(point.position, chunk: RowAddress(key).chunk).set(location, at: RowAddress(key).row)
    overlay.noteModified(key, column: point)
    overlay.noteLocation(key, at: point.position)
  }

  /// Updates the location column in the owner of an embedded object.
  func refreshOwner(of key: Int) {
    guard schema.isLocation, let owner = table.owner(of: key),
      let index = table.set.index(ofID: owner.table), let writer = set.writer(at: index),
      writer.table.isLive(owner.key),
      let column = writer.schema.properties.first(where: { $0.id == owner.column })
    else { return }
    writer.refreshLocation(column, at: owner.key)
  }

  /// Deletes the embedded objects that a column held before and no longer holds.
  func deleteEmbedded(_ before: [Int], except now: [Int], column: ColumnSchema) {
    guard !before.isEmpty, let target = target(of: column.position) else { return }
    let kept = Set(now)
    for key in before where !kept.contains(key) && target.table.isLive(key) {
      target.deleteWithEmbedded(key)
    }
  }

  /// Returns the embedded objects that are deleted with a value of a column; empty while their
  /// class is becoming embedded.
  func ownedKeys(_ value: Value, column: ColumnSchema) -> [Int] {
    let keys = linkedKeys(value, column: column)
    return keys.isEmpty || target(of: column.position)?.sharesObjects == true ? [] : keys
  }

  /// Deletes a row and its embedded objects, recursively.
  func deleteWithEmbedded(_ key: Int) {
    var doomed = [(writer: self, key: key)]
    while let (writer, key) = doomed.popLast() {
      for column in writer.schema.properties where column.type == .embedded {
        guard let target = writer.target(of: column.position), !target.sharesObjects else {
          continue
        }
        for child in writer.table.linkedKeys(column.position, at: key)
        where target.table.isLive(child) {
          doomed.append((target, child))
        }
      }
      writer.deleteRow(key)
    }
  }
}
