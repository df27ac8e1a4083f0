/// The rows of a clustered run that it does not speak for any more, with prefix sums, so that a
/// subtree is counted without a visit.
struct DeadMarks {
  private let chunks: [Int]
  /// Dead rows before `chunks[i]`; one longer than `chunks`.
  private let before: [Int]
  private let stored: (Int) -> UnsafePointer<UInt64>?
  private let edited: [Int: BitmapWords]

  var isEmpty: Bool { chunks.isEmpty }

  init(_ run: SpatialRun, in table: Table, column: ColumnSchema, also touched: Set<Int>) {
    let id = table.schema.id
    let stored = { [transaction = table.transaction] (chunk: Int) in
      transaction.get(.runDead(id, column.id, run.id, chunk: chunk))?.baseAddress?
        .assumingMemoryBound(to: UInt64.self)
    }
    var edited: [Int: BitmapWords] = [:]
    let rows = run.firstRow..<run.firstRow + run.count
    for key in touched where rows.contains(key) {
      let chunk = key >> ChunkShape.shift
      let words = edited[chunk] ?? BitmapWords(copying: stored(chunk))
      words.mark(key & (ChunkShape.rows - 1))
      edited[chunk] = words
    }
    var counts = Dictionary(uniqueKeysWithValues: run.dead.map { ($0.chunk, $0.count) })
    for (chunk, words) in edited { counts[chunk] = words.count }
    chunks = counts.keys.sorted()
    var sums = [0]
    for chunk in chunks { sums.append(sums[sums.count - 1] + (counts[chunk] ?? 0)) }
    before = sums
    self.stored = stored
    self.edited = edited
  }

  /// The bitmap of a chunk of the table; nil when no row of it is dead.
  func words(chunk: Int) -> UnsafePointer<UInt64>? {
    if chunks.isEmpty { return nil }
    if let words = edited[chunk] { return UnsafePointer(words.words) }
    let slot = index(of: chunk)
    guard slot < chunks.count, chunks[slot] == chunk else { return nil }
    return stored(chunk)
  }

  /// Dead rows among `rows` of the table.
  func count(in rows: Range<Int>) -> Int {
    if chunks.isEmpty || rows.isEmpty { return 0 }
    return count(before: rows.upperBound) - count(before: rows.lowerBound)
  }

  private func count(before row: Int) -> Int {
    let chunk = row >> ChunkShape.shift
    let whole = before[index(of: chunk)]
    let rest = row & (ChunkShape.rows - 1)
    guard rest > 0, let words = words(chunk: chunk) else { return whole }
    var partial = 0
    for word in 0..<rest >> 6 { partial += words[word].nonzeroBitCount }
    let mask = (UInt64(1) << UInt64(rest & 63)) &- 1
    if rest & 63 != 0 { partial += (words[rest >> 6] & mask).nonzeroBitCount }
    return whole + partial
  }

  /// The first of `chunks` that is not before `chunk`.
  private func index(of chunk: Int) -> Int {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle] < chunk { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A bitmap over a chunk that can be edited.
final class BitmapWords {
  let words = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

  init(copying source: UnsafePointer<UInt64>?) {
    if let source {
      words.initialize(from: source, count: ChunkShape.words)
    } else {
      words.initialize(repeating: 0, count: ChunkShape.words)
    }
  }

  deinit { words.deallocate() }

  func mark(_ row: Int) { words[row >> 6] |= 1 << UInt64(row & 63) }
  func clear(_ row: Int) { words[row >> 6] &= ~(1 << UInt64(row & 63)) }

  var count: Int { (0..<ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount } }
}
