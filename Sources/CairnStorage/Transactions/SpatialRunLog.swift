import CairnIndex

/// Writes the runs of one R-tree, and merges delta runs geometrically: a run is merged into the
/// next one when it is no longer at least twice as long. So there are few runs, and a row is
/// rewritten only as often as there are run sizes.
struct SpatialRunLog<Entry: SpatialEntry> {
  let table: Table
  let column: ColumnSchema

  /// Marks rows that base runs no longer cover.
  func markDeleted(
    _ keys: RowBitmaps, state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    for index in state.spatialRuns.indices {
      let run = state.spatialRuns[index]
      guard run.column == column.id, run.isBaseRun else { continue }
      let rows = run.firstRow..<run.firstRow + run.count
      var counts = Dictionary(uniqueKeysWithValues: run.deletedCounts.map { ($0.chunk, $0.count) })
      for chunk in keys.chunks {
        guard let deleted = keys.rows(ofChunk: chunk, in: rows) else { continue }
        let name = StorageKey.runTombstones(
          table.schema.id, column: column.id, run: run.id, chunk: chunk)
        let stored = lmdb.get(name)?.baseAddress?.assumingMemoryBound(to: UInt64.self)
        let words = ChunkBitmap(copying: stored)
        words.add(deleted.words)
        counts[chunk] = words.count
        try lmdb.put(name, bytes: words.padded)
      }
      state.spatialRuns[index].deletedCounts = counts.sorted { $0.key < $1.key }
        .map { SpatialRun.DeletedCount(chunk: $0.key, count: $0.value) }
    }
  }

  /// Adds a delta run of these rows.
  ///
  /// - Parameter superseded: Rows whose older delta entries are outdated.
  func add(
    _ entries: [Entry], superseding superseded: RowBitmaps, to state: inout TableState,
    lmdb: some KeyValues
  ) throws(StoreError) {
    if superseded.chunks.contains(where: { mayHaveDeltaEntry(superseded, inChunk: $0) }) {
      state.deltaIsStale = true
    }
    var merged = entries
    var seen = superseded
    while let index = state.spatialRuns.lastIndex(where: {
      $0.column == column.id && !$0.isBaseRun
    }),
      state.spatialRuns[index].count <= 2 * merged.count
    {
      let run = state.spatialRuns.remove(at: index)
      merged += try current(run, seen: &seen, checked: state.deltaIsStale)
      try remove(run, lmdb: lmdb)
    }
    if !state.spatialRuns.contains(where: { !$0.isBaseRun }) { state.deltaIsStale = false }
    guard !merged.isEmpty else { return }
    try write(merged, to: &state, lmdb: lmdb)
  }

  /// Returns whether a row of a chunk may have been in a delta run before the transaction: no base
  /// run covers it, or a tombstone marks it.
  private func mayHaveDeltaEntry(_ keys: RowBitmaps, inChunk chunk: Int) -> Bool {
    guard let rows = keys.rows(ofChunk: chunk, in: 0..<table.state.indexedEnd) else { return false }
    for run in table.state.spatialRuns where run.column == column.id && run.isBaseRun {
      guard let covered = keys.rows(ofChunk: chunk, in: run.firstRow..<run.firstRow + run.count)
      else { continue }
      let name = StorageKey.runTombstones(
        table.schema.id, column: column.id, run: run.id, chunk: chunk)
      if let words = table.transaction.get(name)?.baseAddress {
        covered.remove(words.assumingMemoryBound(to: UInt64.self))
      }
      rows.remove(covered.words)
    }
    return !rows.isEmpty
  }

  /// Returns the entries of a delta run that still match their rows and are not in a newer run.
  private func current(
    _ run: SpatialRun, seen: inout RowBitmaps, checked: Bool
  ) throws(StoreError) -> [Entry] {
    guard let blocks = Entry.blocks(of: run, in: table) else {
      throw StoreError(
        .damaged,
        message: "the R-tree of '\(table.schema.name).\(column.name)' has lost a part; "
          + "restore the store from a copy"
      )
    }
    return blocks.flatMap { block in
      Entry.entries(of: block).compactMap { entry in
        guard !seen.contains(entry.key) else { return nil }
        if checked {
          guard entry.isCurrent(in: table, column.position) else { return nil }
          seen.insert(entry.key)
        }
        return entry
      }
    }
  }

  private func remove(_ run: SpatialRun, lmdb: some KeyValues) throws(StoreError) {
    let id = table.schema.id
    let starts = [
      StorageKey.runEntries(id, column: column.id, run: run.id, block: 0),
      StorageKey.runNodes(id, column: column.id, run: run.id, level: 0, segment: 0),
    ]
    for start in starts { _ = try lmdb.deleteGroup(start) }
  }

  /// Writes a delta run of these rows without merging.
  func write(
    _ entries: [Entry], to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    let sorted = entries.sortedAlongHilbert()
    let run = SpatialRun(
      id: state.nextRun, column: column.id, firstRow: -1, count: sorted.count)
    state.nextRun += 1
    var leaves = SpatialLeaves()
    for block in 0..<ChunkShape.chunkCount(ofRows: sorted.count) {
      let slice = sorted[
        block * ChunkShape.rows..<min(sorted.count, (block + 1) * ChunkShape.rows)]
      let bytes = Entry.encoded(slice)
      bytes.withUnsafeBytes {
        if let block = DeltaBlock<Entry>($0) { leaves.append(block.rows.leafEnvelopes) }
      }
      try lmdb.put(
        .runEntries(table.schema.id, column: column.id, run: run.id, block: block), bytes: bytes)
    }
    try leaves.store(table.schema.id, column: column.id, run: run.id, count: run.count, lmdb: lmdb)
    state.spatialRuns.append(run)
  }
}

extension Array where Element: SpatialEntry {
  fileprivate func sortedAlongHilbert() -> [Element] {
    let byKey = isRising ? self : sorted { $0.key < $1.key }
    let keys = byKey.map(\.hilbertKey)
    return keys.withUnsafeBufferPointer { RadixSort.order($0).map { byKey[Int($0)] } }
  }

  /// Whether the keys of the rows rise, as those of new rows do.
  private var isRising: Bool {
    indices.dropFirst().allSatisfy { self[$0 - 1].key < self[$0].key }
  }
}
