import CairnIndex
import CairnStorage

/// A base run with cached bitmaps of its deleted rows.
struct BaseRunReader<Entry: SpatialEntry> {
  let run: SpatialIndex<Entry>.BaseRun
  let rows: Range<Int>
  private let hasDeletedRows: Bool
  /// The bitmaps by chunk, for the chunks passed to `prepare`.
  private var cachedBitmaps: [Int: UnsafePointer<UInt64>?] = [:]

  init(_ run: SpatialIndex<Entry>.BaseRun) {
    self.run = run
    rows = run.rows
    hasDeletedRows = !run.tombstones.isEmpty
  }

  /// The chunks that contain rows of the run.
  var chunks: Range<Int> {
    RowAddress(rows.lowerBound).chunk..<ChunkShape.chunkCount(ofRows: rows.upperBound)
  }

  /// The bits of the chunk's rows that the run does not cover. Valid as long as the snapshot.
  func uncovered(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDeletedRows else { return nil }
    return cachedBitmaps[chunk] ?? run.tombstones.words(chunk: chunk)
  }

  /// The bits of a leaf's rows that the run does not cover.
  func uncovered(leaf: Int) -> UInt64 {
    let word = rows.lowerBound >> 6 + leaf
    return uncovered(word / ChunkShape.words)?[word & (ChunkShape.words - 1)] ?? 0
  }

  /// The number of rows at some positions that the run does not cover.
  func uncoveredCount(_ positions: Range<Int>) -> Int {
    guard hasDeletedRows else { return 0 }
    return run.tombstones.count(
      in: positions.lowerBound + rows.lowerBound..<positions.upperBound + rows.lowerBound)
  }

  mutating func prepare(_ chunks: [Int]) {
    guard hasDeletedRows else { return }
    for chunk in chunks { cachedBitmaps[chunk] = .some(run.tombstones.words(chunk: chunk)) }
  }

  /// The number of the run's rows that match a condition for certain.
  func count<Condition: EntryCondition>(
    _ condition: Condition
  ) -> Int where Condition.Block == Entry.Block {
    guard hasDeletedRows else { return run.tree.count(condition).sure }
    var total = 0
    run.tree.forEachMatch(of: condition) { match in
      switch match {
      case .range(let positions): total += positions.count - uncoveredCount(positions)
      case .leaf(let leaf, let found):
        total += (found.sure & ~uncovered(leaf: leaf)).nonzeroBitCount
      }
    }
    return total
  }

  /// Sets the bits of one chunk's rows that match a condition for certain, including deleted ones.
  func select<Condition: EntryCondition>(
    _ condition: Condition, chunk: Int, into words: UnsafeMutablePointer<UInt64>
  ) where Condition.Block == Entry.Block {
    let first = RowAddress.firstKey(ofChunk: chunk) - rows.lowerBound
    let positions = first..<min(first + ChunkShape.rows, rows.count)
    run.tree.forEachMatch(of: condition, in: positions) { match in
      switch match {
      case .range(let hits):
        assert(hits.upperBound - first <= ChunkShape.rows, "a row is outside of the chunk")
        words.setBits(hits.lowerBound - first..<hits.upperBound - first)
      case .leaf(let leaf, let found):
        assert(
          leaf - first >> 6 >= 0 && leaf - first >> 6 < ChunkShape.words,
          "a leaf is outside of the chunk")
        words[leaf - first >> 6] |= found.sure
      }
    }
  }

  /// Appends the run's rows that match a condition or have to be tested, in ascending order.
  func append<Condition: EntryCondition>(
    _ condition: Condition, to words: inout [CandidateWord]
  ) where Condition.Block == Entry.Block {
    run.tree.forEachMatch(of: condition) { match in
      switch match {
      case .leaf(let leaf, let found): append(leaf, found, to: &words)
      case .range(let positions):
        var start = positions.lowerBound
        while start < positions.upperBound {
          let end = min(positions.upperBound, (start | 63) + 1)
          let bits = UInt64.bits(from: start & 63) & ~UInt64.bits(from: end - start & ~63)
          append(start >> 6, LeafMatches(sure: bits), to: &words)
          start = end
        }
      }
    }
  }

  private func append(_ leaf: Int, _ found: LeafMatches, to words: inout [CandidateWord]) {
    let covered = ~uncovered(leaf: leaf)
    let word = CandidateWord(
      index: rows.lowerBound >> 6 + leaf, sure: found.sure & covered,
      candidates: found.candidates & covered)
    if word.sure | word.candidates != 0 { words.append(word) }
  }
}
