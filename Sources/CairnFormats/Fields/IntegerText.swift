/// Integers as the type inference knows them: `-?` and digits without leading zeros, within 64
/// bits.
enum IntegerText {
  /// The integer that the bytes spell; nil when they spell none. Reads up to 24 bytes.
  @inline(__always)
  static func parse(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    if count >= 1, count <= 8, text[0] &- 49 < 9 {
      guard let value = Digits.upTo8(text, count) else { return nil }
      return Int64(bitPattern: value)
    }
    return parseAny(text, count)
  }

  private static func parseAny(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    guard count > 0 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = isNegative ? text + 1 : text
    let length = isNegative ? count - 1 : count
    guard length >= 1, length <= 19, let magnitude = Digits.upTo19(digits, length) else {
      return nil
    }
    if digits[0] == 48 { return length == 1 ? 0 : nil }
    if isNegative { return magnitude <= 1 << 63 ? Int64(bitPattern: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// Whether a double holds the integer exactly.
  @inline(__always)
  static func isExact(_ value: Int64) -> Bool {
    value.magnitude <= 1 << 53 || Int64(exactly: Double(value)) == value
  }
}
