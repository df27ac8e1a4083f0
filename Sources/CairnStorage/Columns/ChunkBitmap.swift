/// An editable bitmap over a chunk.
package final class ChunkBitmap {
  /// The 64 words, valid while the bitmap lives.
  package let words = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

  /// Copies a bitmap; nil makes one without set bits.
  package init(copying source: UnsafePointer<UInt64>? = nil) {
    if let source {
      words.initialize(from: source, count: ChunkShape.words)
    } else {
      words.initialize(repeating: 0, count: ChunkShape.words)
    }
  }

  deinit { words.deallocate() }

  /// Sets the bit of a row.
  func mark(_ row: Int) {
    assert(row >= 0 && row < ChunkShape.rows, "a chunk has up to 4096 rows")
    words[row >> 6] |= 1 << UInt64(row & 63)
  }

  /// Clears the bit of a row.
  func clear(_ row: Int) {
    assert(row >= 0 && row < ChunkShape.rows, "a chunk has up to 4096 rows")
    words[row >> 6] &= ~(1 << UInt64(row & 63))
  }

  /// Sets the bits of the first rows, and clears the others.
  func setFirst(_ count: Int) {
    assert(count >= 0 && count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    words.update(repeating: ~0, count: ChunkShape.words)
    keep(rows: 0, count)
  }

  /// The number of set bits.
  var count: Int {
    var count = 0
    for word in 0..<ChunkShape.words where words[word] != 0 { count += words[word].nonzeroBitCount }
    return count
  }

  /// Whether no bit is set.
  var isEmpty: Bool { (0..<ChunkShape.words).allSatisfy { words[$0] == 0 } }

  /// Sets the bits that are set in `others`.
  func add(_ others: UnsafePointer<UInt64>) {
    for word in 0..<ChunkShape.words { words[word] |= others[word] }
  }

  /// Keeps the bits that are also set in `others`.
  func keep(_ others: UnsafePointer<UInt64>) {
    for word in 0..<ChunkShape.words { words[word] &= others[word] }
  }

  /// Clears the bits that are set in `others`.
  func remove(_ others: UnsafePointer<UInt64>) {
    for word in 0..<ChunkShape.words { words[word] &= ~others[word] }
  }

  /// Clears all bits except for `count` rows from `first` on.
  func keep(rows first: Int, _ count: Int) {
    for word in 0..<ChunkShape.words {
      let start = min(max(first - word << 6, 0), 64)
      let end = min(max(first + count - word << 6, 0), 64)
      let below: (Int) -> UInt64 = { $0 == 64 ? ~0 : 1 << UInt64($0) - 1 }
      words[word] &= below(end) & ~below(start)
    }
  }

  /// Calls `body` with the rows whose bits are set, in rising order. It may clear the row's bit.
  func forEach(_ body: (Int) -> Void) {
    for word in 0..<ChunkShape.words {
      var bits = words[word]
      while bits != 0 {
        let row = word << 6 | bits.trailingZeroBitCount
        bits &= bits &- 1
        body(row)
      }
    }
  }

  /// Clears the bits of rows for which the test is true.
  func unmark(where test: (Int) -> Bool) { forEach { if test($0) { clear($0) } } }

  /// The bitmap as it is stored: padded so that LMDB aligns it.
  var padded: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: ChunkShape.minimumSize)
    bytes.withUnsafeMutableBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: words, count: ChunkShape.words * 8))
    }
    return bytes
  }
}

extension UnsafePointer where Pointee == UInt64 {
  /// Returns whether the bit of a row is set in a bitmap over a chunk.
  @inline(__always)
  func isSet(_ row: Int) -> Bool {
    assert(row >= 0 && row < ChunkShape.rows, "a chunk has up to 4096 rows")
    return self[row >> 6] >> UInt64(row & 63) & 1 != 0
  }
}

extension UnsafeMutablePointer where Pointee == UInt64 {
  /// Returns whether the bit of a row is set in a bitmap over a chunk.
  @inline(__always)
  func isSet(_ row: Int) -> Bool { UnsafePointer(self).isSet(row) }
}

/// The changed rows of one chunk, as one bitmap for each changed column.
final class DirtyRowBitmaps {
  /// The bitmaps, unordered.
  private(set) var columns: [(column: UInt16, rows: ChunkBitmap)] = []

  /// Returns the editable bitmap of a column.
  func rows(of column: UInt16) -> ChunkBitmap {
    if let known = columns.first(where: { $0.column == column }) { return known.rows }
    let made = ChunkBitmap()
    columns.append((column, made))
    return made
  }
}
