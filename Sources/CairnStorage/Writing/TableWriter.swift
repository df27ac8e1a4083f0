import CairnValues

/// One class inside a write transaction: reads see what was written, edits stay in memory.
package final class TableWriter {
  /// The class as the transaction has it now.
  package let table: Table
  let overlay: TableOverlay
  package var schema: TableSchema { table.schema }

  init(_ table: Table) {
    self.table = table
    overlay = TableOverlay(
      endKey: table.state.endKey, liveCount: table.state.liveCount,
      columns: table.schema.columns.count)
    table.overlay = overlay
  }

  /// A bulk load that the commit makes visible.
  var published: BulkExtent?

  var isChanged: Bool {
    published != nil || overlay.endKey != table.state.endKey || !overlay.deleted.isEmpty
      || !overlay.modified.isEmpty
  }

  /// Inserts a row; the values are in the order of the columns. Gives its key.
  @discardableResult
  package func insert(_ values: [Value]) throws(StoreError) -> Int {
    guard values.count == schema.columns.count else {
      throw StoreError(
        .invalidValue,
        "class '\(schema.name)' has \(schema.columns.count) properties, not \(values.count)")
    }
    for (column, value) in zip(schema.columns, values) { try check(value, column) }
    if let position = schema.primaryKey { try checkUnique(values[position], position) }
    let key = overlay.endKey
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

  /// Sets one value of a row.
  package func set(_ value: Value, _ position: Int, at key: Int) throws(StoreError) {
    try requireLive(key)
    let column = schema.columns[position]
    try check(value, column)
    try checkRoom(value, position, key >> ChunkShape.shift)
    let old = table.value(position, at: key)
    if column.isPrimaryKey, value != old {
      try checkUnique(value, position)
      overlay.primaryKeys[old] = nil
      overlay.primaryKeys[value] = key
    }
    let buffer = edit(position, key >> ChunkShape.shift)
    buffer.set(value, at: key & (ChunkShape.rows - 1))
    overlay.modified.insert(key)
    if column.hasValueIndex { overlay.touch(key) }
    if column.hasSpatialIndex, value != old {
      overlay.touchedLocations[position, default: []].insert(key)
    }
  }

  /// Deletes a row. Its key is never given again.
  package func delete(_ key: Int) throws(StoreError) {
    try requireLive(key)
    if let position = schema.primaryKey {
      overlay.primaryKeys[table.value(position, at: key)] = nil
    }
    editLiveness(of: key).clear(key & (ChunkShape.rows - 1))
    overlay.liveCount -= 1
    overlay.deleted.insert(key)
    for column in schema.columns where column.hasSpatialIndex {
      overlay.touchedLocations[column.position, default: []].insert(key)
    }
  }
}
