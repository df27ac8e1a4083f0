import CairnValues

/// One class inside a write transaction: reads see what was written, edits stay in memory.
package final class TableWriter {
  /// The class as the transaction has it now.
  package let table: Table
  let overlay: TableOverlay
  package var schema: TableSchema { table.schema }

  /// Nil for a class outside write transactions.
  init?(_ table: Table) {
    guard let overlay = table.overlay else { return nil }
    self.table = table
    self.overlay = overlay
  }

  /// A bulk load that the commit makes visible.
  var published: BulkExtent?

  var isChanged: Bool {
    published != nil || overlay.endKey != table.state.endKey || !overlay.deleted.isEmpty
      || !overlay.modified.isEmpty
  }

  /// The key that the next row gets.
  package var nextKey: Int { overlay.endKey }

  /// Inserts a row; the values are in the order of the properties. Gives its key.
  ///
  /// - Parameter owner: the object that an embedded object lives in; it may be the one that is inserted next.
  /// - Throws: what is wrong with the row; then the transaction is as it was.
  @discardableResult
  package func insert(_ values: [Value], owner: Owner? = nil) throws(StoreError) -> Int {
    guard values.count == schema.properties.count else {
      throw StoreError(
        .invalidValue,
        "class '\(schema.name)' has \(schema.properties.count) properties, not \(values.count)")
    }
    for (column, value) in zip(schema.properties, values) { try check(value, column) }
    if let position = schema.primaryKey { try checkUnique(values[position], position) }
    let key = overlay.endKey
    for column in schema.properties {
      try checkLinks(values[column.position], column, at: key)
    }
    let values = values + (try hiddenValues(values, owner))
    let chunk = key >> ChunkShape.shift
    for (position, value) in values.enumerated() { try checkRoom(value, position, chunk) }
    let row = key & (ChunkShape.rows - 1)
    for (position, value) in values.enumerated() {
      let buffer = edit(position, chunk)
      buffer.count = max(buffer.count, row + 1)
      buffer.set(value, at: row)
      if schema.columns[position].hasSpatialIndex, value != .null {
        overlay.touchedLocations[position, default: []].insert(key)
      }
    }
    overlay.endKey = key + 1
    overlay.liveCount += 1
    editLiveness(ofNew: key)
    overlay.inserted.append(key)
    overlay.touch(key)
    if let position = schema.primaryKey { overlay.primaryKeys[values[position]] = key }
    return key
  }

  /// Sets one property of a row. An embedded object that it held, and does not hold now, is deleted.
  ///
  /// - Throws: what is wrong with the value; then the transaction is as it was.
  package func set(_ value: Value, _ position: Int, at key: Int) throws(StoreError) {
    try requireLive(key)
    let column = schema.columns[position]
    try check(value, column)
    try checkLinks(value, column, at: key)
    try checkRoom(value, position, key >> ChunkShape.shift)
    let old = table.value(position, at: key)
    if column.isPrimaryKey, value != old {
      try checkUnique(value, position)
      overlay.primaryKeys[old] = nil
      overlay.primaryKeys[value] = key
    }
    let embedded = column.type == .embedded ? table.linkedKeys(position, at: key) : []
    let buffer = edit(position, key >> ChunkShape.shift)
    buffer.set(value, at: key & (ChunkShape.rows - 1))
    overlay.modified.insert(key)
    deleteEmbedded(embedded, except: linkedKeys(value, column), column)
    if column.type == .embedded { refreshLocation(column, at: key) }
    if schema.isEmbedded { refreshOwner(of: key) }
    if column.hasValueIndex { overlay.touch(key) }
    if column.hasSpatialIndex, value != old {
      overlay.touchedLocations[position, default: []].insert(key)
    }
  }

  /// Deletes a row, and the embedded objects in it. Its key is never given again.
  package func delete(_ key: Int) throws(StoreError) {
    try requireLive(key)
    deleteAll(from: key)
  }

  /// Deletes every row, and the embedded objects in them.
  package func deleteAll() {
    for key in 0..<overlay.endKey where table.isLive(key) { deleteAll(from: key) }
  }

  /// Deletes a row, and leaves the embedded objects in it.
  func deleteRow(_ key: Int) {
    if let position = schema.primaryKey {
      overlay.primaryKeys[table.value(position, at: key)] = nil
    }
    editLiveness(of: key).clear(key & (ChunkShape.rows - 1))
    overlay.liveCount -= 1
    overlay.deleted.insert(key)
    for column in schema.columns where column.hasSpatialIndex {
      overlay.touchedLocations[column.position, default: []].insert(key)
    }
    if schema.isEmbedded { refreshOwner(of: key) }
  }
}
