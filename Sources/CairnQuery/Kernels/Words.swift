/// Which rows of a chunk are null, and whether they match whatever they hold.
struct NullRule {
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
    // Every byte's bit moves to its place in the top byte; no two sums meet.
    word |= ((eight &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(group * 8)
  }
  return word
}

extension UnsafeMutablePointer<UInt64> {
  /// Sets a range of bits of a bitmap.
  func setBits(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
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
