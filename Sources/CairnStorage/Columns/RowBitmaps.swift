/// A set of rows, as one bitmap for each chunk that has some of them.
///
/// A commit may change millions of rows. Bitmaps collect them, join them and list them in rising
/// order without hashing or sorting the keys.
struct RowBitmaps {
  /// The bitmaps by chunk; none is empty.
  private var bitmaps: [Int: [UInt64]] = [:]

  /// Makes an empty set.
  init() {}

  /// Whether the set is empty.
  var isEmpty: Bool { bitmaps.isEmpty }

  /// The number of rows.
  var count: Int {
    bitmaps.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } }
  }

  /// The chunks that have rows of the set, in rising order.
  var chunks: [Int] { bitmaps.keys.sorted() }

  /// Adds a row.
  ///
  /// - Returns: Whether the set did not contain it.
  @discardableResult
  mutating func insert(_ key: Int) -> Bool {
    let row = RowAddress(key).row
    let bit = UInt64(1) << UInt64(row & 63)
    return update(RowAddress(key).chunk) { words in
      let isNew = words[row >> 6] & bit == 0
      words[row >> 6] |= bit
      return isNew
    }
  }

  /// Adds the rows of a chunk whose bits are set.
  mutating func insert(_ rows: ChunkBitmap, ofChunk chunk: Int) {
    guard !rows.isEmpty else { return }
    update(chunk) { words in
      for word in words.indices { words[word] |= rows.words[word] }
    }
  }

  /// Adds the rows of another set.
  mutating func formUnion(_ other: RowBitmaps) {
    guard !isEmpty else { return self = other }
    for (chunk, others) in other.bitmaps {
      update(chunk) { words in
        for word in words.indices { words[word] |= others[word] }
      }
    }
  }

  private mutating func update<Result>(
    _ chunk: Int, _ body: (inout [UInt64]) -> Result
  ) -> Result {
    body(&bitmaps[chunk, default: [UInt64](repeating: 0, count: ChunkShape.words)])
  }

  /// Returns whether the set contains a row.
  func contains(_ key: Int) -> Bool {
    guard let words = bitmaps[RowAddress(key).chunk] else { return false }
    let row = RowAddress(key).row
    return words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// Returns the rows of a chunk that are in a range of keys; nil without any.
  func rows(ofChunk chunk: Int, in keys: Range<Int>) -> ChunkBitmap? {
    guard let words = bitmaps[chunk] else { return nil }
    let first = RowAddress.firstKey(ofChunk: chunk)
    let part = keys.clamped(to: first..<first + ChunkShape.rows)
    guard !part.isEmpty else { return nil }
    let rows = words.withUnsafeBufferPointer { ChunkBitmap(copying: $0.baseAddress) }
    if part.count < ChunkShape.rows { rows.keep(rows: part.lowerBound - first, part.count) }
    return rows.isEmpty ? nil : rows
  }

  /// Returns the rows below a key.
  func below(_ end: Int) -> RowBitmaps {
    var result = self
    for chunk in bitmaps.keys where RowAddress.firstKey(ofChunk: chunk + 1) > end {
      result.bitmaps[chunk] = nil
      if let rows = rows(ofChunk: chunk, in: 0..<max(0, end)) {
        result.insert(rows, ofChunk: chunk)
      }
    }
    return result
  }

  /// The keys in rising order.
  var keys: [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(count)
    for chunk in chunks {
      for (word, bits) in (bitmaps[chunk] ?? []).enumerated() {
        var bits = bits
        while bits != 0 {
          keys.append(
            RowAddress.firstKey(ofChunk: chunk) | word << 6 | bits.trailingZeroBitCount)
          bits &= bits &- 1
        }
      }
    }
    return keys
  }
}
