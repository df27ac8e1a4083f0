/// Writes the runs of one text index, and merges them geometrically.
struct TextRunLog {
  let table: Table
  let column: ColumnSchema

  /// Adds a run over changed rows. Existing runs that do not cover more than twice as many rows are
  /// merged into it.
  func add(
    _ block: TextBlock, to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    var older: [TextRun] = []
    var rowCount = block.rowCount
    while let index = state.textRuns.lastIndex(where: { $0.column == column.id }),
      state.textRuns[index].rowCount <= 2 * rowCount
    {
      let run = state.textRuns.remove(at: index)
      older.insert(run, at: 0)
      rowCount += run.rowCount
    }
    guard !older.isEmpty else { return try write(block, to: &state, lmdb: lmdb) }
    let readers =
      older.map { TextRunReader($0, table: table.schema.id, source: table.transaction) }
      + [TextRunReader(block, firstChunk: 0)]
    var merge = TextRunMerge(readers, visible: visibleRows(readers))
    // The merge reads pages that the writes may free, so it ends first.
    var segments: [StoredTextSegment] = []
    let written = try merge.write(firstChunk: 0) { segments.append($0) }
    for run in older {
      for kind in [StorageKey.Kind.runWords, .runPositions] {
        try lmdb.deleteGroup(
          StorageKey(kind: kind, table: table.schema.id, column: column.id, group: run.id))
      }
    }
    try write(
      segments, rowCount: written.rows, hasPositions: merge.hasPositions, to: &state, lmdb: lmdb)
  }

  /// Writes a run without merging.
  func write(
    _ block: TextBlock, to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    try write(
      block.segments, rowCount: block.rowCount, hasPositions: true, to: &state, lmdb: lmdb)
  }

  private func write(
    _ segments: [StoredTextSegment], rowCount: Int, hasPositions: Bool,
    to state: inout TableState, lmdb: some KeyValues
  ) throws(StoreError) {
    guard !segments.isEmpty else { return }
    if hasPositions { try Store.raiseFormat(to: Store.positionsFormat, in: lmdb) }
    let run = TextRun(
      id: state.nextRun, column: column.id, rowCount: rowCount, segmentCount: segments.count,
      firstRow: 0, hasPositions: hasPositions)
    state.nextRun += 1
    let table = table.schema.id
    for (number, segment) in zip(run.segments, segments) {
      try lmdb.put(
        .runWords(table, column: column.id, run: run.id, segment: number),
        value: segment.words.bytes)
      guard let positions = segment.positions else { continue }
      try lmdb.put(
        .runPositions(table, column: column.id, run: run.id, segment: number),
        value: positions.bytes)
    }
    state.textRuns.append(run)
  }

  /// Returns, for each run but the last, the rows that are live and that no later run covers.
  private func visibleRows(_ readers: [TextRunReader]) -> (Int, Int) -> ChunkBitmap? {
    var covered: [TextRows] = []
    var later = TextRows(chunkCount: table.chunkCount)
    for reader in readers.dropFirst().reversed() {
      reader.forEachGroup(of: []) { later.insert($0) }
      var copy = TextRows(chunkCount: table.chunkCount)
      copy.formUnion(later)
      covered.insert(copy, at: 0)
    }
    // Every word asks for the chunks of its rows. A mask of nil is kept as well.
    var masks: [[Int: ChunkBitmap?]] = Array(repeating: [:], count: covered.count)
    return { [table] run, chunk in
      guard run < covered.count, chunk < table.chunkCount else { return nil }
      if let known = masks[run][chunk] { return known }
      let mask = Self.mask(table.liveRowBitmap(ofChunk: chunk), covered[run].bitmaps[chunk])
      masks[run].updateValue(mask, forKey: chunk)
      return mask
    }
  }

  /// Returns the live rows that are not hidden; nil for all rows.
  private static func mask(
    _ live: UnsafePointer<UInt64>?, _ hidden: ChunkBitmap?
  ) -> ChunkBitmap? {
    guard live != nil || hidden != nil else { return nil }
    let visible = ChunkBitmap(copying: live)
    if live == nil { visible.setFirst(ChunkShape.rows) }
    if let hidden { visible.remove(hidden.words) }
    return visible
  }
}

extension Table {
  /// Adds a row and its text to a draft.
  ///
  /// - Parameter newKey: The key of the row in the draft; nil for its own.
  func addText(_ position: Int, at key: Int, as newKey: Int? = nil, to draft: TextDraft) {
    let chunk = column(position).chunk(forRow: key)
    let row = RowAddress(key).row
    draft.add(newKey ?? key, text: chunk.isNull(row) ? nil : chunk.bytes(at: row))
  }
}
