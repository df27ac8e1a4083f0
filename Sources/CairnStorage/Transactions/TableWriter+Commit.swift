import CairnIndex
import CairnValues

extension TableWriter {
  /// Writes the changes: each edited chunk once, its zone, the live-row bitmaps, the runs of the
  /// indexes and the state.
  func store(into lmdb: some KeyValues) throws(StoreError) {
    var state = table.state
    state.endKey = overlay.endKey
    state.liveCount = overlay.liveCount
    if overlay.isCleared { try clear(&state, lmdb: lmdb) }
    if isAltered { try dropRuns(&state, lmdb: lmdb) }
    for column in schema.columns {
      try storeChunks(of: column, state, into: lmdb)
    }
    try mergePendingEntries(&state, into: lmdb)
    try storeLiveRows(state, into: lmdb)
    if let published {
      try published.store(schema.id, state: &state, into: lmdb)
      for position in published.otherLocations {
        let column = schema.columns[position]
        try publish(published, column.entryType, column, to: &state, lmdb: lmdb)
      }
      state.indexedEnd = state.endKey
    }
    guard state != table.state || lmdb.get(.state(schema.id)) == nil else { return }
    try lmdb.put(.state(schema.id), bytes: state.encoded())
  }

  /// The changes of the commit in the class.
  var changeLogEntry: ChangeLogEntry {
    var changes = TableChanges()
    changes.inserted = table.liveKeys(overlay.newKeys)
      .union(KeyRangeSet(published.map { [$0.rows] } ?? []))
    changes.deleted =
      overlay.isCleared
      ? table.storedLiveKeys : KeyRangeSet(overlay.deleted)
    var groups = DirtyRowGroups()
    for (chunk, marks) in overlay.modified.sorted(by: { $0.key < $1.key }) {
      if !set.recordsEqualWrites { unmarkSame(marks, chunk: chunk) }
      groups.add(chunk, marks: marks, live: table.liveRowBitmap(ofChunk: chunk))
    }
    changes.modified = groups.modified
    return ChangeLogEntry(table: schema.id, changes: changes)
  }

  /// Removes the marks of rows that were set back to their old value.
  private func unmarkSame(_ marks: DirtyRowBitmaps, chunk: Int) {
    for (id, rows) in marks.columns {
      guard let column = schema.columns.first(where: { $0.id == id }),
        let buffer = overlay.buffer(column.position, chunk: chunk)
      else { continue }
      let before = table.column(column.position).storedOrAbsent(chunk)
      rows.unmark { before.isSame(as: buffer.view, at: $0, column.layout) }
    }
  }

  /// Removes the data of the class, which has no live rows left.
  private func clear(_ state: inout TableState, lmdb: some KeyValues) throws(StoreError) {
    state.spatialRuns = []
    state.valueRuns = []
    state.textRuns = []
    state.deltaIsStale = false
    state.unindexed = []
    state.indexedEnd = overlay.firstNewKey
    for column in schema.columns { try lmdb.deleteColumn(column.id, of: schema.id) }
  }

  private func storeChunks(
    of column: ColumnSchema, _ state: TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    var zones = ZoneTable(table: schema.id, column: column.id)
    let edited = overlay.buffers[column.position]
    let derived = overlay.derived[column.position]
    let chunks =
      derived == nil
      ? edited.keys.sorted()
      : Array(0..<table.storedChunkCount)
        + edited.keys.filter { $0 >= table.storedChunkCount }.sorted()
    for chunk in chunks {
      guard let buffer = edited[chunk] ?? derived.map({ made(chunk, of: column, by: $0) }),
        buffer.count > 0
      else { continue }
      try storeLargeValues(of: column, chunk: chunk, buffer, state, into: lmdb)
      let (extent, number) = state.storage(ofChunk: chunk)
      let (bytes, zone) = ChunkEncoder.encode(buffer)
      try lmdb.put(
        .chunk(schema.id, column: column.id, extent: extent, chunk: number), bytes: bytes)
      try zones.set(zone, extent: extent, number: number, lmdb: lmdb)
    }
    if !overlay.isCleared {
      for chunk in overlay.deleted.chunks where edited[chunk] == nil && derived == nil {
        try storeLargeValues(of: column, chunk: chunk, nil, state, into: lmdb)
      }
    }
    try zones.store(into: lmdb)
  }

  private func storeLiveRows(_ state: TableState, into lmdb: some KeyValues) throws(StoreError) {
    for (chunk, words) in overlay.liveRowBitmaps.sorted(by: { $0.key < $1.key }) {
      let (extent, number) = state.storage(ofChunk: chunk)
      try lmdb.put(.liveRowBitmap(schema.id, extent: extent, chunk: number), bytes: words.padded)
    }
  }
}

/// Runs receive changed rows in groups. Until then the state lists the rows, and index lookups
/// check them one by one, so that a small commit does not rewrite runs.
extension TableWriter {
  /// The maximum number of rows in the list.
  private static let maxUnindexed = 128

  /// Lists changed rows in the state, or writes them to the runs if there are too many.
  func mergePendingEntries(_ state: inout TableState, into lmdb: some KeyValues) throws(StoreError)
  {
    guard schema.columns.contains(where: { $0.hasSpatialIndex || $0.listsChangedRows }) else {
      state.indexedEnd = state.endKey
      return
    }
    let rows = table.unindexedRows
    let unindexed = unindexed(state)
    if published == nil, overlay.rebuilt.isEmpty,
      unindexed.values.reduce(rows.count, { $0 + $1.count }) <= Self.maxUnindexed
    {
      state.unindexed = Self.listed(unindexed)
      return
    }
    for column in schema.columns {
      let isRebuilt = overlay.rebuilt.contains(column.position)
      if column.hasSpatialIndex {
        isRebuilt
          ? try rebuildLocations(column.entryType, of: column, &state, lmdb: lmdb)
          : try mergeLocations(
            column.entryType, of: column, unindexed[column.id] ?? RowBitmaps(), rows: rows,
            state: &state, into: lmdb)
      }
      if column.hasValueIndex {
        isRebuilt
          ? try rebuildValues(of: column, &state, lmdb: lmdb)
          : try mergeValues(
            of: column, unindexed[TableState.UnindexedRow.anyValue] ?? RowBitmaps(), rows: rows,
            state: &state, into: lmdb)
      }
      if column.isFullText {
        isRebuilt
          ? try rebuildTexts(of: column, &state, lmdb: lmdb)
          : try mergeTexts(
            of: column, unindexed[TableState.UnindexedRow.anyValue] ?? RowBitmaps(), rows: rows,
            state: &state, into: lmdb)
      }
    }
    state.unindexed = []
    state.indexedEnd = state.endKey
  }

  private static func listed(_ unindexed: [UInt16: RowBitmaps]) -> [TableState.UnindexedRow] {
    var rows: [TableState.UnindexedRow] = []
    for (column, keys) in unindexed {
      for key in keys.keys { rows.append(TableState.UnindexedRow(key: key, column: column)) }
    }
    return rows.sorted { ($0.key, $0.column) < ($1.key, $1.column) }
  }

  /// Returns the older unindexed rows, both those of earlier commits and those of the transaction,
  /// by column as in `TableState.UnindexedRow`.
  private func unindexed(_ state: TableState) -> [UInt16: RowBitmaps] {
    var all: [UInt16: RowBitmaps] = [:]
    for row in state.unindexed { all[row.column, default: RowBitmaps()].insert(row.key) }
    // Rows that are not in a run yet need no entry.
    let end = overlay.isCleared ? overlay.firstNewKey : state.indexedEnd
    for key in overlay.touchedKeys where key < end {
      all[TableState.UnindexedRow.anyValue, default: RowBitmaps()].insert(key)
    }
    for (position, rows) in overlay.touchedLocations {
      all[schema.columns[position].id, default: RowBitmaps()].formUnion(rows.below(end))
    }
    return all
  }

  private func mergeValues(
    of column: ColumnSchema, _ unindexed: RowBitmaps, rows: Range<Int>,
    state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    let position = column.position
    var entries: [ValueEntry] = []
    func add(_ key: Int) {
      guard table.isLive(key) else { return }
      for value in table.indexKeys(position, at: key) {
        entries.append(ValueEntry(value: value, key: key))
      }
    }
    for key in unindexed.keys { add(key) }
    for key in rows { add(key) }
    guard !entries.isEmpty else { return }
    try ValueRunLog(table: table, column: column).add(entries, to: &state, lmdb: lmdb)
  }

  private func mergeTexts(
    of column: ColumnSchema, _ unindexed: RowBitmaps, rows: Range<Int>,
    state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    let log = TextRunLog(table: table, column: column)
    var draft = TextDraft()
    var isSplit = false
    func add(_ key: Int) throws(StoreError) {
      guard table.isLive(key) else { return }
      table.addText(column.position, at: key, to: draft)
      guard draft.byteCount > Self.textRunBytes else { return }
      try log.write(draft.block(), to: &state, lmdb: lmdb)
      draft = TextDraft()
      isSplit = true
    }
    for key in unindexed.keys where key < rows.lowerBound { try add(key) }
    for key in rows { try add(key) }
    let block = draft.block()
    guard block.rowCount > 0 else { return }
    // A merge reads the last commit, which lacks the runs of this one.
    isSplit
      ? try log.write(block, to: &state, lmdb: lmdb) : try log.add(block, to: &state, lmdb: lmdb)
  }

  private func mergeLocations<Entry: SpatialEntry>(
    _ type: Entry.Type, of column: ColumnSchema, _ touched: RowBitmaps,
    rows: Range<Int>, state: inout TableState, into lmdb: some KeyValues
  ) throws(StoreError) {
    guard !touched.isEmpty || !rows.isEmpty else { return }
    let log = SpatialRunLog<Entry>(table: table, column: column)
    try log.markDeleted(touched, state: &state, lmdb: lmdb)
    let entries: [Entry] =
      table.entries(type, column.position, of: touched)
      + table.entries(type, column.position, keys: rows)
    guard !touched.isEmpty || !entries.isEmpty else { return }
    try log.add(entries, superseding: touched, to: &state, lmdb: lmdb)
  }

  /// Writes the delta run of an R-tree that does not determine the row order of a load.
  private func publish<Entry: SpatialEntry>(
    _ load: BulkExtent, _ type: Entry.Type, _ column: ColumnSchema, to state: inout TableState,
    lmdb: some KeyValues
  ) throws(StoreError) {
    let entries: [Entry] = load.entries(of: column, in: schema.id, lmdb: lmdb)
    guard !entries.isEmpty else { return }
    try SpatialRunLog(table: table, column: column).write(entries, to: &state, lmdb: lmdb)
  }
}
