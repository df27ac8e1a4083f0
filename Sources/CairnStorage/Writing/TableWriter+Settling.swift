/// Runs are told of changed rows many at a time: until then the state lists the rows, and whoever asks an index looks at
/// them one by one. So a small commit leaves the runs alone.
extension TableWriter {
  /// Rows that the state lists at most.
  private static let mostUnsettled = 128

  /// Notes in the state which rows the runs do not speak for, or lets the runs speak for them.
  func settleRuns(_ state: inout TableState, into lmdb: some KeyValues) throws(StoreError) {
    guard schema.columns.contains(where: { $0.hasSpatialIndex || $0.hasValueIndex }) else {
      state.settledEnd = state.endKey
      return
    }
    let rows = table.unsettledRows
    let unsettled = unsettled(state)
    if published == nil, overlay.rebuilt.isEmpty,
      unsettled.count + rows.count <= Self.mostUnsettled
    {
      state.unsettled = unsettled
      return
    }
    for column in schema.columns {
      let isRebuilt = overlay.rebuilt.contains(column.position)
      if column.hasSpatialIndex {
        isRebuilt
          ? try rebuildLocations(of: column, &state, lmdb)
          : try settleLocations(of: column, unsettled, rows, &state, into: lmdb)
      }
      if column.hasValueIndex {
        isRebuilt
          ? try rebuildValues(of: column, &state, lmdb)
          : try settleValues(of: column, unsettled, rows, &state, into: lmdb)
      }
    }
    state.unsettled = []
    state.settledEnd = state.endKey
  }

  /// Older rows that the runs do not speak for: of before, and of the transaction.
  private func unsettled(_ state: TableState) -> [TableState.Unsettled] {
    typealias Unsettled = TableState.Unsettled
    guard !overlay.touchedKeys.isEmpty || !overlay.touchedLocations.isEmpty else {
      return state.unsettled
    }
    // Rows that no run has need no mention.
    let end = overlay.isCleared ? overlay.firstNewKey : state.settledEnd
    var all = Set(state.unsettled)
    for key in overlay.touchedKeys where key < end {
      all.insert(Unsettled(key: key, column: Unsettled.anyValue))
    }
    for (position, keys) in overlay.touchedLocations {
      for key in keys where key < end {
        all.insert(Unsettled(key: key, column: schema.columns[position].id))
      }
    }
    return all.sorted { $0.key == $1.key ? $0.column < $1.column : $0.key < $1.key }
  }

  private func settleValues(
    of column: ColumnSchema, _ unsettled: [TableState.Unsettled], _ rows: Range<Int>,
    _ state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    let position = column.position
    var entries: [ValueEntry] = []
    func add(_ key: Int) {
      guard table.isLive(key) else { return }
      for value in table.indexKeys(position, at: key) {
        entries.append(ValueEntry(value: value, key: key))
      }
    }
    for row in unsettled where row.column == TableState.Unsettled.anyValue { add(row.key) }
    for key in rows { add(key) }
    guard !entries.isEmpty else { return }
    try ValueRunLog(table: table, column: column).add(entries, to: &state, lmdb)
  }

  private func settleLocations(
    of column: ColumnSchema, _ unsettled: [TableState.Unsettled], _ rows: Range<Int>,
    _ state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    let touched = Set(unsettled.filter { $0.column == column.id }.map(\.key))
    guard !touched.isEmpty || !rows.isEmpty else { return }
    let log = SpatialRunLog(table: table, column: column)
    try log.markDead(touched, &state, lmdb)
    let entries =
      touched.compactMap { table.looseEntry(column.position, $0) }
      + table.looseEntries(column.position, rows)
    guard !touched.isEmpty || !entries.isEmpty else { return }
    try log.add(entries, superseding: touched, to: &state, lmdb)
  }
}
