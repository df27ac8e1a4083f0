import CairnGeometry
import CairnValues

/// Edits of many rows at once, with one lookup for each chunk.
extension TableWriter {
  /// Sets one property of many rows to one value. The keys are in rising order. Deleted rows are
  /// skipped, and rows that already hold the value remain unchanged.
  ///
  /// - Throws: An error for an invalid value; the transaction is then unchanged. Primary keys and
  ///   embedded objects differ from row to row, so those rows are set one by one, up to the first
  ///   error.
  package func set(_ value: Value, position: Int, at keys: [Int]) throws(StoreError) {
    let column = schema.columns[position]
    guard !column.isPrimaryKey, column.type != .embedded else {
      for key in keys where table.isLive(key) { try set(value, position: position, at: key) }
      return
    }
    guard let first = keys.first else { return }
    try check(value, column: column)
    try checkLinks(value, column: column, at: first)
    let parts = keys[...].chunks
    try checkHeapCapacity(value, at: position, parts: parts)
    let bounds = column.isGeometry ? value.bounds : nil
    value.withLargeReference(largeValueRule(of: column)) { cell, large in
      // Chunks that are not edited need not be written.
      for part in parts where part.contains(where: { differs(value, position, at: $0) }) {
        set(cell, large, bounds: bounds, column: column, at: part)
      }
    }
  }

  /// Whether a row is live and holds another value.
  private func differs(_ value: Value, _ position: Int, at key: Int) -> Bool {
    table.isLive(key) && !table.value(position, at: key).isBitIdentical(to: value)
  }

  /// Sets a property of rows in one chunk.
  ///
  /// - Parameters:
  ///   - large: The value that the cell refers to.
  ///   - bounds: The box of the value, if it is a geometry.
  private func set(
    _ cell: StoredCell, _ large: OwnedBytes?, bounds: Envelope?, column: ColumnSchema,
    at keys: ArraySlice<Int>
  ) {
    var edits = edits(of: column, chunk: RowAddress(keys[keys.startIndex]).chunk)
    for key in keys where set(cell, large, at: key, in: &edits) {
      if column.isGeometry { setBounds(bounds, of: column, at: key) }
      if schema.isEmbedded { refreshOwner(of: key) }
    }
  }

  /// Sets one property of many rows, each to its own value. The keys are in rising order. Deleted
  /// rows are skipped, and rows that already hold their value remain unchanged.
  ///
  /// - Throws: The first error, and its row. The rows before it are set.
  package func set(
    _ values: [Value], position: Int, at keys: ArraySlice<Int>
  ) throws(RowError) {
    let column = schema.columns[position]
    var values = values[...]
    guard !column.isPrimaryKey, !column.isLink, !column.isGeometry, !schema.isEmbedded else {
      for (key, value) in zip(keys, values) where table.isLive(key) {
        do throws(StoreError) { try set(value, position: position, at: key) } catch {
          throw RowError(key: key, cause: error)
        }
      }
      return
    }
    for part in keys.chunks {
      try set(values.prefix(part.count), column: column, at: part)
      values = values.dropFirst(part.count)
    }
  }

  /// Sets a property of rows in one chunk.
  private func set(
    _ values: ArraySlice<Value>, column: ColumnSchema, at keys: ArraySlice<Int>
  ) throws(RowError) {
    let chunk = RowAddress(keys[keys.startIndex]).chunk
    let rule = largeValueRule(of: column)
    var edits = edits(of: column, chunk: chunk)
    for (key, value) in zip(keys, values) {
      do throws(StoreError) {
        try check(value, column: column)
        try checkHeapCapacity(value, at: column.position, chunk: chunk)
      } catch { throw RowError(key: key, cause: error) }
      value.withLargeReference(rule) { _ = set($0, $1, at: key, in: &edits) }
    }
  }

  private func edits(of column: ColumnSchema, chunk: Int) -> CellEdits {
    CellEdits(
      column: column, chunk: chunk, memory: edit(column.position, chunk: chunk).memory,
      live: table.liveRowBitmap(ofChunk: chunk), rowCount: table.rowCount(ofChunk: chunk))
  }

  /// Sets a cell, and records the row as changed.
  ///
  /// - Parameter large: The value that the cell refers to.
  /// - Returns: Whether the row is live and held another value.
  @inline(__always)
  private func set(
    _ cell: StoredCell, _ large: OwnedBytes?, at key: Int, in edits: inout CellEdits
  ) -> Bool {
    let row = RowAddress(key).row
    if row >= edits.rowCount { return false }
    if let live = edits.live, !live.isSet(row) { return false }
    if edits.memory.holds(cell, at: row), large == nil || isSame(large, in: edits, key: key) {
      return false
    }
    if large != nil { edits.memory.hasReferences = true }
    edits.memory.set(cell, at: row)
    overlay.setLargeValue(large, edits.column.position, at: key)
    if key < overlay.firstNewKey {
      let rows = edits.modified ?? overlay.modifiedRows(edits.chunk, column: edits.column)
      rows.mark(row)
      edits.modified = rows
    }
    if edits.column.listsChangedRows { overlay.noteValue(key) }
    if edits.column.hasSpatialIndex { overlay.noteLocation(key, at: edits.column.position) }
    return true
  }

  /// Returns whether a row holds a large value. Its reference alone does not tell: somebody may have
  /// constructed values with equal checksums.
  private func isSame(_ large: OwnedBytes?, in edits: CellEdits, key: Int) -> Bool {
    guard let large else { return false }
    let chunk = table.column(edits.column.position).chunk(forRow: key)
    return Ordering.between(chunk.bytes(at: RowAddress(key).row), and: large.bytes) == .equal
  }

  /// Throws if a text in all these rows would exceed the capacity of a chunk's heap.
  private func checkHeapCapacity(
    _ value: Value, at position: Int, parts: [ArraySlice<Int>]
  ) throws(StoreError) {
    guard value.heapSize > 1 << 16 else { return }
    for part in parts {
      try checkHeapCapacity(
        value, at: position, chunk: RowAddress(part[part.startIndex]).chunk, rows: part.count)
    }
  }
}

extension TableWriter {
  /// Deletes rows and their embedded objects. The keys are distinct and in rising order; rows that
  /// are already deleted are skipped.
  package func delete(_ keys: [Int]) {
    var doomed = [(writer: self, keys: keys)]
    while let (writer, keys) = doomed.popLast() { doomed += writer.deleteOnly(keys) }
  }

  /// Deletes rows, and returns their embedded objects, which are left to the caller.
  private func deleteOnly(_ keys: [Int]) -> [(writer: TableWriter, keys: [Int])] {
    let live = overlay.liveCount < overlay.endKey ? keys.filter(table.isLive) : keys
    guard !live.isEmpty else { return [] }
    guard live.count < overlay.liveCount else {
      deleteAll()
      return []
    }
    let children = embeddedObjects(in: live)
    for part in live[...].chunks { deleteRows(part) }
    draft.invalidate()
    if schema.isEmbedded { for key in live { refreshOwner(of: key) } }
    return children
  }

  /// Returns the embedded objects of rows by class, in rising order, except those that may have
  /// other owners.
  private func embeddedObjects(in keys: [Int]) -> [(writer: TableWriter, keys: [Int])] {
    schema.properties.filter { $0.type == .embedded }.compactMap { column in
      guard let target = target(of: column.position), !target.sharesObjects else { return nil }
      let children = keys.flatMap { table.linkedKeys(column.position, at: $0) }
      return (target, children.sorted())
    }
  }

  /// Deletes rows of one chunk.
  private func deleteRows(_ keys: ArraySlice<Int>) {
    let rows = ChunkBitmap(copying: nil)
    for key in keys { rows.mark(RowAddress(key).row) }
    if let position = schema.primaryKey, !overlay.primaryKeys.isEmpty {
      for key in keys { overlay.primaryKeys[table.value(position, at: key)] = nil }
    }
    let chunk = RowAddress(keys[keys.startIndex]).chunk
    editLiveRows(of: keys[keys.startIndex]).remove(rows.words)
    overlay.noteDeleted(rows, ofChunk: chunk)
    overlay.liveCount -= keys.count
    for column in schema.columns where column.hasSpatialIndex {
      overlay.noteLocations(rows, ofChunk: chunk, at: column.position)
    }
  }
}

/// An error in one of several rows.
package struct RowError: Error {
  /// The key of the row.
  package let key: Int
  /// The error.
  package let cause: StoreError
}

/// One column of a chunk while its rows are set.
private struct CellEdits {
  let column: ColumnSchema
  let chunk: Int
  let memory: ChunkMemory
  /// The live-row bitmap of the chunk, valid until the next row is deleted or inserted; nil if all rows
  /// are live.
  let live: UnsafePointer<UInt64>?
  let rowCount: Int
  /// The older rows that were changed, once there are some.
  var modified: ChunkBitmap?
}

extension ArraySlice<Int> {
  /// Rising keys, grouped by chunk.
  fileprivate var chunks: [ArraySlice<Int>] {
    var chunks: [ArraySlice<Int>] = []
    var start = startIndex
    while start < endIndex {
      let chunk = RowAddress(self[start]).chunk
      var end = start + 1
      while end < endIndex, RowAddress(self[end]).chunk == chunk { end += 1 }
      chunks.append(self[start..<end])
      start = end
    }
    return chunks
  }
}

extension TableWriter {
  /// Deletes every row and its embedded objects without visiting them one by one.
  package func deleteAll() {
    guard !schema.isEmbedded else { return deleteEach() }
    let cleared = emptiedClasses
    let others = cleared.flatMap { $0.embeddedObjects(outside: cleared) }
    for writer in cleared { writer.clearRows() }
    for (writer, key) in others where writer.table.isLive(key) { writer.deleteWithEmbedded(key) }
  }

  /// Deletes embedded objects one by one, because their owners have to be updated.
  private func deleteEach() {
    for key in 0..<overlay.endKey where table.isLive(key) { deleteWithEmbedded(key) }
  }

  private func clearRows() {
    guard overlay.liveCount > 0 else { return }
    overlay.clear()
    draft.invalidate()
  }

  /// This class, and the classes whose objects are embedded only in objects of these classes.
  private var emptiedClasses: [TableWriter] {
    var emptied = [table.id: self]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for index in table.set.schemas.indices {
        let schema = table.set.schemas[index]
        guard schema.isEmbedded, emptied[schema.id] == nil,
          table.set.schemas.allSatisfy({
            emptied[$0.id] != nil || $0.id == schema.id || !$0.embeds(schema.name)
          }), let writer = set.writer(at: index), !writer.sharesObjects
        else { continue }
        emptied[schema.id] = writer
        isGrowing = true
      }
    }
    return Array(emptied.values)
  }

  /// Returns the embedded objects of the rows, except objects of the given classes and those that may
  /// have other owners.
  private func embeddedObjects(outside cleared: [TableWriter]) -> [(TableWriter, Int)] {
    var found: [(TableWriter, Int)] = []
    for column in schema.properties where column.type == .embedded {
      guard let target = target(of: column.position), !target.sharesObjects,
        !cleared.contains(where: { $0 === target })
      else { continue }
      for key in 0..<overlay.endKey where table.isLive(key) {
        found += table.linkedKeys(column.position, at: key).map { (target, $0) }
      }
    }
    return found
  }
}

extension TableSchema {
  /// Returns whether objects of the class hold embedded objects of the named class.
  fileprivate func embeds(_ name: String) -> Bool {
    properties.contains {
      $0.type == .embedded && $0.target?.hasSameCodePoints(as: name) == true
    }
  }
}

extension TableWriter {
  /// The end of the keys that the transaction gave to its own rows; nil if it inserted none.
  var reservedKeys: Int? {
    published == nil && !overlay.newKeys.isEmpty ? overlay.newKeys.upperBound : nil
  }

  /// Reserves keys up to `end` by adding deleted rows, in a writer without changes.
  func reserveKeys(upTo end: Int) {
    let start = overlay.endKey
    guard start < end else { return }
    if RowAddress(start).row != 0 {
      _ = editLiveRows(of: start - 1)
      let tail = RowAddress(start).chunk
      let rows = min(ChunkShape.rows, end - RowAddress.firstKey(ofChunk: tail))
      for column in schema.columns {
        edit(column.position, chunk: tail).fillWithDefaults(upTo: rows, column)
      }
    }
    // Chunks that begin here need no rows: a chunk that was never written reads as default values.
    let fresh = ChunkShape.chunkCount(ofRows: start)
    for chunk in fresh..<max(fresh, ChunkShape.chunkCount(ofRows: end)) {
      overlay.liveRowBitmaps[chunk] = ChunkBitmap(copying: nil)
    }
    overlay.endKey = end
  }
}

extension ChunkBuffer {
  /// Adds rows without values.
  func fillWithDefaults(upTo rows: Int, _ column: ColumnSchema) {
    for row in count..<max(count, rows) where column.isNullable { setNull(true, at: row) }
    count = max(count, rows)
  }
}
