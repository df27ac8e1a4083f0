import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// The rows of one location within one region, as the R-tree's runs give them.
final class SpatialSource: @unchecked Sendable {
  let region: Region
  let index: SpatialIndex?
  private let table: Table
  private let column: Column
  let runs: [ClusteredRun]
  private var extraIfGathered: [Int]?

  init(_ table: Table, _ column: Column, _ region: Region, _ index: SpatialIndex?) {
    self.table = table
    self.column = column
    self.region = region
    self.index = index
    runs = index?.clustered.map(ClusteredRun.init) ?? []
  }

  /// The run that speaks for rows of the chunk.
  func run(ofChunk chunk: Int) -> ClusteredRun? {
    let first = chunk << ChunkShape.shift
    for run in runs where run.rows.contains(first) { return run }
    return nil
  }

  /// Rows that the runs are expected to give: exact upper levels of the trees, bounded work.
  var estimate: Int {
    guard let index else { return table.liveCount }
    let clustered = index.clustered.reduce(0) { $0 + $1.tree.estimate(region) }
    return index.loose.reduce(clustered + index.pending.count) { $0 + $1.tree.estimate(region) }
  }

  /// Matching rows that no clustered run speaks for, rising. Reads the trees of loose runs, which
  /// only the snapshot's own thread may: the first call must come from there.
  var extra: [Int] {
    if let extraIfGathered { return extraIfGathered }
    let keys = gatherExtra()
    extraIfGathered = keys
    return keys
  }

  private func gatherExtra() -> [Int] {
    guard let index, !(index.loose.isEmpty && index.pending.isEmpty) else { return [] }
    var keys: [Int] = []
    for run in index.loose {
      run.tree.search(region) { (match: RTree.Match) -> Void in
        switch match {
        case .range(let positions):
          for position in positions { append(run, position, index, &keys) }
        case .leaf(let leaf, var bits):
          while bits != 0 {
            append(run, leaf << 6 | bits.trailingZeroBitCount, index, &keys)
            bits &= bits &- 1
          }
        }
      }
    }
    for key in index.pending where table.isLive(key) && holds(key) { keys.append(key) }
    return keys.sortedWithoutRepeats()
  }

  private func append(
    _ run: SpatialIndex.Loose, _ position: Int, _ index: SpatialIndex, _ keys: inout [Int]
  ) {
    let key = run.key(at: position)
    if index.looseMayBeStale {
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

  /// Rows within the region, when nothing else is asked: ranges count by their length.
  func count() -> Int {
    guard let index else { return 0 }
    var total = 0
    for run in runs { total += run.count(region) }
    if !index.looseMayBeStale, index.pending.isEmpty {
      for run in index.loose { total += run.tree.count(in: region) }
      return total
    }
    return total + extra.count
  }

  /// Rows that the index gives, and how many points were tested one by one to find them.
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

  /// Resolves on the snapshot's own thread what other threads will read.
  func prepare(_ chunks: [Int]) {
    for run in runs { run.prepare(chunks) }
  }
}
