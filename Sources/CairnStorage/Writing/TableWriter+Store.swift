import CairnIndex
import CairnValues

extension TableWriter {
  /// Writes what changed: each edited chunk once, its zone, the liveness, the runs of the indexes, the state.
  func store(into lmdb: LMDBTransaction) throws(StoreError) {
    var state = table.state
    state.endKey = overlay.endKey
    state.liveCount = overlay.liveCount
    if overlay.isCleared { try clear(&state, lmdb) }
    for column in schema.columns {
      try storeChunks(of: column, state, into: lmdb)
      if column.hasSpatialIndex { try storeLocations(of: column, &state, into: lmdb) }
      if column.hasValueIndex { try storeValues(of: column, &state, into: lmdb) }
    }
    try storeLiveness(state, into: lmdb)
    if let published {
      try published.store(schema.id, &state, into: lmdb)
      for (position, entries) in published.otherLocations.sorted(by: { $0.key < $1.key }) {
        try SpatialRunLog(table: table, column: schema.columns[position])
          .write(entries, to: &state, lmdb)
      }
    }
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
  private func clear(_ state: inout TableState, _ lmdb: LMDBTransaction) throws(StoreError) {
    state.spatialRuns = []
    state.valueRuns = []
    state.looseIsStale = false
    let kinds: [StorageKey.Kind] = [.chunk, .zones, .runNodes, .runPoints, .runDead, .runKeys]
    for column in schema.columns {
      for kind in kinds {
        let start = StorageKey(kind: kind, table: schema.id, column: column.id)
        _ = try lmdb.deleteRun(from: start) {
          $0.kind == kind && $0.table == start.table && $0.column == start.column
        }
      }
    }
  }

  private func storeChunks(
    of column: ColumnSchema, _ state: TableState, into lmdb: LMDBTransaction
  ) throws(StoreError) {
    var zones = ZoneTable(table: schema.id, column: column.id)
    let edited = overlay.buffers[column.position].sorted { $0.key < $1.key }
    for (chunk, buffer) in edited where buffer.count > 0 {
      let (extent, number) = state.storage(ofChunk: chunk)
      let (bytes, zone) = ChunkEncoder.encode(buffer)
      try lmdb.put(.chunk(schema.id, column.id, extent, number), bytes)
      try zones.set(zone, extent: extent, number: number, lmdb)
    }
    try zones.store(into: lmdb)
  }

  private func storeLiveness(_ state: TableState, into lmdb: LMDBTransaction) throws(StoreError) {
    for (chunk, words) in overlay.liveness.sorted(by: { $0.key < $1.key }) {
      let (extent, number) = state.storage(ofChunk: chunk)
      try lmdb.put(.liveness(schema.id, extent, number), words.padded)
    }
  }

  private func storeValues(
    of column: ColumnSchema, _ state: inout TableState, into lmdb: LMDBTransaction
  ) throws(StoreError) {
    let position = column.position
    let keys = overlay.touchedKeys + overlay.newKeys
    let entries = keys.filter(table.isLive).flatMap { key in
      table.indexKeys(position, at: key).map { ValueEntry(value: $0, key: key) }
    }
    guard !entries.isEmpty else { return }
    let log = ValueRunLog(table: table, column: column)
    try log.add(entries, to: &state, lmdb)
  }

  private func storeLocations(
    of column: ColumnSchema, _ state: inout TableState, into lmdb: LMDBTransaction
  ) throws(StoreError) {
    let touched = overlay.touchedLocations[column.position] ?? []
    guard !touched.isEmpty || !overlay.newKeys.isEmpty else { return }
    let log = SpatialRunLog(table: table, column: column)
    try log.markDead(touched, &state, lmdb)
    let entries =
      touched.compactMap { table.looseEntry(column.position, $0) }
      + table.looseEntries(column.position, overlay.newKeys)
    guard !touched.isEmpty || !entries.isEmpty else { return }
    try log.add(entries, superseding: touched, to: &state, lmdb)
  }
}

extension Table {
  /// The locations of the live rows among `keys` that have one.
  func looseEntries(_ position: Int, _ keys: Range<Int>) -> [LooseEntry] {
    var entries: [LooseEntry] = []
    entries.reserveCapacity(keys.count)
    var start = keys.lowerBound
    while start < keys.upperBound {
      let index = start >> ChunkShape.shift
      let end = min(keys.upperBound, (index + 1) << ChunkShape.shift)
      let chunk = column(position).chunk(index)
      let live = liveness(ofChunk: index)
      for key in start..<end {
        let row = key & (ChunkShape.rows - 1)
        if chunk.isNull(row) { continue }
        if let live, live[row >> 6] >> UInt64(row & 63) & 1 == 0 { continue }
        let here = chunk.position(at: row)
        entries.append(LooseEntry(longitude: here.longitude, latitude: here.latitude, key: key))
      }
      start = end
    }
    return entries
  }

  /// The location of a live row that has one.
  func looseEntry(_ position: Int, _ key: Int) -> LooseEntry? {
    guard isLive(key), case .point(let here) = value(position, at: key) else { return nil }
    return LooseEntry(longitude: here.longitude, latitude: here.latitude, key: key)
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

/// Edits zones of one column, segment by segment.
struct ZoneTable {
  let table: UInt32
  let column: UInt16
  private var extent: UInt32 = 0
  private var segment = -1
  private var bytes: [UInt8] = []

  init(table: UInt32, column: UInt16) {
    self.table = table
    self.column = column
  }

  /// Sets the zone of a stored chunk. Chunks come in rising order.
  mutating func set(
    _ zone: Zone, extent: UInt32, number: Int, _ lmdb: LMDBTransaction
  ) throws(StoreError) {
    if extent != self.extent || number / Zone.perSegment != segment {
      try store(into: lmdb)
      self.extent = extent
      segment = number / Zone.perSegment
      let stored = lmdb.get(.zones(table, column, extent, segment))
      bytes =
        stored.map(Array.init)
        ?? [UInt8](repeating: 0, count: Zone.perSegment * Zone.size)
    }
    bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      zone.write(to: base + (number % Zone.perSegment) * Zone.size)
    }
  }

  /// Writes the segment that was edited last.
  mutating func store(into lmdb: LMDBTransaction) throws(StoreError) {
    guard segment >= 0 else { return }
    try lmdb.put(.zones(table, column, extent, segment), bytes)
    segment = -1
  }
}
