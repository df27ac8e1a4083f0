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
    published != nil || overlay.endKey != table.state.endKey || !overlay.deleted.isEmpty || !overlay.modified.isEmpty
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

  private func requireLive(_ key: Int) throws(StoreError) {
    guard table.isLive(key) else {
      throw StoreError(.invalidValue, "class '\(schema.name)' has no object \(key), or it was deleted")
    }
  }

  private func checkUnique(_ value: Value, _ position: Int) throws(StoreError) {
    guard table.find(primaryKey: value) == nil else {
      throw StoreError(
        .duplicateKey,
        "Attempting to create an object of type '\(schema.name)' with an existing primary key value '\(value.shown)'."
      )
    }
  }

  private func check(_ value: Value, _ column: ColumnSchema) throws(StoreError) {
    if value == .null {
      guard column.isOptional else {
        throw StoreError(
          .invalidValue, "property '\(schema.name).\(column.name)' is not optional, so it cannot be null")
      }
      return
    }
    guard column.accepts(value) else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' is of type \(column.type.name), which \(value.shown) is not")
    }
    try checkLocation(value, column)
  }

  /// Throws for a location that is none: it would be in no region, and has no place on the Hilbert curve.
  private func checkLocation(_ value: Value, _ column: ColumnSchema) throws(StoreError) {
    guard case .point(let point) = value else { return }
    guard abs(point.latitude) <= 90, abs(point.longitude) <= 180, point.altitude.isFinite else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(column.name)' cannot hold \(value.shown): latitudes are -90 to 90, longitudes -180 to 180"
      )
    }
  }

  /// Throws when a text would outgrow what a chunk can lead to.
  private func checkRoom(_ value: Value, _ position: Int, _ chunk: Int) throws(StoreError) {
    let size = value.heapSize
    guard size > 1 << 16 else { return }
    guard size <= ChunkShape.mostValueBytes else {
      throw StoreError(
        .invalidValue,
        "property '\(schema.name).\(schema.columns[position].name)' cannot hold \(size) bytes; \(ChunkShape.mostValueBytes) are the most"
      )
    }
    guard edit(position, chunk).heapSize + size <= ChunkShape.mostHeapBytes else {
      throw StoreError(
        .full,
        "property '\(schema.name).\(schema.columns[position].name)' holds too much in neighbouring objects: \(ChunkShape.mostHeapBytes) bytes are the most for \(ChunkShape.rows) of them"
      )
    }
  }

  /// The chunk, ready to be edited: its rows are copied out of the map the first time.
  private func edit(_ position: Int, _ chunk: Int) -> ChunkBuffer {
    if let buffer = overlay.buffer(position, chunk) {
      overlay.remember(buffer, position, chunk)
      return buffer
    }
    let column = schema.columns[position]
    let buffer: ChunkBuffer
    if let stored = chunk < table.storedChunkCount ? table.readChunk(column, chunk) : nil {
      buffer = ChunkBuffer(layout: column.layout, copying: stored)
    } else {
      let rows = max(0, min(ChunkShape.rows, table.state.endKey - chunk * ChunkShape.rows))
      buffer = ChunkBuffer(layout: column.layout)
      buffer.count = rows
      if column.isOptional { for row in 0..<rows { buffer.setNull(true, at: row) } }
    }
    overlay.adopt(buffer, position, chunk)
    return buffer
  }

  /// Fills the last chunk up with dead rows, so that the next row begins a chunk.
  func sealTail() throws(StoreError) {
    let end = overlay.endKey
    guard end & (ChunkShape.rows - 1) != 0 else { return }
    let chunk = end >> ChunkShape.shift
    _ = editLiveness(of: end - 1)
    for column in schema.columns {
      let buffer = edit(column.position, chunk)
      for row in buffer.count..<ChunkShape.rows where column.isOptional {
        buffer.setNull(true, at: row)
      }
      buffer.count = ChunkShape.rows
    }
    overlay.endKey = (chunk + 1) * ChunkShape.rows
  }

  private func editLiveness(of key: Int) -> BitmapWords {
    let chunk = key >> ChunkShape.shift
    if let words = overlay.liveness[chunk] { return words }
    let words: BitmapWords
    if let stored = table.liveness(ofChunk: chunk) {
      words = BitmapWords(copying: stored)
    } else {
      words = BitmapWords(copying: nil)
      for row in 0..<table.rowCount(ofChunk: chunk) { words.mark(row) }
    }
    overlay.liveness[chunk] = words
    return words
  }

  /// A new row lives without a mark, unless its chunk already tells rows apart.
  private func editLiveness(ofNew key: Int) {
    let chunk = key >> ChunkShape.shift
    if overlay.liveness[chunk] == nil {
      guard chunk < table.storedChunkCount, table.liveness(ofChunk: chunk) != nil else { return }
    }
    editLiveness(of: key).mark(key & (ChunkShape.rows - 1))
  }
}

extension ColumnSchema {
  /// Whether a value that is not null may stand in the column.
  fileprivate func accepts(_ value: Value) -> Bool {
    switch storedType {
    case .mixed: value.type == .data
    case .link, .embedded: value.type == .int
    default: value.type == storedType
    }
  }
}

extension Value {
  /// Bytes that the value takes in the heap of its chunk.
  fileprivate var heapSize: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}
