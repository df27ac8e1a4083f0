import CairnStorage
import CairnSystem

/// One thread's work on a join by equal values.
final class KeyWalk {
  private let driver: KeyedSide
  private let table: KeyTable
  private let isOnce: Bool
  private let sink: any JoinSink
  private let words = KeyWords()
  private let scratch = ScratchBuffers()
  private var selection: Selection
  private let lookups = UnsafeMutablePointer<Lookup>.allocate(capacity: ChunkShape.rows)
  private let pairs = PairBatch()

  /// A row and the candidates that may have its word.
  private struct Lookup: BitwiseCopyable {
    let row: UInt32
    let start: UInt32
    let end: UInt32
    /// The word of the first candidate.
    var first: UInt64
  }

  /// - Parameter isOnce: Whether rows have only partners with greater keys.
  init(_ driver: KeyedSide, table: KeyTable, isOnce: Bool, sink: any JoinSink) {
    self.driver = driver
    self.table = table
    self.isOnce = isOnce
    self.sink = sink
    selection = Selection(scratch.borrowBitmap())
  }

  deinit { lookups.deallocate() }

  /// Finds the partners of a chunk's rows.
  func run(_ chunk: Int) {
    driver.read(chunk, rows: &selection, words: words)
    pairs.chunk = chunk
    for index in 0..<lookUp() { compare(lookups[index]) }
    flush()
  }

  /// Looks the rows up, in loops without branches, so that the processor fetches the memory of many at
  /// the same time. Returns the number of rows with candidates.
  private func lookUp() -> Int {
    let (words, lookups, table) = (words.all, lookups, table)
    var count = 0
    selection.forEachRow { row -> Void in
      let (start, end) = table.range(of: words[row])
      lookups[count] = Lookup(
        row: UInt32(truncatingIfNeeded: row), start: start, end: end, first: 0)
      count &+= start < end ? 1 : 0
    }
    for index in 0..<count {
      lookups[index].first = table.word(at: Int(lookups[index].start))
    }
    return count
  }

  @inline(__always)
  private func compare(_ lookup: Lookup) {
    let word = words.all[Int(lookup.row)]
    if lookup.first == word { append(lookup.row, lookup.start) }
    var candidate = lookup.start + 1
    while candidate < lookup.end {
      if table.word(at: Int(candidate)) == word { append(lookup.row, candidate) }
      candidate += 1
    }
  }

  @inline(__always)
  private func append(_ row: UInt32, _ candidate: UInt32) {
    if pairs.isFull { flush() }
    pairs.append(row, candidate)
  }

  /// Passes the pairs on whose values are equal.
  private func flush() {
    let keys = table.keys
    if isOnce { pairs.keep { key, candidate in keys[candidate] > key } }
    if !driver.isExact { driver.keepEqual(pairs, table.side, keys) }
    if pairs.count > 0 { sink.take(pairs) }
    pairs.removeAll()
  }
}

/// Pairs of rows of one chunk of the driver and their candidates, in order of the rows.
final class PairBatch {
  static let capacity = 4096

  /// The chunk of the rows.
  fileprivate(set) var chunk = 0
  /// The number of pairs.
  private(set) var count = 0
  private let rows = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
  private let candidates = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)

  deinit {
    rows.deallocate()
    candidates.deallocate()
  }

  fileprivate var isFull: Bool { count == Self.capacity }

  @inline(__always)
  fileprivate func append(_ row: UInt32, _ candidate: UInt32) {
    assert(count < Self.capacity, "the batch is full")
    rows[count] = UInt16(truncatingIfNeeded: row)
    candidates[count] = candidate
    count += 1
  }

  fileprivate func removeAll() { count = 0 }

  /// Calls `body` with the key of the driver and the candidate of every pair.
  @inline(__always)
  func forEach(_ body: (_ key: Int, _ candidate: Int) -> Void) {
    let first = RowAddress.firstKey(ofChunk: chunk)
    for pair in 0..<count { body(first | Int(rows[pair]), Int(candidates[pair])) }
  }

  /// Whether each row is in one pair only.
  var hasDistinctRows: Bool {
    for pair in 1..<max(1, count) where rows[pair] == rows[pair - 1] { return false }
    return true
  }

  /// Removes the pairs that do not pass a test.
  @inline(__always)
  func keep(where isIncluded: (_ key: Int, _ candidate: Int) -> Bool) {
    let first = RowAddress.firstKey(ofChunk: chunk)
    var kept = 0
    for pair in 0..<count where isIncluded(first | Int(rows[pair]), Int(candidates[pair])) {
      rows[kept] = rows[pair]
      candidates[kept] = candidates[pair]
      kept += 1
    }
    count = kept
  }
}
