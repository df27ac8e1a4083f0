/// A table of distinct 64-bit words, numbered in the order of their first occurrence.
struct WordTable {
  private var slots: [UInt32]
  private(set) var words: [UInt64] = []

  init() { slots = Array(repeating: 0, count: 64) }

  /// The number of the word. A new word receives the next number.
  @inline(__always)
  mutating func number(of word: UInt64) -> Int {
    var slot = slot(word)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if words[number] == word { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return append(word, slot: slot)
  }

  private func slot(_ word: UInt64) -> Int {
    Int(truncatingIfNeeded: Self.mixed(word ^ 0x9E37_79B9_7F4A_7C15)) & (slots.count - 1)
  }

  /// Spreads every bit over the word.
  static func mixed(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return high ^ low
  }

  private mutating func append(_ word: UInt64, slot: Int) -> Int {
    words.append(word)
    slots[slot] = UInt32(words.count)
    if words.count * 2 > slots.count { grow() }
    return words.count - 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, word) in words.enumerated() {
      var slot = slot(word)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }
}
