import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem
import CairnValues

/// The rows with a location in a region, found by the R-tree's runs.
final class SpatialSource {
  let region: Region
  let index: SpatialIndex?
  private let table: Table
  private let column: Column
  let runs: [BaseRunReader]
  private var cachedExtra: [Int]?

  init(_ table: Table, column: Column, region: Region, index: SpatialIndex?) {
    self.table = table
    self.column = column
    self.region = region
    self.index = index
    runs = index?.baseRuns.map(BaseRunReader.init) ?? []
  }

  /// The run that covers rows of the chunk.
  func run(ofChunk chunk: Int) -> BaseRunReader? {
    let first = chunk << ChunkShape.shift
    for run in runs where run.rows.contains(first) { return run }
    return nil
  }

  /// The estimated number of rows from the runs. It is exact in the upper levels of the trees and
  /// does bounded work.
  var estimate: Int {
    guard let index else { return table.liveCount }
    let inBaseRuns = index.baseRuns.reduce(0) { $0 + $1.tree.estimate(region) }
    return index.deltaRuns.reduce(inBaseRuns + index.pending.count) {
      $0 + $1.tree.estimate(region)
    }
  }

  /// The matching rows that no base run covers, in ascending order. It reads the trees of delta
  /// runs, so the first call must come from the snapshot's own thread.
  var extra: [Int] {
    if let cachedExtra { return cachedExtra }
    assert(!SharedWork.isRunning, "delta runs are searched before threads share the result")
    let keys = gatherExtra()
    cachedExtra = keys
    return keys
  }

  private func gatherExtra() -> [Int] {
    guard let index, !(index.deltaRuns.isEmpty && index.pending.isEmpty) else { return [] }
    var keys: [Int] = []
    for run in index.deltaRuns {
      run.tree.search(region) { (match: RTree.Match) -> Void in
        switch match {
        case .range(let positions):
          for position in positions { append(run, at: position, index: index, keys: &keys) }
        case .leaf(let leaf, var bits):
          while bits != 0 {
            append(run, at: leaf << 6 | bits.trailingZeroBitCount, index: index, keys: &keys)
            bits &= bits &- 1
          }
        }
      }
    }
    for key in index.pending where table.isLive(key) && holds(key) { keys.append(key) }
    return keys.sortedUnique()
  }

  private func append(
    _ run: SpatialIndex.DeltaRun, at position: Int, index: SpatialIndex, keys: inout [Int]
  ) {
    let key = run.key(at: position)
    if index.deltaMayBeStale {
      let point = run.tree.point(at: position)
      guard
        index.isCurrent(
          key: key, longitude: point.longitude, latitude: point.latitude, in: table,
          column.schema.position)
      else { return }
    }
    keys.append(key)
  }

  /// Whether the row has a location in the region.
  private func holds(_ key: Int) -> Bool {
    let chunk = column.chunk(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    guard !chunk.isRowNull(row) else { return false }
    let point = chunk.position(at: row)
    return region.contains(longitude: point.longitude, latitude: point.latitude)
  }

  /// The number of rows within the region, without other conditions. Ranges count by their length.
  func count() -> Int {
    guard let index else { return 0 }
    var total = 0
    for run in runs { total += run.count(region) }
    if !index.deltaMayBeStale, index.pending.isEmpty {
      for run in index.deltaRuns { total += run.tree.count(in: region) }
      return total
    }
    return total + extra.count
  }

  /// The number of rows from the index, and the number of points tested one by one to find them.
  func candidates() -> (rows: Int, tested: Int) {
    var tested = index?.pending.count ?? 0
    var rows = extra.count
    for tree in runs.map(\.run.tree) {
      tree.search(region) { (match: RTree.Match) -> Void in
        switch match {
        case .range(let positions): rows += positions.count
        case .leaf(_, let bits):
          rows += bits.nonzeroBitCount
          tested += 64
        }
      }
    }
    return (rows, tested)
  }

  /// Resolves the data that other threads will read, on the snapshot's own thread.
  func prepare(_ chunks: [Int]) {
    for run in runs { run.prepare(chunks) }
  }
}

/// A base run with cached bitmaps of its deleted rows.
final class BaseRunReader {
  let run: SpatialIndex.BaseRun
  let rows: Range<Int>
  private let hasDeletedRows: Bool
  /// The bitmaps by chunk, for the chunks passed to `prepare`.
  private var cachedBitmaps: [Int: UnsafePointer<UInt64>?] = [:]

  init(_ run: SpatialIndex.BaseRun) {
    self.run = run
    rows = run.rows
    hasDeletedRows = run.hasDeletedRows
  }

  /// The chunks that contain rows of the run.
  var chunks: Range<Int> {
    rows.lowerBound >> ChunkShape.shift..<(rows.upperBound + ChunkShape.rows - 1)
      >> ChunkShape.shift
  }

  /// The bits of the chunk's rows that the run does not cover. Valid as long as the snapshot.
  func uncovered(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDeletedRows else { return nil }
    return cachedBitmaps[chunk] ?? run.tombstones(chunk: chunk)
  }

  func prepare(_ chunks: [Int]) {
    guard hasDeletedRows else { return }
    for chunk in chunks { cachedBitmaps[chunk] = .some(run.tombstones(chunk: chunk)) }
  }

  /// The number of the run's rows within the region.
  func count(_ region: Region) -> Int {
    guard hasDeletedRows else { return run.tree.count(in: region) }
    var total = 0
    run.tree.search(region) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let positions):
        let hits =
          (positions.lowerBound + rows.lowerBound)..<(positions.upperBound + rows.lowerBound)
        total += hits.count - run.deletedCount(in: hits)
      case .leaf(let leaf, let bits):
        let row = rows.lowerBound + leaf << 6
        let uncoveredBits =
          uncovered(row >> ChunkShape.shift)?[row >> 6 & (ChunkShape.words - 1)] ?? 0
        total += (bits & ~uncoveredBits).nonzeroBitCount
      }
    }
    return total
  }

  /// Sets the bits of one chunk's rows that lie in the region, including deleted ones.
  func select(_ region: Region, chunk: Int, into words: UnsafeMutablePointer<UInt64>) {
    let first = chunk << ChunkShape.shift - rows.lowerBound
    let positions = first..<min(first + ChunkShape.rows, rows.count)
    run.tree.search(region, in: positions) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let hits):
        assert(hits.upperBound - first <= ChunkShape.rows, "a row is outside of the chunk")
        words.setBits(hits.lowerBound - first..<hits.upperBound - first)
      case .leaf(let leaf, let bits):
        assert(
          leaf - first >> 6 >= 0 && leaf - first >> 6 < ChunkShape.words,
          "a leaf is outside of the chunk")
        words[leaf - first >> 6] |= bits
      }
    }
  }
}
