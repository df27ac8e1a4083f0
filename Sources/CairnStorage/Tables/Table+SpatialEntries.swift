extension SpatialEntry {
  /// Returns whether the row is live and still has this location or box.
  func isCurrent(in table: Table, _ position: Int) -> Bool {
    guard table.isLive(key) else { return false }
    let address = RowAddress(key)
    let chunk = table.column(position).chunk(address.chunk)
    return !chunk.isNull(address.row)
      && Self(Self.rows(of: chunk), at: address.row, key: key) == self
  }

  /// Returns the blocks of a delta run; nil if the store has lost some of them.
  static func blocks(of run: SpatialRun, in table: Table) -> [DeltaBlock<Self>]? {
    let count = ChunkShape.chunkCount(ofRows: run.count)
    let blocks = (0..<count).compactMap { block in
      DeltaBlock<Self>(
        table.transaction.get(
          .runEntries(table.id, column: run.column, run: run.id, block: block)))
    }
    return blocks.count == count ? blocks : nil
  }
}

extension Table {
  /// Returns the entries of the live rows among `keys`.
  func entries<Entry: SpatialEntry>(
    _ type: Entry.Type, _ position: Int, keys: Range<Int>
  ) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(keys.count)
    var start = keys.lowerBound
    while start < keys.upperBound {
      let index = RowAddress(start).chunk
      let end = min(keys.upperBound, RowAddress.firstKey(ofChunk: index + 1))
      let chunk = column(position).chunk(index)
      let rows = Entry.rows(of: chunk)
      let live = liveRowBitmap(ofChunk: index)
      for key in start..<end {
        let row = RowAddress(key).row
        if chunk.isNull(row) { continue }
        if let live, !live.isSet(row) { continue }
        entries.append(Entry(rows, at: row, key: key))
      }
      start = end
    }
    return entries
  }

  /// Returns the entries of the live rows of a set.
  func entries<Entry: SpatialEntry>(
    _ type: Entry.Type, _ position: Int, of keys: RowBitmaps
  ) -> [Entry] {
    var entries: [Entry] = []
    for index in keys.chunks {
      guard let live = keys.rows(ofChunk: index, in: 0..<endKey) else { continue }
      if let words = liveRowBitmap(ofChunk: index) { live.keep(words) }
      guard !live.isEmpty else { continue }
      let chunk = column(position).chunk(index)
      let rows = Entry.rows(of: chunk)
      live.forEach { row in
        guard !chunk.isNull(row) else { return }
        entries.append(Entry(rows, at: row, key: RowAddress.firstKey(ofChunk: index) + row))
      }
    }
    return entries
  }
}
