import CairnGeometry
import CairnIndex
import CairnStorage

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
    rows.lowerBound >> ChunkShape.shift..<(rows.upperBound + ChunkShape.rows - 1)
      >> ChunkShape.shift
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
        let hits =
          (positions.lowerBound + rows.lowerBound)..<(positions.upperBound + rows.lowerBound)
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
