import CairnValues

/// One class inside a write transaction: reads see what was written, edits stay in memory.
package final class TableWriter {
  /// The class as the transaction has it now.
  package let table: Table
  let overlay: TableOverlay
  /// The row that is being put together.
  let draft: RowDraft
  package var schema: TableSchema { table.schema }

  /// Nil for a class outside write transactions.
  init?(_ table: Table) {
    guard let overlay = table.overlay else { return nil }
    self.table = table
    self.overlay = overlay
    draft = RowDraft(table.schema)
  }

  /// Whether the class was given another form.
  var isAltered = false
  /// Whether objects of the class become embedded, so that one may stand in several others until that is settled.
  var sharesObjects = false

  /// A bulk load that the commit makes visible.
  var published: BulkExtent?

  var isChanged: Bool {
    published != nil || overlay.isCleared || overlay.endKey != table.state.endKey
      || !overlay.deleted.isEmpty
      || !overlay.modified.isEmpty || !overlay.touchedLocations.isEmpty
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
    for value in values { append(value) }
    return try finishRow(owner: owner)
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
    guard !value.isStored(as: old) else { return }
    if column.isPrimaryKey, value != old {
      // An index that is built anew is checked as a whole.
      if !overlay.rebuilt.contains(position) { try checkUnique(value, position) }
      overlay.primaryKeys[old] = nil
      overlay.primaryKeys[value] = key
    }
    let embedded = column.type == .embedded ? ownedKeys(old, column) : []
    edit(position, key >> ChunkShape.shift).set(value, at: key & (ChunkShape.rows - 1))
    overlay.noteModified(key, column)
    if column.hasValueIndex { overlay.noteValue(key) }
    if column.hasSpatialIndex, value != old { overlay.noteLocation(key, position) }
    if column.type == .embedded {
      deleteEmbedded(embedded, except: linkedKeys(value, column), column)
      refreshLocation(column, at: key)
    }
    if schema.isEmbedded { refreshOwner(of: key) }
  }

  /// Deletes a row, and the embedded objects in it. Its key is never given again.
  package func delete(_ key: Int) throws(StoreError) {
    try requireLive(key)
    deleteWithEmbedded(key)
  }

  /// Deletes a row, and leaves the embedded objects in it.
  func deleteRow(_ key: Int) {
    if let position = schema.primaryKey {
      overlay.primaryKeys[table.value(position, at: key)] = nil
    }
    editLiveness(of: key).clear(key & (ChunkShape.rows - 1))
    draft.invalidate()
    overlay.liveCount -= 1
    overlay.noteDeleted(key)
    for column in schema.columns where column.hasSpatialIndex {
      overlay.noteLocation(key, column.position)
    }
    if schema.isEmbedded { refreshOwner(of: key) }
  }
}
