/// Decimal numbers as the type inference knows them: with a point or an exponent, no leading zeros,
/// at most 17 significant digits, and finite; always the double nearest to the text.
enum DoubleText {
  /// More significant digits than these could not be told apart by a double.
  static let significantDigits = 17

  /// The double that the bytes spell; nil when they spell an integer or no number. Reads up to 24
  /// bytes.
  @inline(__always)
  static func parse(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = parseShort(text, count) { return value }
    return parseAny(text, count)
  }

  /// The commonest form: up to 7 digits, a point, up to 8 digits.
  @inline(__always)
  private static func parseShort(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard count > 0 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = isNegative ? text + 1 : text
    let length = isNegative ? count &- 1 : count
    let point = firstPoint(digits)
    let places = length &- point &- 1
    guard point >= 1, point < 8, places >= 1, places <= 8, digits[0] != 48 || point == 1,
      let whole = Digits.upTo8(digits, point),
      let fraction = Digits.upTo8(digits + point + 1, places)
    else { return nil }
    let scaled = Int64(bitPattern: whole &* Digits.powers[places] &+ fraction)
    let value = Double(scaled) / Digits.doublePowers[places]
    return isNegative ? -value : value
  }

  /// Where the first point stands among 8 bytes; 8: nowhere.
  @inline(__always)
  private static func firstPoint(_ text: UnsafePointer<UInt8>) -> Int {
    let word = Digits.load(text) ^ 0x2E2E_2E2E_2E2E_2E2E
    // The lowest marked byte is certainly zero; higher marks may be false.
    return ((word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080).trailingZeroBitCount
      &>> 3
  }

  private static func parseAny(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard let number = DecimalText(text, count), !number.isInteger,
      number.significantDigits <= significantDigits
    else { return nil }
    return number.double(text, count)
  }

  /// The double nearest to any decimal text, integers and long fractions included; nil when it is
  /// no number, or too large or too small for a double.
  static func parseNearest(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = parseShort(text, count) { return value }
    return DecimalText(text, count)?.double(text, count)
  }
}
