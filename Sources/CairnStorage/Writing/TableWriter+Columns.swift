import CairnValues

/// Many rows at once: each chunk is looked up once.
extension TableWriter {
  /// Sets one property of rows to one value. The keys rise; dead rows among them are passed over, and rows that hold the
  /// value already are left alone.
  ///
  /// - Throws: what is wrong with the value; then the transaction is as it was. Primary keys and embedded objects, of
  ///   which every row has its own, are set one by one up to the mistake.
  package func set(_ value: Value, _ position: Int, at keys: [Int]) throws(StoreError) {
    let column = schema.columns[position]
    guard !column.isPrimaryKey, column.type != .embedded else {
      for key in keys where table.isLive(key) { try set(value, position, at: key) }
      return
    }
    guard let first = keys.first else { return }
    try check(value, column)
    try checkLinks(value, column, at: first)
    let parts = keys.chunks
    try checkRoom(value, position, parts)
    value.withStoredCell { cell in
      for part in parts { set(cell, column, at: part) }
    }
  }

  /// The same for rows of one chunk.
  private func set(_ cell: StoredCell, _ column: ColumnSchema, at keys: ArraySlice<Int>) {
    let chunk = keys[keys.startIndex] >> ChunkShape.shift
    let live = table.liveness(ofChunk: chunk)
    let rows = table.rowCount(ofChunk: chunk)
    let memory = edit(column.position, chunk).memory
    var modified: BitmapWords?
    for key in keys {
      let row = key & (ChunkShape.rows - 1)
      if row >= rows { break }
      if let live, live[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
      if memory.holds(cell, at: row) { continue }
      memory.set(cell, at: row)
      if key < overlay.firstNewKey {
        let rows = modified ?? overlay.modifiedRows(chunk, column)
        rows.mark(row)
        modified = rows
      }
      if column.hasValueIndex { overlay.noteValue(key) }
      if column.hasSpatialIndex { overlay.noteLocation(key, column.position) }
      if schema.isEmbedded { refreshOwner(of: key) }
    }
  }

  /// Throws when a text in all these rows would outgrow what a chunk can lead to.
  private func checkRoom(
    _ value: Value, _ position: Int, _ parts: [ArraySlice<Int>]
  ) throws(StoreError) {
    guard value.heapSize > 1 << 16 else { return }
    for part in parts {
      try checkRoom(value, position, part[part.startIndex] >> ChunkShape.shift, rows: part.count)
    }
  }
}

extension TableWriter {
  /// Deletes rows, and the embedded objects in them. The keys rise, each once; dead rows among them are passed over.
  package func delete(_ keys: [Int]) {
    let live = overlay.liveCount < overlay.endKey ? keys.filter(table.isLive) : keys
    guard !live.isEmpty else { return }
    if live.count == overlay.liveCount { return deleteAll() }
    let children = embeddedObjects(in: live)
    for part in live.chunks { deleteRows(part) }
    draft.invalidate()
    if schema.isEmbedded { for key in live { refreshOwner(of: key) } }
    for (target, keys) in children { target.delete(keys) }
  }

  /// The embedded objects in rows by class, rising.
  private func embeddedObjects(in keys: [Int]) -> [(TableWriter, [Int])] {
    schema.properties.filter { $0.type == .embedded }.compactMap { column in
      guard let target = target(of: column.position) else { return nil }
      let children = keys.flatMap { table.linkedKeys(column.position, at: $0) }
      return (target, children.sorted())
    }
  }

  /// Deletes rows of one chunk.
  private func deleteRows(_ keys: ArraySlice<Int>) {
    let words = editLiveness(of: keys[keys.startIndex])
    if let position = schema.primaryKey, !overlay.primaryKeys.isEmpty {
      for key in keys { overlay.primaryKeys[table.value(position, at: key)] = nil }
    }
    for key in keys {
      words.clear(key & (ChunkShape.rows - 1))
      overlay.noteDeleted(key)
    }
    overlay.liveCount -= keys.count
    for column in schema.columns where column.hasSpatialIndex {
      for key in keys { overlay.noteLocation(key, column.position) }
    }
  }
}

extension [Int] {
  /// Rising keys by the chunk that they are in.
  fileprivate var chunks: [ArraySlice<Int>] {
    var chunks: [ArraySlice<Int>] = []
    var start = 0
    while start < count {
      let chunk = self[start] >> ChunkShape.shift
      var end = start + 1
      while end < count, self[end] >> ChunkShape.shift == chunk { end += 1 }
      chunks.append(self[start..<end])
      start = end
    }
    return chunks
  }
}
