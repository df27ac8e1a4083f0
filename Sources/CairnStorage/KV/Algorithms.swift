/// A set of numbers from 0 up to a limit, as a bitmap.
struct BitSet {
  private var words: [UInt64]

  /// Makes an empty set of numbers up to `count`.
  init(count: Int) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

  func contains(_ number: Int) -> Bool { words[number >> 6] >> UInt64(number & 63) & 1 != 0 }

  /// Inserts a number; returns false if the set has it already.
  mutating func insert(_ number: Int) -> Bool {
    let bit = UInt64(1) << UInt64(number & 63)
    guard words[number >> 6] & bit == 0 else { return false }
    words[number >> 6] |= bit
    return true
  }
}

/// Returns the first index below `count` for which `isBefore` is false, by binary search; `count`
/// if it is true for all. The indexes for which it is true come first.
@inline(__always)
func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = (low + high) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
