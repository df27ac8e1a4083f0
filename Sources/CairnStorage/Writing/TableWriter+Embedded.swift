import CairnValues

/// Embedded objects live and die with the object that they are in, and the locations that they describe stand in a
/// column of that object.
extension TableWriter {
  /// The class that a property's links lead to, to edit.
  func target(of position: Int) -> TableWriter? {
    if let place = table.targets[position] { return table.set.writer(at: place) }
    guard table.target(of: position) != nil, let place = table.targets[position] else { return nil }
    return table.set.writer(at: place)
  }

  /// The keys that a value of a link column holds.
  func linkedKeys(_ value: Value, _ column: ColumnSchema) -> [Int] {
    switch value {
    case .int(let key): [Int(key)]
    case .data(let bytes):
      bytes.withUnsafeBytes {
        StoredCollection($0, of: column.type, isMap: column.collection == .map).linkedKeys
      }
    default: []
    }
  }

  /// Throws where a value of a link column leads to an object that is not there, or that lives in another one.
  func checkLinks(_ value: Value, _ column: ColumnSchema, at key: Int) throws(StoreError) {
    guard column.isLink else { return }
    let linked = linkedKeys(value, column)
    for linked in linked { try checkLink(linked, column, at: key) }
    guard column.type != .embedded || Set(linked).count == linked.count else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' cannot hold an embedded object twice")
    }
  }

  /// Throws where a link of a row, which need not be finished, leads to such an object.
  func checkLink(
    _ linked: Int, _ column: ColumnSchema, at key: Int
  ) throws(StoreError) {
    let owner = Owner(table: table.id, column: column.id, key: key)
    guard let target = target(of: column.position), target.table.isLive(linked) else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' cannot link to object \(linked) of '\(column.target ?? "")', which is not there"
      )
    }
    guard column.type != .embedded || target.table.owner(of: linked) == owner else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' cannot hold an embedded object that lives in another object"
      )
    }
  }

  /// Throws unless the owner is one that an object of the class can live in.
  func checkOwner(_ owner: Owner?) throws(StoreError) {
    guard (draft.owner != nil) == (owner != nil) else {
      throw StoreError(
        .invalidValue,
        schema.isEmbedded
          ? "an object of '\(schema.name)' is embedded, so it lives in another object"
          : "an object of '\(schema.name)' is not embedded, so it lives in no other object")
    }
    guard let owner else { return }
    if owner.place == draft.knownOwner { return }
    guard let place = table.set.place(id: owner.table),
      let column = table.set.schemas[place].properties.first(where: { $0.id == owner.column }),
      column.type == .embedded, column.target == schema.name
    else {
      throw StoreError(
        .invalidValue,
        "an object of '\(schema.name)' cannot live in a property that does not embed it")
    }
    draft.knownOwner = owner.place
  }

  private func location(behind link: Value, _ column: ColumnSchema) -> Value {
    guard case .int(let key) = link,
      let place = table.target(of: column.position)?.describedPlace(at: Int(key))
    else { return .null }
    return .point(place)
  }

  /// Makes the location column behind an embedded object what that object describes now.
  func refreshLocation(_ column: ColumnSchema, at key: Int) {
    guard let point = schema.point(for: column) else { return }
    let link = table.link(column.position, at: key).map { Value.int(Int64($0)) } ?? .null
    let place = location(behind: link, column)
    guard place != table.value(point.position, at: key) else { return }
    edit(point.position, key >> ChunkShape.shift).set(place, at: key & (ChunkShape.rows - 1))
    overlay.noteModified(key, point)
    overlay.noteLocation(key, point.position)
  }

  /// Tells the owner of an embedded object that what the object describes may have changed.
  func refreshOwner(of key: Int) {
    guard schema.isLocation, let owner = table.owner(of: key),
      let place = table.set.place(id: owner.table), let writer = table.set.writer(at: place),
      writer.table.isLive(owner.key),
      let column = writer.schema.properties.first(where: { $0.id == owner.column })
    else { return }
    writer.refreshLocation(column, at: owner.key)
  }

  /// Deletes those of the embedded objects that a column held before and does not hold now.
  func deleteEmbedded(_ before: [Int], except now: [Int], _ column: ColumnSchema) {
    guard !before.isEmpty, let target = target(of: column.position) else { return }
    let kept = Set(now)
    for key in before where !kept.contains(key) && target.table.isLive(key) {
      target.deleteWithEmbedded(key)
    }
  }

  /// The embedded objects in a value of a column, which go with it; none while their class becomes embedded.
  func ownedKeys(_ value: Value, _ column: ColumnSchema) -> [Int] {
    let keys = linkedKeys(value, column)
    return keys.isEmpty || target(of: column.position)?.sharesObjects == true ? [] : keys
  }

  /// Deletes a row and the embedded objects in it, those in them, and so on.
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
