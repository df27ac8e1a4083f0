import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem

/// The rows that match a condition on a column of locations or boxes or have to be tested, found by the
/// runs of its R-tree.
final class SpatialSource<Entry: IndexedEntry, Condition: EntryCondition>
where Condition.Block == Entry.Block {
  let condition: Condition
  let index: SpatialIndex<Entry>?
  private(set) var runs: [BaseRunReader<Entry>]
  private let table: Table
  private let column: Column
  private var cachedEstimate: Int?
  private var cachedExtra: ExtraRows?
  private var cachedWords: [CandidateWord]?

  /// Creates a source.
  ///
  /// - Parameter column: The column of locations or boxes.
  init(_ table: Table, column: Column, condition: Condition) {
    self.table = table
    self.column = column
    self.condition = condition
    index = Entry.index(of: table, column.schema.position)
    runs = index?.baseRuns.map(BaseRunReader.init) ?? []
  }

  /// The run that covers rows of the chunk.
  func run(ofChunk chunk: Int) -> BaseRunReader<Entry>? {
    let first = RowAddress.firstKey(ofChunk: chunk)
    for run in runs where run.rows.contains(first) { return run }
    return nil
  }

  /// The numbers of base runs and delta runs.
  var runCounts: (base: Int, delta: Int) { (runs.count, index?.deltaRuns.count ?? 0) }

  /// The estimated number of rows that match or have to be tested. It is exact in the upper levels of
  /// the trees and does bounded work.
  var estimate: Int {
    if let cachedEstimate { return cachedEstimate }
    assert(!SharedWork.isRunning, "the plan is made before threads share it")
    guard let index else { return table.liveCount }
    let inRuns =
      index.baseRuns.reduce(0) { $0 + $1.tree.estimate(condition) }
      + index.deltaRuns.reduce(0) { $0 + $1.tree.estimate(condition) }
    cachedEstimate = inRuns + index.pending.count
    return inRuns + index.pending.count
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare(_ chunks: [Int]) {
    for index in runs.indices { runs[index].prepare(chunks) }
  }
}

// MARK: Rows outside of base runs

/// Rows that no base run covers, in ascending order.
struct ExtraRows {
  /// The rows that match.
  var sure: [Int] = []
  /// The rows that have to be tested. Some of them may be among those that match.
  var candidates: [Int] = []

  fileprivate mutating func add(_ key: Int, found: Containment) {
    switch found {
    case .disjoint: break
    case .contained: sure.append(key)
    case .intersecting: candidates.append(key)
    }
  }
}

extension SpatialSource {
  /// The rows that no base run covers. It reads the trees of delta runs, so the first call must come
  /// from the snapshot's own thread.
  var extra: ExtraRows {
    guard let index, !index.deltaRuns.isEmpty || !index.pending.isEmpty else { return ExtraRows() }
    if let cachedExtra { return cachedExtra }
    assert(!SharedWork.isRunning, "delta runs are searched before threads share the result")
    var rows = gatherExtra(of: index)
    rows.sure = rows.sure.sortedUnique()
    rows.candidates = rows.candidates.sortedUnique()
    cachedExtra = rows
    return rows
  }

  private func gatherExtra(of index: SpatialIndex<Entry>) -> ExtraRows {
    var rows = ExtraRows()
    for run in index.deltaRuns {
      func add(_ position: Int, found: Containment) {
        if index.deltaMayBeStale,
          !index.isCurrent(position, of: run, in: table, column.schema.position)
        {
          return
        }
        rows.add(run.keys[position], found: found)
      }
      run.tree.forEachMatch(of: condition) { match in
        switch match {
        case .range(let positions): for position in positions { add(position, found: .contained) }
        case .leaf(let leaf, let found):
          found.sure.forEachBit { add(leaf << 6 | $0, found: .contained) }
          found.candidates.forEachBit { add(leaf << 6 | $0, found: .intersecting) }
        }
      }
    }
    for key in index.pending where table.isLive(key) {
      let (chunk, row) = (column.chunk(RowAddress(key).chunk), RowAddress(key).row)
      if chunk.isRowNull(row) { continue }
      rows.add(key, found: condition.classify(row, of: Entry.rows(of: chunk)))
    }
    return rows
  }
}

// MARK: Locations

extension SpatialSource<PointEntry, Region> {
  /// The number of rows within the region, without other conditions. Ranges count by their length.
  func count() -> Int {
    guard let index else { return 0 }
    var total = 0
    for run in runs { total += run.count(condition) }
    if !index.deltaMayBeStale, index.pending.isEmpty {
      for run in index.deltaRuns { total += run.tree.count(condition).sure }
      return total
    }
    return total + extra.sure.count
  }

  /// The number of rows from the index, and the number of points tested one by one to find them.
  func candidates() -> (rows: Int, tested: Int) {
    var tested = index?.pending.count ?? 0
    var rows = extra.sure.count
    for tree in runs.map(\.run.tree) {
      tree.forEachMatch(of: condition) { match in
        switch match {
        case .range(let positions): rows += positions.count
        case .leaf(_, let found):
          rows += found.sure.nonzeroBitCount
          tested += TreeNodes.leafSize
        }
      }
    }
    return (rows, tested)
  }
}

// MARK: Geometries

/// The rows 64 * index + i of a table. No bit is set in both bitmaps.
struct CandidateWord {
  var index: Int
  /// The rows that match.
  var sure: UInt64 = 0
  /// The rows whose geometries have to be tested.
  var candidates: UInt64 = 0

  /// The chunk of the rows.
  var chunk: Int { index * 64 / ChunkShape.rows }
}

extension SpatialSource<BoxEntry, BoxCondition> {
  /// The rows in ascending order, without empty words. It searches the trees, so the first call
  /// must come from the snapshot's own thread.
  var words: [CandidateWord] {
    if let cachedWords { return cachedWords }
    assert(!SharedWork.isRunning, "the tree is searched before threads share the result")
    var words: [CandidateWord] = []
    for run in runs { run.append(condition, to: &words) }
    let extra = extra
    for key in extra.sure { words.append(CandidateWord(index: key >> 6, sure: .bit(of: key))) }
    for key in extra.candidates {
      words.append(CandidateWord(index: key >> 6, candidates: .bit(of: key)))
    }
    if !extra.sure.isEmpty || !extra.candidates.isEmpty { words.mergeRows() }
    cachedWords = words
    return words
  }

  /// The number of rows that match or have to be tested.
  var rowCount: Int {
    words.reduce(0) { $0 + ($1.sure | $1.candidates).nonzeroBitCount }
  }

  /// The words of a range of chunks.
  func words(in chunks: Range<Int>) -> ArraySlice<CandidateWord> {
    let words = words
    return words[words.first(from: chunks.lowerBound)..<words.first(from: chunks.upperBound)]
  }
}

extension [CandidateWord] {
  /// The index of the first word from a chunk on.
  fileprivate func first(from chunk: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) >> 1
      if self[middle].chunk < chunk { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Sorts the words, and merges those of the same rows.
  fileprivate mutating func mergeRows() {
    sort { $0.index < $1.index }
    var end = 0
    for word in self {
      if end > 0, self[end - 1].index == word.index {
        self[end - 1].sure |= word.sure
        self[end - 1].candidates =
          (self[end - 1].candidates | word.candidates) & ~self[end - 1].sure
      } else {
        self[end] = word
        end += 1
      }
    }
    removeSubrange(end...)
  }
}

extension UInt64 {
  /// The bit of a row in its word.
  fileprivate static func bit(of key: Int) -> UInt64 { 1 << UInt64(key & 63) }

  /// Calls `body` with the index of each bit that is set.
  @inline(__always)
  fileprivate func forEachBit(_ body: (Int) -> Void) {
    var bits = self
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }
}
