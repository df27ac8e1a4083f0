import CairnValues

/// Values of many bytes, whose rows refer to values outside of the chunk.
extension TableWriter {
  /// Returns the rule by which values of a column lie outside of their chunks; nil if none do.
  func largeValueRule(of column: ColumnSchema) -> LargeValueRule? {
    LargeValueRule(column.layout, isGeometry: column.isGeometry, format: format)
  }

  /// Sets a row of a chunk. The value was checked.
  func setCell(
    _ value: Value, of column: ColumnSchema, in memory: ChunkMemory, at key: Int
  ) {
    value.withLargeReference(largeValueRule(of: column)) { cell, large in
      if large != nil { memory.hasReferences = true }
      memory.set(cell, at: RowAddress(key).row)
      overlay.setLargeValue(large, column.position, at: key)
    }
  }

  /// Returns the bytes of a property in the row that is being built.
  func draftBytes(_ position: Int) -> UnsafeRawBufferPointer {
    overlay.largeValue(position, at: overlay.endKey)?.bytes
      ?? draft.cell(position).memory.bytes(at: RowAddress(overlay.endKey).row)
  }

  /// Moves the large values of a chunk that came from elsewhere out of it, so that only its next edits
  /// rewrite them.
  func moveLargeValues(from buffer: ChunkBuffer, of column: ColumnSchema, chunk: Int) {
    guard let rule = largeValueRule(of: column) else { return }
    let first = RowAddress.firstKey(ofChunk: chunk)
    for (row, value) in buffer.memory.takeLargeValues(rule) {
      overlay.setLargeValue(value, column.position, at: first + row)
    }
  }

  /// Writes the large values of a chunk that were set, and frees those that were replaced or belonged to
  /// deleted rows.
  ///
  /// - Parameter buffer: The rows of the chunk if they were edited.
  func storeLargeValues(
    of column: ColumnSchema, chunk: Int, _ buffer: ChunkBuffer?, _ state: TableState,
    into lmdb: some KeyValues
  ) throws(StoreError) {
    let before = overlay.isCleared ? nil : table.column(column.position).stored(chunk)
    let old = before?.hasReferences == true ? before : nil
    let new = buffer.map { $0.memory.hasReferences ? $0.view : nil } ?? old
    guard old != nil || new != nil else { return }
    let (extent, number) = state.storage(ofChunk: chunk)
    let keys = LargeValueKeys(table: schema.id, column: column.id, extent: extent)
    let first = RowAddress.firstKey(ofChunk: chunk)
    var groups: Set<Int> = []
    for row in 0..<max(old?.count ?? 0, new?.count ?? 0) {
      let isLive = table.isLive(first + row)
      // The values of rows that earlier commits deleted are gone.
      guard isLive || overlay.deleted.contains(first + row) else { continue }
      let was = old.flatMap { row < $0.count ? $0.reference(at: row) : nil }
      let now = isLive ? new.flatMap { row < $0.count ? $0.reference(at: row) : nil } : nil
      if was == nil, now == nil { continue }
      let value = now == nil ? nil : overlay.largeValue(column.position, at: first + row)
      if was?.isGrouped == true && now?.isGrouped != true || now?.isGrouped == true && value != nil
      {
        groups.insert(row / LargeValueKeys.groupRows)
      }
      let key = keys.value(chunk: number, row: row)
      if was?.isGrouped == false && now?.isGrouped != false { try lmdb.delete(key) }
      if let value, now?.isGrouped == false { try lmdb.put(key, value: value.bytes) }
    }
    for group in groups.sorted() {
      try storeGroup(
        group, of: column, chunk: chunk, new,
        keys.group(chunk: number, row: group * LargeValueKeys.groupRows), into: lmdb)
    }
    if new != nil, let rule = largeValueRule(of: column) {
      try Store.raiseFormat(to: rule.requiredFormat, in: lmdb)
    }
  }

  /// Writes a group of large values: those that were set, and the others as they were.
  private func storeGroup(
    _ number: Int, of column: ColumnSchema, chunk: Int, _ rows: Chunk?, _ key: StorageKey,
    into lmdb: some KeyValues
  ) throws(StoreError) {
    var group = LargeValueGroup()
    var stored = table.column(column.position).storedLargeValues(ofChunk: chunk)
    let first = number * LargeValueKeys.groupRows
    for row in first..<min(first + LargeValueKeys.groupRows, rows?.count ?? 0) {
      let rowKey = RowAddress.firstKey(ofChunk: chunk) + row
      guard table.isLive(rowKey), let reference = rows?.reference(at: row), reference.isGrouped,
        let value = overlay.largeValue(column.position, at: rowKey)?.bytes
          ?? stored?.value(reference, row: row)
      else { continue }
      group.append(value, at: row - first)
    }
    if group.isEmpty { try lmdb.delete(key) } else { try lmdb.put(key, bytes: group.bytes) }
  }
}

extension LargeReference {
  /// Whether the value lies in a group with its neighbours.
  var isGrouped: Bool { LargeValueGroup.holds(size) }
}

extension Value {
  /// Calls `body` with the value as its column stores it: for a large value a reference, and the value
  /// that it refers to.
  ///
  /// - Parameter rule: The rule of the column; nil if its values always lie in chunks.
  func withLargeReference<R>(
    _ rule: LargeValueRule?, _ body: (StoredCell, OwnedBytes?) -> R
  ) -> R {
    withStoredCell { cell in
      guard let rule, case .bytes(let bytes) = cell, let reference = rule.reference(to: bytes)
      else {
        return body(cell, nil)
      }
      return reference.withBytes { body(.bytes($0), OwnedBytes(bytes)) }
    }
  }
}
