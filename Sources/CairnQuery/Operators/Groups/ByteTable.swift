/// A table of distinct byte strings, numbered in the order of their first occurrence.
struct ByteTable {
  private var slots: [UInt32]
  private var hashes: [UInt64] = []
  private var ends: [Int] = [0]
  private var arena: [UInt8] = []

  init() { slots = Array(repeating: 0, count: 64) }

  var count: Int { hashes.count }

  /// The bytes of a number.
  subscript(number: Int) -> ArraySlice<UInt8> { arena[ends[number]..<ends[number + 1]] }

  /// The number of the bytes. A new string receives the next number.
  mutating func number(of bytes: UnsafeRawBufferPointer) -> Int {
    let hash = ByteTable.hash(bytes)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, holds(number, bytes: bytes) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return append(bytes, hash: hash, slot: slot)
  }

  private func holds(_ number: Int, bytes: UnsafeRawBufferPointer) -> Bool {
    arena.withUnsafeBytes {
      bytesEqual(.init(rebasing: $0[ends[number]..<ends[number + 1]]), and: bytes)
    }
  }

  private mutating func append(
    _ bytes: UnsafeRawBufferPointer, hash: UInt64, slot: Int
  ) -> Int {
    arena.append(contentsOf: bytes)
    ends.append(arena.count)
    hashes.append(hash)
    slots[slot] = UInt32(hashes.count)
    if hashes.count * 2 > slots.count { grow() }
    return hashes.count - 1
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15
    var rest = bytes[...]
    while rest.count >= 8 {
      state = mixed(state ^ UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt64.self))
      rest = rest.dropFirst(8)
    }
    return mixed(state ^ bytePrefix(UnsafeRawBufferPointer(rebasing: rest)))
  }

  /// Spreads every bit over the word.
  static func mixed(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return high ^ low
  }
}

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
    Int(truncatingIfNeeded: ByteTable.mixed(word ^ 0x9E37_79B9_7F4A_7C15)) & (slots.count - 1)
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
