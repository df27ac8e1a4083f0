/// Writes the runs of one value index, and merges them geometrically.
struct ValueRunLog {
  let table: Table
  let column: ColumnSchema

  /// Adds a run of these entries. Existing runs that are not more than twice as long are merged
  /// into it.
  func add(
    _ entries: [ValueEntry], to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    var merged = entries.sorted()
    while let index = state.valueRuns.lastIndex(where: { $0.column == column.id }),
      state.valueRuns[index].count <= 2 * merged.count
    {
      let run = state.valueRuns.remove(at: index)
      merged = merge(current(run), b: merged)
      for segment in run.segments {
        try lmdb.delete(.runKeys(table.schema.id, column: column.id, run: run.id, segment: segment))
      }
    }
    guard !merged.isEmpty else { return }
    try write(merged, to: &state, lmdb: lmdb)
  }

  /// Returns the entries of a run that still match their rows.
  private func current(_ run: ValueRun) -> [ValueEntry] {
    let reader = ValueRunReader(run, table: table.schema.id, source: table.transaction)
    return (0..<run.count).compactMap { position in
      guard let entry = reader.entry(position), table.isLive(entry.key),
        table.indexKeys(column.position, at: entry.key).contains(entry.value)
      else { return nil }
      return entry
    }
  }

  private func merge(_ a: [ValueEntry], b: [ValueEntry]) -> [ValueEntry] {
    var merged: [ValueEntry] = []
    merged.reserveCapacity(a.count + b.count)
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if a[i] == b[j] {
        i += 1
      } else if a[i] < b[j] {
        merged.append(a[i])
        i += 1
      } else {
        merged.append(b[j])
        j += 1
      }
    }
    return merged + a[i...] + b[j...]
  }

  /// Writes a run of sorted entries without merging.
  func write(
    _ entries: [ValueEntry], to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    let run = ValueRun(
      id: state.nextRun, column: column.id, count: entries.count, firstRow: 0)
    state.nextRun += 1
    for segment in run.segments {
      let start = segment * ValueSegment.capacity
      let slice = entries[start..<min(entries.count, start + ValueSegment.capacity)]
      try lmdb.put(
        .runKeys(table.schema.id, column: column.id, run: run.id, segment: segment),
        bytes: ValueSegment.encoded(slice, numeric: column.isIndexedByNumber))
    }
    state.valueRuns.append(run)
  }
}
