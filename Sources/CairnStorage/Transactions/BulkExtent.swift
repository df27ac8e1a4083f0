/// The changes that a bulk load makes to the state of its class.
struct BulkExtent {
  let extent: TableState.Extent
  let rowCount: Int
  /// Rows of the load that are deleted from the start, counted from its first row, in rising order.
  let deletedRows: [Int]
  var baseRun: SpatialRun?
  let values: [ValueRun]
  let texts: [TextRun]
  let leaves: SpatialLeaves?
  /// The numbers of the columns that may have large values.
  let largeColumns: [UInt16]
  /// The positions of the columns with an R-tree that does not determine the row order.
  let otherLocations: [Int]

  private var firstRow: Int { extent.firstChunk * ChunkShape.rows }

  /// The keys of the rows.
  var rows: Range<Int> { firstRow..<firstRow + rowCount }

  /// Returns the entries of an R-tree that does not determine the row order.
  func entries<Entry: SpatialEntry>(
    of column: ColumnSchema, in table: UInt32, lmdb: some KeyValues
  ) -> [Entry] {
    let deleted = Set(deletedRows.map { firstRow + $0 })
    return (0..<ChunkShape.chunkCount(ofRows: rowCount)).flatMap { number -> [Entry] in
      let key = StorageKey.chunk(table, column: column.id, extent: extent.id, chunk: number)
      guard let bytes = lmdb.get(key), let base = bytes.baseAddress,
        let chunk = Chunk(encoded: base, size: bytes.count)
      else { return [] }
      return Entry.all(in: chunk, firstKey: firstRow + RowAddress.firstKey(ofChunk: number))
        .filter { !deleted.contains($0.key) }
    }
  }

  /// Writes the remaining values and adds the load to the state.
  func store(
    _ table: UInt32, state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    if state.extents.last?.firstChunk == extent.firstChunk { state.extents.removeLast() }
    state.extents.append(extent)
    state.endKey = rows.upperBound
    state.liveCount += rowCount - deletedRows.count
    state.valueRuns += values
    state.textRuns += texts
    try storeDeleted(table, lmdb: lmdb)
    try freeLargeValues(table: table, lmdb: lmdb)
    if var run = baseRun, let leaves {
      try leaves.store(table, column: run.column, run: run.id, count: run.count, lmdb: lmdb)
      run.deletedCounts = try storeDeleted(run, table: table, lmdb: lmdb)
      state.spatialRuns.append(run)
    }
    try lmdb.delete(.pendingLoad(extent.id))
  }

  /// Removes the large values of deleted rows.
  private func freeLargeValues(table: UInt32, lmdb: some KeyValues) throws(StoreError) {
    for (number, rows) in Dictionary(grouping: deletedRows, by: { RowAddress($0).chunk }) {
      let deleted = Set(rows.map { RowAddress($0).row })
      for column in largeColumns {
        let keys = LargeValueKeys(table: table, column: column, extent: extent.id)
        try freeLargeValues(of: deleted, chunk: number, keys, lmdb: lmdb)
      }
    }
  }

  /// Removes those of a chunk. A group remains while a live row needs it.
  private func freeLargeValues(
    of deleted: Set<Int>, chunk: Int, _ keys: LargeValueKeys, lmdb: some KeyValues
  ) throws(StoreError) {
    let key = StorageKey.chunk(
      keys.table, column: keys.column, extent: keys.extent, chunk: chunk)
    guard let bytes = lmdb.get(key), let base = bytes.baseAddress else { return }
    let references = Chunk(encoded: base, size: bytes.count)?.references ?? []
    let needed = Set(
      references.filter { $0.reference.isGrouped && !deleted.contains($0.row) }
        .map { $0.row / LargeValueKeys.groupRows })
    for (row, reference) in references where deleted.contains(row) {
      if !reference.isGrouped {
        try lmdb.delete(keys.value(chunk: chunk, row: row))
      } else if !needed.contains(row / LargeValueKeys.groupRows) {
        try lmdb.delete(keys.group(chunk: chunk, row: row))
      }
    }
  }

  private func storeDeleted(_ table: UInt32, lmdb: some KeyValues) throws(StoreError) {
    for (number, deleted) in Dictionary(grouping: deletedRows, by: { RowAddress($0).chunk }) {
      let live = ChunkBitmap(copying: nil)
      for row in 0..<min(ChunkShape.rows, rowCount - number * ChunkShape.rows) { live.mark(row) }
      for row in deleted { live.clear(RowAddress(row).row) }
      try lmdb.put(.liveRowBitmap(table, extent: extent.id, chunk: number), bytes: live.padded)
    }
  }

  private func storeDeleted(
    _ run: SpatialRun, table: UInt32, lmdb: some KeyValues
  ) throws(StoreError) -> [SpatialRun.DeletedCount] {
    var counts: [SpatialRun.DeletedCount] = []
    let located = deletedRows.filter { $0 < run.count }
    for (number, deleted) in Dictionary(grouping: located, by: { RowAddress($0).chunk })
      .sorted(by: { $0.key < $1.key })
    {
      let words = ChunkBitmap(copying: nil)
      for row in deleted { words.mark(RowAddress(row).row) }
      let chunk = extent.firstChunk + number
      try lmdb.put(
        .runTombstones(table, column: run.column, run: run.id, chunk: chunk), bytes: words.padded)
      counts.append(SpatialRun.DeletedCount(chunk: chunk, count: deleted.count))
    }
    return counts
  }
}
