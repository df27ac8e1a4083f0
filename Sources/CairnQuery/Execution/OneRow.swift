import CairnStorage

/// Room for a selection of a single row, for those who follow links one by one.
final class OneRow {
  private let bitmap = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

  init() { bitmap.initialize(repeating: 0, count: ChunkShape.words) }

  deinit { bitmap.deallocate() }

  /// Runs the body with the row of a key selected in its chunk, and no other.
  @inline(__always)
  func select(_ key: Int, _ body: (Selection) -> Void) {
    let row = key & (ChunkShape.rows - 1)
    var one = Selection(bitmap)
    one.add(row >> 6, 1 << UInt64(row & 63))
    body(one)
    one.clear()
  }
}
