/// The rows that a base run no longer covers, with prefix sums, so that the rows of a subtree are
/// counted without a visit.
package struct TombstoneBitmap {
  private let chunks: [Int]
  /// The number of deleted rows before `chunks[i]`; one element longer than `chunks`.
  private let before: [Int]
  private let stored: (Int) -> UnsafePointer<UInt64>?
  private let edited: [Int: ChunkBitmap]

  /// Whether the run still covers all of its rows.
  package var isEmpty: Bool { chunks.isEmpty }

  /// - Parameter touched: rows that later edits removed from the run.
  init(
    _ run: SpatialRun, table: UInt32, column: UInt16, in transaction: LMDBTransaction,
    also touched: RowBitmaps
  ) {
    let stored = { (chunk: Int) in
      transaction.bitmap(.runTombstones(table, column: column, run: run.id, chunk: chunk))
    }
    var edited: [Int: ChunkBitmap] = [:]
    let rows = run.firstRow..<run.firstRow + run.count
    for chunk in touched.chunks {
      guard let more = touched.rows(ofChunk: chunk, in: rows) else { continue }
      let words = ChunkBitmap(copying: stored(chunk))
      words.add(more.words)
      edited[chunk] = words
    }
    var counts = Dictionary(uniqueKeysWithValues: run.deletedCounts.map { ($0.chunk, $0.count) })
    for (chunk, words) in edited { counts[chunk] = words.count }
    chunks = counts.keys.sorted()
    var sums = [0]
    for chunk in chunks { sums.append(sums[sums.count - 1] + (counts[chunk] ?? 0)) }
    before = sums
    self.stored = stored
    self.edited = edited
  }

  /// Returns the bitmap of a chunk of the class, 64 words that are valid while this value and its
  /// snapshot are; nil if none of the rows is deleted.
  package func words(chunk: Int) -> UnsafePointer<UInt64>? {
    if chunks.isEmpty { return nil }
    if let words = edited[chunk] { return UnsafePointer(words.words) }
    let slot = index(of: chunk)
    guard slot < chunks.count, chunks[slot] == chunk else { return nil }
    return stored(chunk)
  }

  /// Returns the number of deleted rows among `rows` of the class.
  package func count(in rows: Range<Int>) -> Int {
    if chunks.isEmpty || rows.isEmpty { return 0 }
    return count(before: rows.upperBound) - count(before: rows.lowerBound)
  }

  private func count(before row: Int) -> Int {
    let chunk = RowAddress(row).chunk
    let whole = before[index(of: chunk)]
    let rest = RowAddress(row).row
    guard rest > 0, let words = words(chunk: chunk) else { return whole }
    var partial = 0
    for word in 0..<rest >> 6 { partial += words[word].nonzeroBitCount }
    let mask = (UInt64(1) << UInt64(rest & 63)) &- 1
    if rest & 63 != 0 { partial += (words[rest >> 6] & mask).nonzeroBitCount }
    return whole + partial
  }

  /// Returns the index of the first element of `chunks` that is not less than `chunk`.
  private func index(of chunk: Int) -> Int {
    partitionPoint(chunks.count) { chunks[$0] < chunk }
  }
}
