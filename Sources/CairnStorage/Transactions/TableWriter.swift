import CairnValues

/// One class in a write transaction. Reads see the transaction's writes; edits remain in memory
/// until the commit.
package final class TableWriter {
  /// The class with the transaction's changes.
  package let table: Table
  /// The classes of the transaction.
  let set: TableWriterSet
  let overlay: TableOverlay
  /// The row that is being built.
  let draft: RowDraft
  /// The schema of the class with the transaction's changes.
  package var schema: TableSchema { table.schema }

  /// Returns nil for a class outside write transactions.
  init?(_ table: Table, in set: TableWriterSet) {
    guard let overlay = table.overlay else { return nil }
    self.table = table
    self.set = set
    self.overlay = overlay
    draft = RowDraft(table.schema)
  }

  /// The version of the store's format.
  private(set) lazy var format = table.transaction.formatVersion

  /// Whether the schema of the class was changed.
  var isAltered = false
  /// Whether objects of the class are becoming embedded. Until that is done, one object may have
  /// several owners.
  var sharesObjects = false

  /// The bulk load that the commit publishes.
  var published: BulkExtent?

  var isChanged: Bool {
    published != nil || overlay.isCleared || overlay.endKey != table.state.endKey
      || !overlay.deleted.isEmpty
      || !overlay.modified.isEmpty || !overlay.touchedLocations.isEmpty
  }

  /// The key of the next row.
  package var nextKey: Int { overlay.endKey }

  /// Inserts a row and returns its key. The values are in the order of the properties.
  ///
  /// - Parameter owner: The owner of an embedded object; it may be the object that is inserted
  ///   next.
  /// - Throws: The first error in the row; the transaction is then unchanged.
  @discardableResult
  package func insert(_ values: [Value], owner: Owner? = nil) throws(StoreError) -> Int {
    guard values.count == schema.properties.count else {
      throw StoreError(
        .invalidValue,
        message:
          "class '\(schema.name)' has \(schema.properties.count) properties, not \(values.count)")
    }
    for value in values { append(value) }
    return try finishRow(owner: owner)
  }

  /// Sets one property of a row. An embedded object that the property no longer holds is deleted.
  ///
  /// - Throws: An error for an invalid value; the transaction is then unchanged.
  package func set(_ value: Value, position: Int, at key: Int) throws(StoreError) {
    _ = try change(value, position: position, at: key)
  }

  /// Sets one property of a row, and records the write even if the value remains as it was.
  ///
  /// - Throws: An error for an invalid value; the transaction is then unchanged.
  package func write(_ value: Value, position: Int, at key: Int) throws(StoreError) {
    guard try !change(value, position: position, at: key) else { return }
    overlay.noteModified(key, column: schema.columns[position])
  }

  /// Sets one property of a row.
  ///
  /// - Returns: Whether the value differs from the one before.
  private func change(_ value: Value, position: Int, at key: Int) throws(StoreError) -> Bool {
    try requireLive(key)
    let column = schema.columns[position]
    try check(value, column: column)
    try checkLinks(value, column: column, at: key)
    try checkHeapCapacity(value, at: position, chunk: RowAddress(key).chunk)
    let old = table.value(position, at: key)
    guard !value.isBitIdentical(to: old) else { return false }
    if column.isPrimaryKey, value != old {
      // The commit checks a rebuilt index as a whole.
      if !overlay.rebuilt.contains(position) { try checkUnique(value, at: position) }
      overlay.primaryKeys[old] = nil
      overlay.primaryKeys[value] = key
    }
    let embedded = column.type == .embedded ? ownedKeys(old, column: column) : []
    let memory = edit(position, chunk: RowAddress(key).chunk).memory
    setCell(value, of: column, in: memory, at: key)
    overlay.noteModified(key, column: column)
    if column.listsChangedRows { overlay.noteValue(key) }
    if column.hasSpatialIndex, value != old { overlay.noteLocation(key, at: position) }
    if column.type == .embedded {
      deleteEmbedded(embedded, except: linkedKeys(value, column: column), column: column)
      refreshLocation(column, at: key)
    }
    if column.isGeometry { setBounds(value.bounds, of: column, at: key) }
    if schema.isEmbedded { refreshOwner(of: key) }
    return true
  }

  /// Records that a property of rows was written, although some values remain as they were.
  package func noteWritten(_ position: Int, at keys: [Int]) {
    let column = schema.columns[position]
    for key in keys where table.isLive(key) { overlay.noteModified(key, column: column) }
  }

  /// Deletes a row and its embedded objects. The key is never reused.
  package func delete(_ key: Int) throws(StoreError) {
    try requireLive(key)
    deleteWithEmbedded(key)
  }

  /// Deletes a row but not its embedded objects.
  func deleteRow(_ key: Int) {
    if let position = schema.primaryKey {
      overlay.primaryKeys[table.value(position, at: key)] = nil
    }
    editLiveRows(of: key).clear(RowAddress(key).row)
    draft.invalidate()
    overlay.liveCount -= 1
    overlay.noteDeleted(key)
    for column in schema.columns where column.hasSpatialIndex {
      overlay.noteLocation(key, at: column.position)
    }
    if schema.isEmbedded { refreshOwner(of: key) }
  }
}

extension TableWriter {
  /// Returns an editable chunk; the first edit copies its rows from the memory map.
  func edit(_ position: Int, chunk: Int) -> ChunkBuffer {
    if let buffer = overlay.buffer(position, chunk: chunk) {
      overlay.remember(buffer, at: position, chunk: chunk)
      return buffer
    }
    let column = schema.columns[position]
    let buffer: ChunkBuffer
    if chunk < table.storedChunkCount, let derived = overlay.derived[position] {
      buffer = made(chunk, of: column, by: derived)
    } else if let stored = table.column(position).stored(chunk) {
      buffer = ChunkBuffer(layout: column.layout, copying: stored)
      if !stored.hasReferences { moveLargeValues(from: buffer, of: column, chunk: chunk) }
    } else {
      let rows = max(0, min(ChunkShape.rows, table.state.endKey - chunk * ChunkShape.rows))
      buffer = .absent(column, rows: rows)
    }
    overlay.adopt(buffer, at: position, chunk: chunk)
    return buffer
  }

  /// Returns a chunk that is derived from another column.
  func made(
    _ chunk: Int, of column: ColumnSchema, by derivation: ColumnDerivation
  ) -> ChunkBuffer {
    let buffer = derivation.made(chunk)
    moveLargeValues(from: buffer, of: column, chunk: chunk)
    return buffer
  }

  /// Fills the last chunk with deleted rows, so that the next row begins a chunk.
  func padTail() throws(StoreError) {
    let end = overlay.endKey
    guard RowAddress(end).row != 0 else { return }
    let chunk = RowAddress(end).chunk
    _ = editLiveRows(of: end - 1)
    for column in schema.columns {
      edit(column.position, chunk: chunk).fillWithDefaults(upTo: ChunkShape.rows, column)
    }
    overlay.endKey = (chunk + 1) * ChunkShape.rows
  }

  func editLiveRows(of key: Int) -> ChunkBitmap {
    let chunk = RowAddress(key).chunk
    if let words = overlay.liveRowBitmaps[chunk] { return words }
    let words: ChunkBitmap
    if let stored = table.liveRowBitmap(ofChunk: chunk) {
      words = ChunkBitmap(copying: stored)
    } else {
      words = ChunkBitmap(copying: nil)
      words.setFirst(table.rowCount(ofChunk: chunk))
    }
    overlay.liveRowBitmaps[chunk] = words
    return words
  }

  /// Marks a new row as live. A chunk without a bitmap needs no mark.
  func editLiveRows(ofNew key: Int) {
    let chunk = RowAddress(key).chunk
    if overlay.liveRowBitmaps[chunk] == nil {
      guard chunk < table.storedChunkCount, table.liveRowBitmap(ofChunk: chunk) != nil else {
        return
      }
    }
    editLiveRows(of: key).mark(RowAddress(key).row)
  }
}

extension TableWriter {
  func requireLive(_ key: Int) throws(StoreError) {
    guard table.isLive(key) else {
      throw StoreError(
        .invalidValue, message: "class '\(schema.name)' has no object \(key), or it was deleted")
    }
  }

  func checkUnique(_ value: Value, at position: Int) throws(StoreError) {
    guard table.find(primaryKey: value) == nil else {
      throw StoreError(
        .duplicateKey,
        message:
          "Attempting to create an object of type '\(schema.name)' with an existing primary key "
          + "value '\(value.plainText)'."
      )
    }
  }

  func check(_ value: Value, column: ColumnSchema) throws(StoreError) {
    if value == .null {
      guard column.isNullable else {
        throw StoreError(
          .invalidValue,
          message: "property '\(schema.name).\(column.name)' is not optional, so it cannot be null")
      }
      return
    }
    guard column.accepts(value) else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' is of type \(column.type.name) "
          + "and cannot hold \(value.plainText)"
      )
    }
    try checkLocation(value, column: column)
    if case .geometry(let bytes) = value {
      try bytes.withTypedBytes { bytes throws(StoreError) in
        try checkGeometry(bytes, column: column)
      }
    }
  }

  /// Throws for a location outside the valid range: no region would contain it, and it is not on
  /// the Hilbert curve.
  func checkLocation(_ value: Value, column: ColumnSchema) throws(StoreError) {
    guard case .point(let point) = value else { return }
    guard abs(point.latitude) <= 90, abs(point.longitude) <= 180, point.altitude.isFinite else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot hold \(value.plainText): "
          + "latitudes are -90 to 90, longitudes -180 to 180"
      )
    }
  }

  /// Throws if a text exceeds the capacity of a chunk's heap.
  ///
  /// - Parameter rows: The number of rows of the chunk that are to hold the text.
  func checkHeapCapacity(
    _ value: Value, at position: Int, chunk: Int, rows: Int = 1
  ) throws(StoreError) {
    let size = value.heapSize
    guard size > 1 << 16 else { return }
    let column = schema.columns[position]
    let isLarge = largeValueRule(of: column) != nil
    let maximum = isLarge ? LargeReference.maxSize : ChunkShape.maxValueBytes
    guard size <= maximum else {
      throw StoreError(
        .invalidValue,
        message:
          "property '\(schema.name).\(column.name)' cannot hold \(size) bytes; "
          + "the maximum is \(maximum)"
      )
    }
    if isLarge { return }
    guard edit(position, chunk: chunk).heapSize + size * rows <= ChunkShape.maxHeapBytes else {
      throw StoreError(
        .full,
        message: "property '\(schema.name).\(schema.columns[position].name)' holds too much in "
          + "neighbouring objects; the maximum for \(ChunkShape.rows) of them is "
          + "\(ChunkShape.maxHeapBytes) bytes"
      )
    }
  }
}

extension ColumnSchema {
  /// Returns whether the column can store a value that is not null.
  fileprivate func accepts(_ value: Value) -> Bool {
    switch storedType {
    case .mixed: value.type == .data
    case .link, .embedded: value.type == .int
    case .geometry, .lineString, .polygon: value.type == .geometry
    default: value.type == storedType
    }
  }
}

extension Value {
  /// The number of bytes that the value takes in the heap of its chunk.
  var heapSize: Int {
    switch self {
    case .string(let text): text.utf8.count
    case .data(let bytes), .geometry(let bytes): bytes.count
    default: 0
    }
  }
}
