import CairnValues

/// Rewrites one class: its live objects under new keys in consecutive chunks, and each index as one
/// run.
struct TableCompaction {
  let table: Table
  let maps: [UInt32: KeyMap]
  let map: KeyMap
  let writer: CompactionWriter
  private var state: TableState

  init(_ table: Table, map: KeyMap, maps: [UInt32: KeyMap], writer: CompactionWriter) {
    self.table = table
    self.map = map
    self.maps = maps
    self.writer = writer
    var state = table.state
    state.endKey = map.count
    state.liveCount = map.count
    state.extents = [TableState.Extent(firstChunk: 0, id: 0)]
    state.spatialRuns = []
    state.valueRuns = []
    state.textRuns = []
    state.deltaIsStale = false
    state.nextRun = 1
    // The new runs hold every row.
    state.indexedEnd = map.count
    state.unindexed = []
    self.state = state
  }

  mutating func run() throws(StoreError) {
    if map.count > 0 {
      // Indexes first, so that the chunks reuse the pages that index merges free.
      for column in table.schema.columns where column.hasValueIndex { try writeIndex(of: column) }
      for column in table.schema.columns where column.isFullText {
        try writeTextIndex(of: column)
      }
      for column in table.schema.columns { try writeChunks(of: column, column.entryType) }
    }
    let bytes = state.encoded()
    try writer.put(.state(table.id), bytes: bytes)
  }

  private mutating func writeChunks<Entry: SpatialEntry>(
    of column: ColumnSchema, _ type: Entry.Type
  ) throws(StoreError) {
    let moves = RowMoves(table, column: column, maps: maps, map: map)
    let buffer = ChunkBuffer(layout: column.layout)
    var zones = ZoneTable(table: table.id, column: column.id)
    var leaves = SpatialLeaves()
    var deltaEntries: [Entry] = []
    let isClustering = column.id == map.location?.id
    let keys = LargeValueKeys(table: table.id, column: column.id, extent: 0)
    for chunk in 0..<state.chunkCount {
      let large = moves.fill(buffer, chunk: chunk)
      var values = LargeValueWriter(keys, chunk: chunk) {
        [writer] (key, value) throws(StoreError) in
        try writer.put(key, value: value)
      }
      for (row, value) in large.values { try values.write(value, row: row) }
      try values.finish()
      withExtendedLifetime(large) {}
      let (bytes, zone) = ChunkEncoder.encode(buffer)
      try writer.write(bytes: bytes.count) { lmdb throws(StoreError) in
        try lmdb.put(.chunk(table.id, column: column.id, extent: 0, chunk: chunk), bytes: bytes)
        try zones.set(zone, extent: 0, number: chunk, lmdb: lmdb)
      }
      guard column.hasSpatialIndex else { continue }
      if isClustering {
        leaves.append(
          SpatialLeaves.leaves(of: bytes, first: map.located - chunk * ChunkShape.rows))
      } else {
        deltaEntries += Self.entries(bytes, firstKey: chunk * ChunkShape.rows)
      }
    }
    try writer.write { lmdb throws(StoreError) in try zones.store(into: lmdb) }
    if isClustering { try writeBaseRun(of: column, leaves) }
    try writeDeltaRun(of: column, deltaEntries)
  }

  private mutating func writeBaseRun(
    of column: ColumnSchema, _ leaves: SpatialLeaves
  ) throws(StoreError) {
    guard map.located > 0 else { return }
    let run = SpatialRun(id: state.nextRun, column: column.id, firstRow: 0, count: map.located)
    state.nextRun += 1
    try writer.write { lmdb throws(StoreError) in
      try leaves.store(table.id, column: column.id, run: run.id, count: run.count, lmdb: lmdb)
    }
    state.spatialRuns.append(run)
  }

  private mutating func writeDeltaRun<Entry: SpatialEntry>(
    of column: ColumnSchema, _ entries: [Entry]
  ) throws(StoreError) {
    guard !entries.isEmpty else { return }
    var after = state
    try writer.write { lmdb throws(StoreError) in
      try SpatialRunLog(table: table, column: column).write(entries, to: &after, lmdb: lmdb)
    }
    state = after
  }

  private static func entries<Entry: SpatialEntry>(_ bytes: [UInt8], firstKey: Int) -> [Entry] {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, let chunk = Chunk(encoded: base, size: raw.count) else {
        return []
      }
      return Entry.all(in: chunk, firstKey: firstKey)
    }
  }
}

/// Full-text indexes: blocks of rows, merged into one run.
extension TableCompaction {
  private static let rowsPerBlock = 16 * ChunkShape.rows
  /// The number of bytes of a draft in memory at which a block ends.
  private static let bytesPerBlock = 64 << 20

  private mutating func writeTextIndex(of column: ColumnSchema) throws(StoreError) {
    var builder = TextIndexBuilder(table: table.id, column: column.id, run: state.nextRun)
    let writer = writer
    let put: TextIndexBuilder.Put = { (key, value) throws(StoreError) in
      try writer.put(key, value: value)
    }
    try writer.write { lmdb throws(StoreError) in
      try Store.raiseFormat(to: Store.positionsFormat, in: lmdb)
    }
    var draft = TextDraft()
    for key in 0..<map.count {
      table.addText(column.position, at: Int(map.order[key]), as: key, to: draft)
      let end = key + 1
      guard end == map.count || end % Self.rowsPerBlock == 0 || draft.byteCount > Self.bytesPerBlock
      else { continue }
      try builder.append(draft.block(), firstChunk: 0, put: put)
      draft = TextDraft()
    }
    var run = try builder.finish(put)
    if builder.needsMerge {
      try writer.commit()
      let reading = try LMDBTransaction(reading: writer.handle)
      defer { reading.abort() }
      run = try builder.merge(reading, put: put) { (key) throws(StoreError) in
        try writer.write { lmdb throws(StoreError) in _ = try lmdb.delete(key) }
      }
    }
    guard let run else { return }
    state.textRuns.append(run)
    state.nextRun += 1
  }
}

/// Value indexes: sorted pieces, merged into one run.
extension TableCompaction {
  private mutating func writeIndex(of column: ColumnSchema) throws(StoreError) {
    var pieces: [ValueRun] = []
    var entries: [ValueEntry] = []
    var next = 0
    for key in 0..<map.count {
      for value in indexKeys(column, of: key) { entries.append(ValueEntry(value: value, key: key)) }
      if entries.count >= BulkValueIndex.pieceSize || key == map.count - 1 {
        guard !entries.isEmpty else { continue }
        entries.sort()
        pieces.append(piece(column, count: entries.count, segment: next))
        try write(entries, column: column, segment: &next)
        entries.removeAll(keepingCapacity: true)
      }
    }
    if pieces.count > 1 { pieces = [try merge(pieces, column: column, next: &next)] }
    guard let run = pieces.first else { return }
    state.valueRuns.append(run)
    state.nextRun += 1
  }

  private func indexKeys(_ column: ColumnSchema, of key: Int) -> IndexKeys {
    let old = Int(map.order[key])
    guard column.type == .link else { return table.indexKeys(column.position, at: old) }
    let target = table.target(of: column.position).flatMap { maps[$0.id] }
    let keys = Set(table.linkedKeys(column.position, at: old).compactMap { target?.key(of: $0) })
    return IndexKeys(keys.map { .number(IndexKey.ordered(Int64($0))) })
  }

  private func piece(_ column: ColumnSchema, count: Int, segment: Int) -> ValueRun {
    ValueRun(
      id: state.nextRun, column: column.id, count: count, firstSegment: segment, firstRow: 0)
  }

  private func write(
    _ entries: [ValueEntry], column: ColumnSchema, segment: inout Int
  ) throws(StoreError) {
    for start in stride(from: 0, to: entries.count, by: ValueSegment.capacity) {
      let slice = entries[start..<min(entries.count, start + ValueSegment.capacity)]
      try writer.put(
        .runKeys(table.id, column: column.id, run: state.nextRun, segment: segment),
        bytes: ValueSegment.encoded(slice, numeric: column.isIndexedByNumber))
      segment += 1
    }
  }

  private func merge(
    _ pieces: [ValueRun], column: ColumnSchema, next: inout Int
  ) throws(StoreError) -> ValueRun {
    try writer.commit()
    let reading = try LMDBTransaction(reading: writer.handle)
    var merge = ValueRunMerge(pieces.map { ValueRunReader($0, table: table.id, source: reading) })
    let start = next
    var count = 0
    while true {
      let entries = merge.next(ValueSegment.capacity)
      guard !entries.isEmpty else { break }
      try write(entries, column: column, segment: &next)
      count += entries.count
    }
    reading.abort()
    for segment in pieces.flatMap(\.segments) {
      try writer.write { lmdb throws(StoreError) in
        _ = try lmdb.delete(
          .runKeys(table.id, column: column.id, run: state.nextRun, segment: segment))
      }
    }
    return piece(column, count: count, segment: start)
  }
}
