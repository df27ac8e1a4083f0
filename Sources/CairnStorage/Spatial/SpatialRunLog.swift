import CairnIndex

/// Adds to the runs of one location, and merges loose runs geometrically: a run is merged into the
/// next when it is no longer at least twice as long, so that there are few, and a row is rewritten
/// only as often as there are sizes.
struct SpatialRunLog {
  let table: Table
  let column: ColumnSchema

  /// Notes rows that clustered runs do not speak for any more.
  func markDead(
    _ keys: Set<Int>, _ state: inout TableState, _ lmdb: some KeyValues
  ) throws(StoreError) {
    for index in state.spatialRuns.indices {
      let run = state.spatialRuns[index]
      guard run.column == column.id, run.isClustered else { continue }
      let rows = run.firstRow..<run.firstRow + run.count
      let byChunk = Dictionary(grouping: keys.filter(rows.contains)) { $0 >> ChunkShape.shift }
      var counts = Dictionary(uniqueKeysWithValues: run.dead.map { ($0.chunk, $0.count) })
      for (chunk, keys) in byChunk {
        let name = StorageKey.runDead(table.schema.id, column.id, run.id, chunk: chunk)
        let stored = lmdb.get(name)?.baseAddress?.assumingMemoryBound(to: UInt64.self)
        let words = BitmapWords(copying: stored)
        for key in keys { words.mark(key & (ChunkShape.rows - 1)) }
        counts[chunk] = words.count
        try lmdb.put(name, words.padded)
      }
      state.spatialRuns[index].dead = counts.sorted { $0.key < $1.key }
        .map { SpatialRun.DeadCount(chunk: $0.key, count: $0.value) }
    }
  }

  /// Adds a loose run of these rows.
  ///
  /// - Parameter superseded: rows whose older loose entries are no longer true.
  func add(
    _ entries: [LooseEntry], superseding superseded: Set<Int>, to state: inout TableState,
    _ lmdb: some KeyValues
  ) throws(StoreError) {
    if superseded.contains(where: { mayHaveLooseEntry($0) }) { state.looseIsStale = true }
    var merged = entries
    var seen = superseded
    while let index = state.spatialRuns.lastIndex(where: {
      $0.column == column.id && !$0.isClustered
    }),
      state.spatialRuns[index].count <= 2 * merged.count
    {
      let run = state.spatialRuns.remove(at: index)
      merged += try current(run, seen: &seen, checked: state.looseIsStale)
      try remove(run, lmdb)
    }
    if !state.spatialRuns.contains(where: { !$0.isClustered }) { state.looseIsStale = false }
    guard !merged.isEmpty else { return }
    try write(merged, to: &state, lmdb)
  }

  /// Whether the row stood in a loose run before the transaction.
  private func mayHaveLooseEntry(_ key: Int) -> Bool {
    guard key < table.state.settledEnd else { return false }
    for run in table.state.spatialRuns where run.column == column.id && run.isClustered {
      guard key >= run.firstRow, key < run.firstRow + run.count else { continue }
      let name = StorageKey.runDead(
        table.schema.id, column.id, run.id, chunk: key >> ChunkShape.shift)
      guard let words = table.transaction.get(name) else { return false }
      let row = key & (ChunkShape.rows - 1)
      return words[row >> 3] >> UInt8(row & 7) & 1 != 0
    }
    return true
  }

  /// The entries of a loose run that still speak for their rows and were not seen in a younger run.
  private func current(
    _ run: SpatialRun, seen: inout Set<Int>, checked: Bool
  ) throws(StoreError) -> [LooseEntry] {
    guard let loose = table.looseRun(run, column) else {
      throw StoreError(
        .damaged,
        "the R-tree of '\(table.schema.name).\(column.name)' has lost a part; restore the store from a copy"
      )
    }
    return (0..<run.count).compactMap { position in
      let key = loose.key(at: position)
      let point = loose.point(at: position)
      guard !seen.contains(key) else { return nil }
      if checked {
        guard
          table.hasLocation(
            column.position, key: key, longitude: point.longitude, latitude: point.latitude)
        else { return nil }
        seen.insert(key)
      }
      return LooseEntry(longitude: point.longitude, latitude: point.latitude, key: key)
    }
  }

  private func remove(_ run: SpatialRun, _ lmdb: some KeyValues) throws(StoreError) {
    let id = table.schema.id
    let starts = [
      StorageKey.runPoints(id, column.id, run.id, block: 0),
      StorageKey.runNodes(id, column.id, run.id, level: 0, segment: 0),
    ]
    for start in starts { _ = try lmdb.deleteGroup(start) }
  }

  /// Writes a loose run of these rows as it is, however long its neighbours are.
  func write(
    _ entries: [LooseEntry], to state: inout TableState, _ lmdb: some KeyValues
  ) throws(StoreError) {
    let sorted = entries.sortedAlongHilbert()
    let run = SpatialRun(
      id: state.nextRun, column: column.id, firstRow: -1, count: sorted.count)
    state.nextRun += 1
    var leaves = SpatialLeaves()
    for block in 0..<(sorted.count + ChunkShape.rows - 1) / ChunkShape.rows {
      let slice = sorted[
        block * ChunkShape.rows..<min(sorted.count, (block + 1) * ChunkShape.rows)]
      let bytes = LooseBlock.encoded(slice)
      bytes.withUnsafeBytes { if let block = LooseBlock($0) { leaves.append(block.points) } }
      try lmdb.put(.runPoints(table.schema.id, column.id, run.id, block: block), bytes)
    }
    try leaves.store(table.schema.id, column.id, run.id, count: run.count, lmdb)
    state.spatialRuns.append(run)
  }
}

extension Array where Element == LooseEntry {
  fileprivate func sortedAlongHilbert() -> [LooseEntry] {
    let byKey = isRising ? self : sorted { $0.key < $1.key }
    let keys = byKey.map { Hilbert.key(longitude: $0.longitude, latitude: $0.latitude) }
    return keys.withUnsafeBufferPointer { RadixSort.order($0).map { byKey[Int($0)] } }
  }

  /// Whether the keys of the rows rise, as those of new rows do.
  private var isRising: Bool {
    indices.dropFirst().allSatisfy { self[$0 - 1].key < self[$0].key }
  }
}
