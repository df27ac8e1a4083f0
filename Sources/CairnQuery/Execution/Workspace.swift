import CairnStorage

/// What one thread needs while it works through chunks: bitmaps, and room for one chunk's tables.
/// Reused from chunk to chunk, so that no row and no chunk allocates.
final class Workspace {
  /// 64 bytes for kernels.
  let bytes: UnsafeMutablePointer<UInt8>
  private var bitmaps: [UnsafeMutablePointer<UInt64>] = []
  private var lent = 0
  private var marksIfMade: UnsafeMutablePointer<UInt8>?
  private var ranksIfMade: UnsafeMutablePointer<UInt64>?

  /// Chunks that bounds alone excluded.
  var chunksSkipped = 0
  /// Chunks that were looked into.
  var chunksVisited = 0
  /// The rows came from a best-first walk of the R-tree.
  var isWalk = false
  /// Rows that came to the residual conditions.
  var candidates = 0

  init() {
    bytes = .allocate(capacity: 64)
  }

  deinit {
    bytes.deallocate()
    for bitmap in bitmaps { bitmap.deallocate() }
    marksIfMade?.deallocate()
    ranksIfMade?.deallocate()
  }

  /// Takes another's counters into account.
  func add(_ other: Workspace) {
    chunksSkipped += other.chunksSkipped
    chunksVisited += other.chunksVisited
    candidates += other.candidates
  }

  /// Lends a bitmap of 64 words, of which nothing is promised.
  func borrowBitmap() -> UnsafeMutablePointer<UInt64> {
    if lent == bitmaps.count { bitmaps.append(.allocate(capacity: ChunkShape.words)) }
    lent += 1
    return bitmaps[lent - 1]
  }

  /// Takes back the bitmap lent last.
  func returnBitmap() { lent -= 1 }

  /// A mark for each of up to 4096 dictionary entries.
  var marks: UnsafeMutablePointer<UInt8> {
    if let marksIfMade { return marksIfMade }
    let made = UnsafeMutablePointer<UInt8>.allocate(capacity: ChunkShape.rows)
    marksIfMade = made
    return made
  }

  /// A key for each of up to 4096 rows; the same memory as `ranks`.
  var keys: UnsafeMutablePointer<Int> {
    UnsafeMutableRawPointer(ranks).assumingMemoryBound(to: Int.self)
  }

  /// A rank for each of up to 4096 rows.
  var ranks: UnsafeMutablePointer<UInt64> {
    if let ranksIfMade { return ranksIfMade }
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)
    ranksIfMade = made
    return made
  }
}
