import CairnStorage

/// The ranks of another class's rows by one key: a chunk is read through once when enough of its rows are asked for.
final class TargetRanks: @unchecked Sendable {
  /// Rows of the largest class whose ranks are kept, at 8 bytes each.
  private static let mostRows = 1 << 24
  /// Single rows of a chunk that cost about as much as all of them.
  private static let mostSingles = 64

  private let sort: SortColumn
  private let live: LiveRows
  private let chunkCount: Int
  /// By chunk; nil: not read through.
  private let ranks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
  /// How many single rows of each chunk were asked for.
  private var singles: [Int] = []
  /// Other threads may ask: nothing is added any more.
  private var isShared = false

  /// - Parameter live: the rows of the class.
  init(_ sort: SortColumn, _ live: LiveRows, chunkCount: Int) {
    self.sort = sort
    self.live = live
    self.chunkCount = chunkCount
    ranks = .allocate(capacity: max(1, chunkCount))
    ranks.initialize(repeating: nil, count: chunkCount)
  }

  deinit {
    for chunk in 0..<chunkCount { ranks[chunk]?.deallocate() }
    ranks.deallocate()
  }

  /// The ascending rank of a row of the class.
  @inline(__always)
  func rank(_ key: Int) -> UInt64 {
    if let known = ranks[key >> ChunkShape.shift] { return known[key & (ChunkShape.rows - 1)] }
    return single(key)
  }

  @inline(never)
  private func single(_ key: Int) -> UInt64 {
    if !isShared, live.end <= TargetRanks.mostRows {
      if singles.isEmpty { singles = Array(repeating: 0, count: chunkCount) }
      let chunk = key >> ChunkShape.shift
      singles[chunk] += 1
      if singles[chunk] > TargetRanks.mostSingles {
        fill(chunk)
        return rank(key)
      }
    }
    return sort.ascendingRank(key)
  }

  private func fill(_ chunk: Int) {
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ChunkShape.words) { words in
      guard let base = words.baseAddress else { return }
      var rows = Selection(base)
      rows.selectAll(min(ChunkShape.rows, live.end - chunk << ChunkShape.shift))
      sort.ascendingRanks(sort.column.chunk(chunk), chunk << ChunkShape.shift, rows, made)
    }
    ranks[chunk] = made
  }

  /// Makes ready for questions from other threads, on the snapshot's own; about `count` rows will be asked for.
  func prepare(_ count: Int) {
    sort.prepare(Array(0..<chunkCount))
    if live.end <= TargetRanks.mostRows, count >= live.end / 4 {
      let open = (0..<chunkCount).filter { ranks[$0] == nil }
      let parts = open.count < 8 ? 1 : min(open.count, WorkerPool.shared.width * 4)
      WorkerPool.shared.run(parts) { part in
        for place in open.count * part / parts..<open.count * (part + 1) / parts {
          fill(open[place])
        }
      }
    }
    isShared = true
  }
}
