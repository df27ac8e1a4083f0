import CairnValues

/// Indexes that are built from all rows.
extension TableWriter {
  /// The number of rows in a run, which are sorted in memory.
  private static var rowsPerRun: Int { 1 << 20 }

  /// Allows duplicate primary keys while the transaction is open; its commit checks all objects.
  package func deferUniqueness() {
    guard let position = schema.primaryKey else { return }
    isAltered = true
    overlay.rebuilt.insert(position)
  }

  /// Removes the runs of columns that were removed, are no longer indexed, or are indexed again.
  func dropRuns(_ state: inout TableState, lmdb: some KeyValues) throws(StoreError) {
    let keepsValues = Set(columnsToKeep(\.hasValueIndex))
    let keepsTexts = Set(columnsToKeep(\.isFullText))
    let keepsPlaces = Set(columnsToKeep(\.hasSpatialIndex))
    for run in state.valueRuns where !keepsValues.contains(run.column) {
      try lmdb.deleteGroup(
        StorageKey(kind: .runKeys, table: schema.id, column: run.column, group: run.id))
    }
    for run in state.spatialRuns where !keepsPlaces.contains(run.column) {
      for kind in [StorageKey.Kind.runNodes, .runEntries, .runTombstones] {
        try lmdb.deleteGroup(
          StorageKey(kind: kind, table: schema.id, column: run.column, group: run.id))
      }
    }
    for run in state.textRuns where !keepsTexts.contains(run.column) {
      for kind in [StorageKey.Kind.runWords, .runPositions] {
        try lmdb.deleteGroup(
          StorageKey(kind: kind, table: schema.id, column: run.column, group: run.id))
      }
    }
    state.textRuns.removeAll { !keepsTexts.contains($0.column) }
    state.valueRuns.removeAll { !keepsValues.contains($0.column) }
    state.spatialRuns.removeAll { !keepsPlaces.contains($0.column) }
  }

  private func columnsToKeep(_ hasIndex: (ColumnSchema) -> Bool) -> [UInt16] {
    schema.columns.filter { hasIndex($0) && !overlay.rebuilt.contains($0.position) }.map(\.id)
  }

  /// Writes an R-tree.
  func rebuildLocations<Entry: SpatialEntry>(
    _ type: Entry.Type, of column: ColumnSchema, _ state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    let log = SpatialRunLog<Entry>(table: table, column: column)
    for start in stride(from: 0, to: overlay.endKey, by: Self.rowsPerRun) {
      let rows = start..<min(overlay.endKey, start + Self.rowsPerRun)
      let entries = table.entries(type, column.position, keys: rows)
      if !entries.isEmpty { try log.write(entries, to: &state, lmdb: lmdb) }
    }
  }

  /// The number of bytes of a draft in memory at which a run of a full-text index ends.
  static var textRunBytes: Int { 256 << 20 }

  /// Writes the full-text index of a column.
  func rebuildTexts(
    of column: ColumnSchema, _ state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    let log = TextRunLog(table: table, column: column)
    var draft = TextDraft()
    for key in 0..<overlay.endKey where table.isLive(key) {
      table.addText(column.position, at: key, to: draft)
      guard draft.byteCount > Self.textRunBytes else { continue }
      try log.write(draft.block(), to: &state, lmdb: lmdb)
      draft = TextDraft()
    }
    try log.write(draft.block(), to: &state, lmdb: lmdb)
  }

  /// Writes the value index of a column.
  ///
  /// - Throws: An error if two objects have the same primary key.
  func rebuildValues(
    of column: ColumnSchema, _ state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    let log = ValueRunLog(table: table, column: column)
    for start in stride(from: 0, to: overlay.endKey, by: Self.rowsPerRun) {
      var entries: [ValueEntry] = []
      for key in start..<min(overlay.endKey, start + Self.rowsPerRun) where table.isLive(key) {
        for value in table.indexKeys(column.position, at: key) {
          entries.append(ValueEntry(value: value, key: key))
        }
      }
      entries.sort()
      if !entries.isEmpty { try log.write(entries, to: &state, lmdb: lmdb) }
    }
    guard column.isPrimaryKey else { return }
    try checkNullIsUnique(column)
    let runs = state.valueRuns.filter { $0.column == column.id }
    try checkUnique(column, runs: runs.map { ValueRunReader($0, table: schema.id, source: lmdb) })
  }

  /// Throws if two objects have a null primary key, which runs do not hold.
  private func checkNullIsUnique(_ column: ColumnSchema) throws(StoreError) {
    guard column.isNullable else { return }
    let nulls = (0..<overlay.endKey).lazy.filter { [table] key in
      table.isLive(key) && table.value(column.position, at: key) == .null
    }
    guard nulls.prefix(2).count < 2 else { throw duplicate(.null, column: column) }
  }

  /// Throws if two entries of the runs have the same value.
  private func checkUnique(
    _ column: ColumnSchema, runs: [ValueRunReader]
  ) throws(StoreError) {
    var merge = ValueRunMerge(runs)
    var last: IndexKey?
    while true {
      let entries = merge.next(ValueSegment.capacity)
      if entries.isEmpty { return }
      for entry in entries {
        guard entry.value != last else {
          throw duplicate(entry.value.value(of: column.type), column: column)
        }
        last = entry.value
      }
    }
  }

  private func duplicate(_ value: Value, column: ColumnSchema) -> StoreError {
    let count = (0..<overlay.endKey).count {
      table.isLive($0) && table.value(column.position, at: $0) == value
    }
    return StoreError(
      .duplicateKey,
      message:
        "'\(schema.name).\(column.name)' cannot be the primary key: \(count) objects "
        + "have the value \(value.plainText); "
        + "give them different values in the migration block, or delete all but one")
  }
}
