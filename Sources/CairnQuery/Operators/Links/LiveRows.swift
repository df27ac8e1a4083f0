import CairnStorage
import CairnSystem

/// The live rows of a class. After `prepare`, any thread may read them.
final class LiveRows {
  private let table: Table
  let end: Int
  let hasDeletedRows: Bool
  /// The bitmaps by chunk, as far as they were requested; nil inside if all rows of the chunk are
  /// live.
  private var words: [UnsafePointer<UInt64>??]

  init(_ table: Table) {
    self.table = table
    end = table.endKey
    hasDeletedRows = table.liveCount < end
    words = hasDeletedRows ? Array(repeating: .none, count: table.chunkCount) : []
  }

  /// The live-row bitmap of a chunk; nil if all of its rows are live. Valid as long as the snapshot.
  func bits(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDeletedRows else { return nil }
    if let cached = words[chunk] { return cached }
    assert(!SharedWork.isRunning, "live rows are resolved before threads share them")
    let found = table.liveRowBitmap(ofChunk: chunk)
    words[chunk] = .some(found)
    return found
  }

  /// Whether the row exists and is live.
  @inline(__always)
  func holds(_ key: Int) -> Bool {
    guard UInt(bitPattern: key) < UInt(bitPattern: end) else { return false }
    guard hasDeletedRows else { return true }
    guard let bits = bits(RowAddress(key).chunk) else { return true }
    let row = RowAddress(key).row
    return bits[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Resolves every chunk on the snapshot's own thread.
  func prepare() {
    for chunk in words.indices { _ = bits(chunk) }
  }
}

/// The memory for a selection of a single row, for code that follows links one by one.
final class OneRow {
  private let bitmap = ChunkBitmap()

  /// Runs the body with only the row of a key selected in its chunk.
  @inline(__always)
  func select(_ key: Int, body: (Selection) -> Void) {
    assert(key >= 0, "the row does not exist")
    let row = RowAddress(key).row
    var one = Selection(bitmap.words)
    one.add(row >> 6, bits: 1 << UInt64(row & 63))
    body(one)
    one.clear()
  }
}
