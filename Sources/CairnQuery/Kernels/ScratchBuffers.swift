import CairnStorage
import CairnSystem

/// The scratch memory of one thread for working through chunks: bitmaps, and space for one chunk's
/// tables. It is reused from chunk to chunk, so that no row and no chunk allocates.
final class ScratchBuffers {
  /// The time at which the scan ends; nil for scans without a limit.
  let deadline: QueryDeadline?
  /// 64 bytes for kernels. Valid while the buffers exist, like all of their memory.
  let bytes: UnsafeMutablePointer<UInt8>
  /// 64 integers for each of two columns. Valid while the buffers exist.
  let integers: UnsafeMutablePointer<Int64>
  /// 64 doubles for each of two columns. Valid while the buffers exist.
  let doubles: UnsafeMutablePointer<Double>
  private var bitmaps: [UnsafeMutablePointer<UInt64>] = []
  private var lent = 0
  private var cachedMarks: UnsafeMutablePointer<UInt8>?
  private var cachedSortKeys: UnsafeMutablePointer<UInt64>?
  private var cachedEntryNumbers: UnsafeMutablePointer<UInt16>?
  /// The entries of dictionaries, for those who number them.
  let entries = DistinctBytes()

  /// The number of chunks that zone maps excluded.
  var chunksSkipped = 0
  /// The number of chunks that were read.
  var chunksVisited = 0
  /// Whether the rows came from a best-first traversal of the R-tree.
  var isBestFirst = false
  /// The number of rows that reached the residual conditions.
  var candidates = 0
  /// The number of geometries that their boxes did not decide.
  var exactTests = 0

  init(deadline: QueryDeadline? = nil) {
    self.deadline = deadline
    bytes = .allocate(capacity: 64)
    integers = .allocate(capacity: 128)
    doubles = .allocate(capacity: 128)
  }

  deinit {
    bytes.deallocate()
    integers.deallocate()
    doubles.deallocate()
    for bitmap in bitmaps { bitmap.deallocate() }
    cachedMarks?.deallocate()
    cachedSortKeys?.deallocate()
    cachedEntryNumbers?.deallocate()
  }

  /// Whether the scan has to end before it is complete.
  var isStopped: Bool { deadline?.isPassed ?? false }

  /// Adds the counters of another thread.
  func add(_ other: ScratchBuffers) {
    chunksSkipped += other.chunksSkipped
    chunksVisited += other.chunksVisited
    candidates += other.candidates
    exactTests += other.exactTests
  }

  /// Lends a bitmap of 64 words with undefined content. Valid until `returnBitmap()`.
  func borrowBitmap() -> UnsafeMutablePointer<UInt64> {
    if lent == bitmaps.count { bitmaps.append(.allocate(capacity: ChunkShape.words)) }
    lent += 1
    return bitmaps[lent - 1]
  }

  /// Takes back the bitmap lent last.
  func returnBitmap() {
    assert(lent > 0, "no bitmap is lent")
    lent -= 1
  }

  /// A mark for each of up to 4096 dictionary entries. Valid while the buffers exist.
  var marks: UnsafeMutablePointer<UInt8> {
    if let cachedMarks { return cachedMarks }
    let made = UnsafeMutablePointer<UInt8>.allocate(capacity: ChunkShape.rows)
    cachedMarks = made
    return made
  }

  /// A key for each of up to 4096 rows. It shares its memory with `sortKeys`. Valid while the buffers
  /// exist.
  var keys: UnsafeMutablePointer<Int> {
    UnsafeMutableRawPointer(sortKeys).assumingMemoryBound(to: Int.self)
  }

  /// A sort key for each of up to 4096 rows. Valid while the buffers exist.
  var sortKeys: UnsafeMutablePointer<UInt64> {
    if let cachedSortKeys { return cachedSortKeys }
    let made = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.rows)
    cachedSortKeys = made
    return made
  }

  /// A number for each of up to 4096 entries of two dictionaries. Valid while the buffers exist.
  var entryNumbers: UnsafeMutablePointer<UInt16> {
    if let cachedEntryNumbers { return cachedEntryNumbers }
    let made = UnsafeMutablePointer<UInt16>.allocate(capacity: 2 * ChunkShape.rows)
    // The code of a null row can lie outside of an empty dictionary.
    made.initialize(repeating: 0, count: 2 * ChunkShape.rows)
    cachedEntryNumbers = made
    return made
  }
}
