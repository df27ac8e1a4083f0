import CairnStorage

/// Rows of one chunk that are still in question, one bit a row, in 64 words that a workspace lends.
struct Selection {
  let words: UnsafeMutablePointer<UInt64>
  /// The first word that may have a bit.
  var lower = 0
  /// One past the last word that may have a bit.
  var upper = 0

  init(_ words: UnsafeMutablePointer<UInt64>) { self.words = words }

  /// Selects the first `count` rows.
  mutating func selectAll(_ count: Int) {
    let whole = count >> 6
    for word in 0..<whole { words[word] = ~0 }
    if count & 63 != 0 { words[whole] = (1 << UInt64(count & 63)) &- 1 }
    lower = 0
    upper = (count + 63) >> 6
  }

  /// Selects the rows that live.
  mutating func select(_ live: UnsafePointer<UInt64>, rows count: Int) {
    upper = (count + 63) >> 6
    lower = 0
    for word in 0..<upper { words[word] = live[word] }
    if count & 63 != 0 { words[upper - 1] &= (1 << UInt64(count & 63)) &- 1 }
  }

  /// Sets the words in use to zero.
  mutating func clear() {
    for word in lower..<max(lower, upper) { words[word] = 0 }
    lower = 0
    upper = 0
  }

  /// Narrows the word bounds to words that have bits; whether any has.
  mutating func trim() -> Bool {
    while lower < upper, words[lower] == 0 { lower += 1 }
    while lower < upper, words[upper - 1] == 0 { upper -= 1 }
    return lower < upper
  }

  /// Rows selected.
  var count: Int {
    var total = 0
    for word in lower..<max(lower, upper) { total &+= words[word].nonzeroBitCount }
    return total
  }

  /// Calls `body` with every selected row, rising, until it says no.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Bool) -> Bool {
    for word in lower..<max(lower, upper) {
      var bits = words[word]
      while bits != 0 {
        if !body(word << 6 | bits.trailingZeroBitCount) { return false }
        bits &= bits &- 1
      }
    }
    return true
  }

  /// Calls `body` with every selected row, rising.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    for word in lower..<max(lower, upper) {
      var bits = words[word]
      while bits != 0 {
        body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Keeps the rows that `test` says of each word that has any: it gives the word's 64 answers.
  @inline(__always)
  mutating func keep(_ test: (_ word: Int, _ selected: UInt64) -> UInt64) {
    for word in lower..<max(lower, upper) {
      let selected = words[word]
      if selected != 0 { words[word] = selected & test(word, selected) }
    }
  }

  /// Keeps the rows that `test` says, but null rows as the rule says.
  @inline(__always)
  mutating func keep(_ nulls: NullRule, _ test: (_ word: Int, _ selected: UInt64) -> UInt64) {
    guard let marks = nulls.words else { return keep(test) }
    let match = nulls.match
    keep { word, selected in
      let hits = test(word, selected)
      return match ? hits | marks[word] : hits & ~marks[word]
    }
  }

  /// Keeps the null rows, or the others.
  mutating func keepNulls(_ nulls: UnsafePointer<UInt64>?, _ wanted: Bool) {
    if let nulls {
      wanted ? intersect(nulls) : remove(nulls)
    } else if wanted {
      clear()
    }
  }

  /// Takes away the rows whose bits are set.
  mutating func remove(_ bits: UnsafePointer<UInt64>) {
    for word in lower..<max(lower, upper) { words[word] &= ~bits[word] }
  }

  /// Keeps the rows whose bits are set.
  mutating func intersect(_ bits: UnsafePointer<UInt64>) {
    for word in lower..<max(lower, upper) { words[word] &= bits[word] }
  }
}
