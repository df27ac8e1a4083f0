import CairnValues

/// Embedded objects live and die with the object that they are in, and the locations that they describe stand in a
/// column of that object.
extension TableWriter {
  /// The class that a column's links lead to, to edit.
  func target(of column: ColumnSchema) -> TableWriter? {
    guard table.target(of: column.position) != nil, let place = table.targets[column.position]
    else { return nil }
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
    guard column.isLink, value != .null else { return }
    let target = table.target(of: column.position)
    let owner = Owner(table: schema.id, column: column.id, key: key)
    for linked in linkedKeys(value, column) {
      guard let target, target.isLive(linked) else {
        throw StoreError(
          .invalidValue,
          "property '\(schema.name).\(column.name)' cannot link to object \(linked) of '\(column.target ?? "")', which is not there"
        )
      }
      if column.type == .embedded, target.owner(of: linked) != owner {
        throw StoreError(
          .invalidValue,
          "property '\(schema.name).\(column.name)' cannot hold an embedded object that lives in another object"
        )
      }
    }
  }

  /// What the store's own columns hold in a new row with these properties.
  func hiddenValues(_ values: [Value], _ owner: Owner?) throws(StoreError) -> [Value] {
    try checkOwner(owner)
    return schema.columns[values.count...].map { column in
      switch column.role {
      case .property: .null
      case .ownerKey: .int(Int64(owner?.key ?? 0))
      case .ownerColumn: .int(owner?.place ?? 0)
      case .point(let source): location(behind: values[Int(source)], schema.columns[Int(source)])
      }
    }
  }

  private func checkOwner(_ owner: Owner?) throws(StoreError) {
    guard schema.isEmbedded == (owner != nil) else {
      throw StoreError(
        .invalidValue,
        schema.isEmbedded
          ? "an object of '\(schema.name)' is embedded, so it lives in another object"
          : "an object of '\(schema.name)' is not embedded, so it lives in no other object")
    }
    guard let owner else { return }
    guard let place = table.set.place(id: owner.table),
      let column = table.set.schemas[place].properties.first(where: { $0.id == owner.column }),
      column.type == .embedded, column.target == schema.name
    else {
      throw StoreError(
        .invalidValue, "an object of '\(schema.name)' cannot live in a property that does not embed it")
    }
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
    overlay.touchedLocations[point.position, default: []].insert(key)
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
    guard !before.isEmpty, let target = target(of: column) else { return }
    let kept = Set(now)
    for key in before where !kept.contains(key) && target.table.isLive(key) {
      target.deleteAll(from: key)
    }
  }

  /// Deletes a row and the embedded objects in it, those in them, and so on.
  func deleteAll(from key: Int) {
    var doomed = [(writer: self, key: key)]
    while let (writer, key) = doomed.popLast() {
      for column in writer.schema.properties where column.type == .embedded {
        guard let target = writer.target(of: column) else { continue }
        for child in writer.table.linkedKeys(column.position, at: key)
        where target.table.isLive(child) {
          doomed.append((target, child))
        }
      }
      writer.deleteRow(key)
    }
  }
}
