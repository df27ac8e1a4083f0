/// A set of numbers from 0 on, as a bitmap that grows up to the greatest of them.
package struct BitSet {
  @usableFromInline var words: [UInt64]

  /// Creates an empty set, with memory for the numbers up to `count`.
  package init(count: Int = 0) { words = [UInt64](repeating: 0, count: count / 64 + 1) }

  /// Whether the set has a number.
  @inlinable
  package func contains(_ number: Int) -> Bool {
    number >> 6 < words.count && words[number >> 6] >> UInt64(number & 63) & 1 != 0
  }

  /// Inserts a number; returns false if the set has it already.
  @inlinable
  @discardableResult
  package mutating func insert(_ number: Int) -> Bool {
    if number >> 6 >= words.count { grow(to: number) }
    let bit = UInt64(1) << UInt64(number & 63)
    guard words[number >> 6] & bit == 0 else { return false }
    words[number >> 6] |= bit
    return true
  }

  @usableFromInline
  mutating func grow(to number: Int) {
    let more = (number >> 6) + 1 - words.count
    words += repeatElement(0, count: more + words.count / 2)
  }
}
