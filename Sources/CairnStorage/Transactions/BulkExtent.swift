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
  /// The numbers of the columns of geometries.
  let geometries: [UInt16]
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
    return (0..<(rowCount + ChunkShape.rows - 1) / ChunkShape.rows).flatMap { number -> [Entry] in
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
    try freeLargeValues(of: geometries, table: table, lmdb: lmdb)
    if var run = baseRun, let leaves {
      try leaves.store(table, column: run.column, run: run.id, count: run.count, lmdb: lmdb)
      run.deletedCounts = try storeDeleted(run, table: table, lmdb: lmdb)
      state.spatialRuns.append(run)
    }
    try lmdb.delete(.pendingLoad(extent.id))
  }

  /// Removes the large values of deleted rows.
  private func freeLargeValues(
    of columns: [UInt16], table: UInt32, lmdb: some KeyValues
  ) throws(StoreError) {
    for column in columns {
      for row in deletedRows {
        let address = RowAddress(row)
        try lmdb.delete(
          .largeValue(
            table, column: column, extent: extent.id, chunk: address.chunk, row: address.row))
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
