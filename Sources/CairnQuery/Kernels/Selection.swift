import CairnStorage

/// The rows of one chunk that are still selected: one bit per row, in 64 words borrowed from
/// scratch buffers.
struct Selection {
  /// The bits. Valid until the scratch buffers take them back.
  let words: UnsafeMutablePointer<UInt64>
  /// The first word that can have a bit.
  var lower = 0
  /// One past the last word that can have a bit.
  var upper = 0

  init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  /// The words that can have bits.
  @inline(__always)
  var wordRange: Range<Int> {
    assert(
      lower >= upper || (lower >= 0 && upper <= ChunkShape.words), "a word is outside of the chunk")
    return lower..<max(lower, upper)
  }

  /// Whether the chunk has memory for all words that have bits. Rows that were made and deleted in one
  /// transaction lie beyond the chunks of columns that never had them.
  func isWithin(_ chunk: Chunk) -> Bool {
    wordRange.allSatisfy { words[$0] == 0 || $0 << 6 < chunk.rowCapacity }
  }

  /// Selects the first `count` rows.
  mutating func selectAll(_ count: Int) {
    assert(count >= 0 && count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    let whole = count >> 6
    for word in 0..<whole { words[word] = ~0 }
    if count & 63 != 0 { words[whole] = (1 << UInt64(count & 63)) &- 1 }
    lower = 0
    upper = (count + 63) >> 6
  }

  /// Selects the live rows.
  mutating func select(_ live: UnsafePointer<UInt64>, rows count: Int) {
    assert(count >= 0 && count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    upper = (count + 63) >> 6
    lower = 0
    for word in 0..<upper { words[word] = live[word] }
    if count & 63 != 0 { words[upper - 1] &= (1 << UInt64(count & 63)) &- 1 }
  }

  /// Sets the words in use to zero.
  mutating func clear() {
    for word in wordRange { words[word] = 0 }
    lower = 0
    upper = 0
  }

  /// Tightens the word bounds to words with bits. Returns whether there are any.
  mutating func trim() -> Bool {
    assert(
      lower >= upper || (lower >= 0 && upper <= ChunkShape.words), "a word is outside of the chunk")
    while lower < upper, words[lower] == 0 { lower += 1 }
    while lower < upper, words[upper - 1] == 0 { upper -= 1 }
    return lower < upper
  }

  /// The number of selected rows.
  var count: Int {
    var total = 0
    for word in wordRange { total &+= words[word].nonzeroBitCount }
    return total
  }

  /// Calls `body` with every selected row in ascending order, until it returns false.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Bool) -> Bool {
    for word in wordRange {
      var bits = words[word]
      while bits != 0 {
        if !body(word << 6 | bits.trailingZeroBitCount) { return false }
        bits &= bits &- 1
      }
    }
    return true
  }

  /// Calls `body` with every selected row in ascending order.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    for word in wordRange {
      var bits = words[word]
      while bits != 0 {
        body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Keeps the rows that pass `test`. For each word with selected rows, it returns the word's 64
  /// results.
  @inline(__always)
  mutating func keep(_ test: (_ word: Int, _ selected: UInt64) -> UInt64) {
    for word in wordRange {
      let selected = words[word]
      if selected != 0 { words[word] = selected & test(word, selected) }
    }
  }

  /// Keeps the rows that pass `test`. Null rows follow the rule instead.
  @inline(__always)
  mutating func keep(_ nulls: NullRule, test: (_ word: Int, _ selected: UInt64) -> UInt64) {
    guard let marks = nulls.words else { return keep(test) }
    let match = nulls.match
    keep { word, selected in
      let hits = test(word, selected)
      return match ? hits | marks[word] : hits & ~marks[word]
    }
  }

  /// Keeps the null rows, or the others.
  mutating func keepNulls(_ nulls: UnsafePointer<UInt64>?, wanted: Bool) {
    if let nulls {
      wanted ? intersect(nulls) : remove(nulls)
    } else if wanted {
      clear()
    }
  }

  /// Removes the rows whose bits are set.
  mutating func remove(_ bits: UnsafePointer<UInt64>) {
    for word in wordRange { words[word] &= ~bits[word] }
  }

  /// Keeps the rows whose bits are set.
  mutating func intersect(_ bits: UnsafePointer<UInt64>) {
    for word in wordRange { words[word] &= bits[word] }
  }
}

/// The null rows of a chunk, and whether they match.
struct NullRule {
  /// The null bitmap; nil if no row is null. Valid as long as the chunk.
  let words: UnsafePointer<UInt64>?
  let match: Bool
}

/// Packs 64 bytes that are 0 or 1 into the bits of a word.
@inline(__always)
func packed(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
  let raw = UnsafeRawPointer(bytes)
  var word: UInt64 = 0
  for group in 0..<8 {
    let eight = raw.load(fromByteOffset: group * 8, as: UInt64.self)
    // The multiplication moves each byte's bit to its position in the top byte; no two partial
    // products overlap.
    word |= ((eight &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(group * 8)
  }
  return word
}

extension UnsafeMutablePointer<UInt64> {
  /// Sets a range of bits of a bitmap.
  func setBits(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    assert(range.lowerBound >= 0, "a bitmap begins at its pointer")
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
