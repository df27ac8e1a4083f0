import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem

extension GeometryMatcher: BoxCondition {}

/// The rows whose geometries match a condition or have to be tested, found by an R-tree over boxes.
final class BoxSource {
  /// The rows 64 * index + i of a table. No bit is set in both bitmaps.
  struct Word {
    var index: Int
    /// The rows that match.
    var sure: UInt64
    /// The rows whose geometries have to be tested.
    var candidates: UInt64

    /// The chunk of the rows.
    var chunk: Int { index * 64 / ChunkShape.rows }
  }

  let index: BoxIndex?
  private let table: Table
  private let column: Column
  private let matcher: GeometryMatcher
  private var cachedWords: [Word]?
  private var cachedEstimate: Int?

  /// Creates a source.
  ///
  /// - Parameter column: The column of boxes.
  init(_ table: Table, column: Column, matcher: GeometryMatcher) {
    self.table = table
    self.column = column
    self.matcher = matcher
    index = table.boxIndex(column.schema.position)
  }

  /// The estimated number of rows that match or have to be tested.
  var estimate: Int {
    if let cachedEstimate { return cachedEstimate }
    assert(!SharedWork.isRunning, "the plan is made before threads share it")
    guard let index else { return table.liveCount }
    let inRuns =
      index.baseRuns.reduce(0) { $0 + $1.tree.estimate(matcher) }
      + index.deltaRuns.reduce(0) { $0 + $1.tree.estimate(matcher) }
    cachedEstimate = inRuns + index.pending.count
    return inRuns + index.pending.count
  }

  /// The rows in ascending order, without empty words. It searches the trees, so the first call
  /// must come from the snapshot's own thread.
  var words: [Word] {
    if let cachedWords { return cachedWords }
    assert(!SharedWork.isRunning, "the tree is searched before threads share the result")
    let found = gather()
    cachedWords = found
    return found
  }

  /// The number of rows that match or have to be tested.
  var rowCount: Int {
    words.reduce(0) { $0 + ($1.sure | $1.candidates).nonzeroBitCount }
  }

  /// The words of a range of chunks.
  func words(in chunks: Range<Int>) -> ArraySlice<Word> {
    let words = words
    return words[words.first(from: chunks.lowerBound)..<words.first(from: chunks.upperBound)]
  }

  private func gather() -> [Word] {
    guard let index else { return [] }
    var words: [Word] = []
    for run in index.baseRuns { append(run, to: &words) }
    let inBaseRuns = words.count
    for run in index.deltaRuns { append(run, of: index, to: &words) }
    for key in index.pending where table.isLive(key) {
      let (chunk, row) = (column.chunk(key >> ChunkShape.shift), key & (ChunkShape.rows - 1))
      if !chunk.isRowNull(row) {
        append(key, found: matcher.classify(chunk.rowBox(row)), to: &words)
      }
    }
    if words.count > inBaseRuns { words.mergeRows() }
    return words
  }

  private func append(_ run: BoxIndex.BaseRun, to words: inout [Word]) {
    let first = run.rows.lowerBound >> 6
    run.tree.search(matcher) { (match: BoxTree.Match) -> Void in
      switch match {
      case .leaf(let leaf, let sure, let candidates):
        append(Word(index: first + leaf, sure: sure, candidates: candidates), of: run, to: &words)
      case .range(let positions):
        var start = positions.lowerBound
        while start < positions.upperBound {
          let end = min(positions.upperBound, (start | 63) + 1)
          let bits = UInt64.bits(from: start & 63) & ~UInt64.bits(from: end - start & ~63)
          append(Word(index: first + start >> 6, sure: bits, candidates: 0), of: run, to: &words)
          start = end
        }
      }
    }
  }

  /// Appends rows that a base run still covers.
  private func append(_ word: Word, of run: BoxIndex.BaseRun, to words: inout [Word]) {
    var word = word
    if run.hasDeletedRows, let deleted = run.tombstones(chunk: word.chunk) {
      word.sure &= ~deleted[word.index & (ChunkShape.words - 1)]
      word.candidates &= ~deleted[word.index & (ChunkShape.words - 1)]
    }
    if word.sure | word.candidates != 0 { words.append(word) }
  }

  private func append(_ run: BoxIndex.DeltaRun, of index: BoxIndex, to words: inout [Word]) {
    func add(_ position: Int, found: Containment) {
      let key = run.key(at: position)
      guard
        index.isCurrent(
          key: key, box: run.box(at: position), in: table, column.schema.position)
      else { return }
      append(key, found: found, to: &words)
    }
    run.tree.search(matcher) { (match: BoxTree.Match) -> Void in
      switch match {
      case .range(let positions): for position in positions { add(position, found: .contained) }
      case .leaf(let leaf, let sure, let candidates):
        sure.forEachBit { add(leaf << 6 | $0, found: .contained) }
        candidates.forEachBit { add(leaf << 6 | $0, found: .intersecting) }
      }
    }
  }

  private func append(_ key: Int, found: Containment, to words: inout [Word]) {
    let bit: UInt64 = 1 << UInt64(key & 63)
    switch found {
    case .disjoint: break
    case .contained: words.append(Word(index: key >> 6, sure: bit, candidates: 0))
    case .intersecting: words.append(Word(index: key >> 6, sure: 0, candidates: bit))
    }
  }
}

extension [BoxSource.Word] {
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
  /// Calls `body` with the index of each bit that is set.
  fileprivate func forEachBit(_ body: (Int) -> Void) {
    var bits = self
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits &- 1
    }
  }
}
