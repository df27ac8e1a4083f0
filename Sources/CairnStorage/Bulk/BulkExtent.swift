/// What a bulk load adds to the state of its class.
struct BulkExtent {
  let extent: TableState.Extent
  let rowCount: Int
  /// Rows of the load that are dead from the start, counted from its first row, rising.
  let deadRows: [Int]
  var clustered: SpatialRun?
  let values: [ValueRun]
  let leaves: SpatialLeaves?
  /// What the locations hold that do not order the rows, by position of the column.
  let otherLocations: [Int: [LooseEntry]]

  private var firstRow: Int { extent.firstChunk * ChunkShape.rows }

  /// The keys that the rows get.
  var rows: Range<Int> { firstRow..<firstRow + rowCount }

  /// Writes what is left to write, and enters the load into the state.
  func store(
    _ table: UInt32, _ state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    if state.extents.last?.firstChunk == extent.firstChunk { state.extents.removeLast() }
    state.extents.append(extent)
    state.endKey = rows.upperBound
    state.liveCount += rowCount - deadRows.count
    state.valueRuns += values
    try storeDead(table, lmdb)
    if var run = clustered, let leaves {
      try leaves.store(table, run.column, run.id, count: run.count, lmdb)
      run.dead = try storeDead(run, table, lmdb)
      state.spatialRuns.append(run)
    }
    try lmdb.delete(.pendingLoad(extent.id))
  }

  private func storeDead(_ table: UInt32, _ lmdb: some KeyValues) throws(StoreError) {
    for (number, dead) in Dictionary(grouping: deadRows, by: { $0 >> ChunkShape.shift }) {
      let live = BitmapWords(copying: nil)
      for row in 0..<min(ChunkShape.rows, rowCount - number * ChunkShape.rows) { live.mark(row) }
      for row in dead { live.clear(row & (ChunkShape.rows - 1)) }
      try lmdb.put(.liveness(table, extent.id, number), live.padded)
    }
  }

  private func storeDead(
    _ run: SpatialRun, _ table: UInt32, _ lmdb: some KeyValues
  ) throws(StoreError) -> [SpatialRun.DeadCount] {
    var counts: [SpatialRun.DeadCount] = []
    let located = deadRows.filter { $0 < run.count }
    for (number, dead) in Dictionary(grouping: located, by: { $0 >> ChunkShape.shift })
      .sorted(by: { $0.key < $1.key })
    {
      let words = BitmapWords(copying: nil)
      for row in dead { words.mark(row & (ChunkShape.rows - 1)) }
      let chunk = extent.firstChunk + number
      try lmdb.put(.runDead(table, run.column, run.id, chunk: chunk), words.padded)
      counts.append(SpatialRun.DeadCount(chunk: chunk, count: dead.count))
    }
    return counts
  }
}
