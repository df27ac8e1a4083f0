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

/// A clustered run, with its dead bitmaps at hand.
final class ClusteredRun: @unchecked Sendable {
  let run: SpatialIndex.Clustered
  let rows: Range<Int>
  private let hasDead: Bool
  /// By chunk, for those that `prepare` was told of.
  private var deadWords: [Int: UnsafePointer<UInt64>?] = [:]

  init(_ run: SpatialIndex.Clustered) {
    self.run = run
    rows = run.rows
    hasDead = run.hasDead
  }

  /// The chunks that hold rows of the run.
  var chunks: Range<Int> {
    rows.lowerBound >> ChunkShape.shift
      ..< (rows.upperBound + ChunkShape.rows - 1) >> ChunkShape.shift
  }

  /// Bit set: the run does not speak for the row of that chunk of the table.
  func dead(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDead else { return nil }
    return deadWords[chunk] ?? run.dead(chunk: chunk)
  }

  func prepare(_ chunks: [Int]) {
    guard hasDead else { return }
    for chunk in chunks { deadWords[chunk] = .some(run.dead(chunk: chunk)) }
  }

  /// Rows of the run within the region.
  func count(_ region: Region) -> Int {
    guard hasDead else { return run.tree.count(in: region) }
    var total = 0
    run.tree.search(region) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let positions):
        let hits = (positions.lowerBound + rows.lowerBound)..<(positions.upperBound + rows.lowerBound)
        total += hits.count - run.deadCount(in: hits)
      case .leaf(let leaf, let bits):
        let row = rows.lowerBound + leaf << 6
        let mute = dead(row >> ChunkShape.shift)?[row >> 6 & (ChunkShape.words - 1)] ?? 0
        total += (bits & ~mute).nonzeroBitCount
      }
    }
    return total
  }

  /// Sets the bits of the rows of one chunk that lie in the region, dead ones included.
  func select(_ region: Region, chunk: Int, into words: UnsafeMutablePointer<UInt64>) {
    let first = chunk << ChunkShape.shift - rows.lowerBound
    let positions = first..<min(first + ChunkShape.rows, rows.count)
    run.tree.search(region, in: positions) { (match: RTree.Match) -> Void in
      switch match {
      case .range(let hits): words.setBits(hits.lowerBound - first..<hits.upperBound - first)
      case .leaf(let leaf, let bits): words[leaf - first >> 6] |= bits
      }
    }
  }
}

extension UnsafeMutablePointer<UInt64> {
  /// Sets a range of bits of a bitmap.
  func setBits(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = range.lowerBound >> 6
    let last = (range.upperBound - 1) >> 6
    let head: UInt64 = ~0 << UInt64(range.lowerBound & 63)
    let tail: UInt64 = ~0 >> UInt64(63 - (range.upperBound - 1) & 63)
    if first == last {
      self[first] |= head & tail
      return
    }
    self[first] |= head
    for word in first + 1..<last { self[word] = ~0 }
    self[last] |= tail
  }
}

extension [Int] {
  /// The same keys, rising, each once.
  func sortedWithoutRepeats() -> [Int] {
    guard count > 1 else { return self }
    var result: [Int] = []
    result.reserveCapacity(count)
    for key in sorted() where result.last != key { result.append(key) }
    return result
  }
}
