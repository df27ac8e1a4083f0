import CairnStorage

/// Which rows of a class live, once `prepare` was called for any thread to ask.
final class LiveRows: @unchecked Sendable {
  private let table: Table
  let end: Int
  let hasDead: Bool
  /// By chunk, as far as they were asked for; nil inside: all of its rows live.
  private var words: [UnsafePointer<UInt64>??]

  init(_ table: Table) {
    self.table = table
    end = table.endKey
    hasDead = table.liveCount < end
    words = hasDead ? Array(repeating: .none, count: table.chunkCount) : []
  }

  /// The bits of a chunk's live rows; nil: all of them.
  func bits(_ chunk: Int) -> UnsafePointer<UInt64>? {
    guard hasDead else { return nil }
    if let known = words[chunk] { return known }
    let found = table.liveness(ofChunk: chunk)
    words[chunk] = .some(found)
    return found
  }

  /// Whether the row exists and lives.
  @inline(__always)
  func holds(_ key: Int) -> Bool {
    guard UInt(bitPattern: key) < UInt(bitPattern: end) else { return false }
    guard hasDead else { return true }
    guard let bits = bits(key >> ChunkShape.shift) else { return true }
    let row = key & (ChunkShape.rows - 1)
    return bits[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Resolves every chunk on the snapshot's own thread.
  func prepare() {
    for chunk in words.indices { _ = bits(chunk) }
  }
}
