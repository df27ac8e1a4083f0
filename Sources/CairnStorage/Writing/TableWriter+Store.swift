import CairnIndex
import CairnValues

extension TableWriter {
  /// Writes what changed: each edited chunk once, its zone, the liveness, the runs of the indexes, the state.
  func store(into lmdb: some KeyValues) throws(StoreError) {
    var state = table.state
    state.endKey = overlay.endKey
    state.liveCount = overlay.liveCount
    if overlay.isCleared { try clear(&state, lmdb) }
    if isAltered { try dropRuns(&state, lmdb) }
    for column in schema.columns { try storeChunks(of: column, state, into: lmdb) }
    try settleRuns(&state, into: lmdb)
    try storeLiveness(state, into: lmdb)
    if let published {
      try published.store(schema.id, &state, into: lmdb)
      for (position, entries) in published.otherLocations.sorted(by: { $0.key < $1.key }) {
        try SpatialRunLog(table: table, column: schema.columns[position])
          .write(entries, to: &state, lmdb)
      }
      state.settledEnd = state.endKey
    }
    guard state != table.state || lmdb.get(.state(schema.id)) == nil else { return }
    try lmdb.put(.state(schema.id), state.encoded())
  }

  /// What the commit changed in the class.
  var journalEntry: JournalEntry {
    var changes = TableChanges()
    changes.inserted = table.liveKeys(overlay.newKeys)
      .union(KeyRuns(published.map { [$0.rows] } ?? []))
    changes.deleted =
      overlay.isCleared
      ? table.storedLiveKeys : KeyRuns(rising: overlay.deleted.sorted())
    var groups = ModifiedGroups()
    for (chunk, marks) in overlay.modified.sorted(by: { $0.key < $1.key }) {
      unmarkSame(marks, chunk)
      groups.add(chunk, marks, live: table.liveness(ofChunk: chunk))
    }
    changes.modified = groups.modified
    return JournalEntry(table: schema.id, changes: changes)
  }

  /// Takes the marks from rows that were set back to what they held.
  private func unmarkSame(_ marks: ModifiedMarks, _ chunk: Int) {
    for (id, rows) in marks.columns {
      guard let column = schema.columns.first(where: { $0.id == id }),
        let buffer = overlay.buffer(column.position, chunk)
      else { continue }
      let before = table.column(column.position).storedOrAbsent(chunk)
      rows.unmark { before.isSame(as: buffer.view, at: $0, column.layout) }
    }
  }

  /// Removes what the class had: no row of it lives any more.
  private func clear(_ state: inout TableState, _ lmdb: some KeyValues) throws(StoreError) {
    state.spatialRuns = []
    state.valueRuns = []
    state.looseIsStale = false
    state.unsettled = []
    state.settledEnd = overlay.firstNewKey
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
      guard let buffer = edited[chunk] ?? derived?.made(chunk), buffer.count > 0 else { continue }
      let (extent, number) = state.storage(ofChunk: chunk)
      let (bytes, zone) = ChunkEncoder.encode(buffer)
      try lmdb.put(.chunk(schema.id, column.id, extent, number), bytes)
      try zones.set(zone, extent: extent, number: number, lmdb)
    }
    try zones.store(into: lmdb)
  }

  private func storeLiveness(_ state: TableState, into lmdb: some KeyValues) throws(StoreError) {
    for (chunk, words) in overlay.liveness.sorted(by: { $0.key < $1.key }) {
      let (extent, number) = state.storage(ofChunk: chunk)
      try lmdb.put(.liveness(schema.id, extent, number), words.padded)
    }
  }
}

extension BitmapWords {
  /// The bitmap as it is stored: long enough to be aligned.
  var padded: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ChunkShape.minimumSize)
    bytes.withUnsafeMutableBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: words, count: ChunkShape.words * 8))
    }
    return bytes
  }
}
