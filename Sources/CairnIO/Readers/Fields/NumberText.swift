/// Integers that type inference recognizes: `-?` and digits without leading zeros, within 64 bits.
package enum IntegerText {
  /// Returns the integer, or nil when the bytes are not one. Reads up to 24 bytes.
  @inline(__always)
  static func parse(_ text: UnsafePointer<UInt8>, count: Int) -> Int64? {
    if count >= 1, count <= 8, text[0] &- 49 < 9 {
      guard let value = Digits.upTo8(text, count: count) else { return nil }
      return Int64(bitPattern: value)
    }
    return parseAny(text, count: count)
  }

  private static func parseAny(_ text: UnsafePointer<UInt8>, count: Int) -> Int64? {
    guard count > 0 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = isNegative ? text + 1 : text
    let length = isNegative ? count - 1 : count
    guard length >= 1, length <= 19, let magnitude = Digits.upTo19(digits, count: length) else {
      return nil
    }
    if digits[0] == 48 { return length == 1 ? 0 : nil }
    if isNegative { return magnitude <= 1 << 63 ? Int64(bitPattern: 0 &- magnitude) : nil }
    return Int64(exactly: magnitude)
  }

  /// Whether a double holds the integer exactly.
  @inline(__always)
  package static func isExact(_ value: Int64) -> Bool {
    value.magnitude <= 1 << 53 || Int64(exactly: Double(value)) == value
  }
}

/// Decimal numbers that type inference recognizes: finite, with a point or an exponent, without
/// leading zeros, and with at most 17 significant digits. The result is always the double nearest
/// to the text.
enum DoubleText {
  /// The number of significant digits beyond which a double cannot tell two texts apart.
  static let significantDigits = 17

  /// Returns the double, or nil when the bytes are an integer or not a number. Reads up to 24
  /// bytes.
  @inline(__always)
  static func parse(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = parseShort(text, count: count) { return value }
    return parseAny(text, count: count)
  }

  /// Parses the most common form: up to 7 digits, a point, up to 8 digits.
  @inline(__always)
  private static func parseShort(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    guard count > 0 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    let digits = isNegative ? text + 1 : text
    let length = isNegative ? count &- 1 : count
    let point = firstPoint(digits)
    let decimals = length &- point &- 1
    guard point >= 1, point < 8, decimals >= 1, decimals <= 8, digits[0] != 48 || point == 1,
      let whole = Digits.upTo8(digits, count: point),
      let fraction = Digits.upTo8(digits + point + 1, count: decimals)
    else { return nil }
    let scaled = Int64(bitPattern: whole &* Digits.powers[decimals] &+ fraction)
    let value = Double(scaled) / Digits.doublePowers[decimals]
    return isNegative ? -value : value
  }

  /// Returns the index of the first point among 8 bytes, or 8 without a point.
  @inline(__always)
  private static func firstPoint(_ text: UnsafePointer<UInt8>) -> Int {
    let word = Digits.load(text) ^ 0x2E2E_2E2E_2E2E_2E2E
    // The lowest marked byte is certainly zero; higher marks may be false.
    return ((word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080).trailingZeroBitCount
      &>> 3
  }

  private static func parseAny(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    guard let number = DecimalText(text, count: count), !number.isInteger,
      number.significantDigits <= significantDigits
    else { return nil }
    return number.double(text, count: count)
  }

  /// Returns the double nearest to any decimal text, including integers and long fractions, or nil
  /// when the text is not a number or is too large or too small for a double.
  static func parseNearest(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = parseShort(text, count: count) { return value }
    return DecimalText(text, count: count)?.double(text, count: count)
  }
}

/// Numbers of CSV in the spellings of other programs, which type inference does not try first:
/// `+5`, `5.`, `-5.`, `+.5`.
package enum NumberSpelling {
  /// A plus sign before more digits than this is more likely the start of a telephone number.
  private static let maxSignedDigits = 6

  /// Returns the integer, or nil when the bytes are not one. Reads up to 24 bytes.
  package static func int(_ text: UnsafePointer<UInt8>, count: Int) -> Int64? {
    if let value = IntegerText.parse(text, count: count) { return value }
    guard count > 1, count <= maxSignedDigits + 1, text[0] == UInt8(ascii: "+"),
      Digits.isDigit(text[1])
    else { return nil }
    return IntegerText.parse(text + 1, count: count - 1)
  }

  /// Returns the double, or nil when the bytes are an integer or not a number. Reads up to 24
  /// bytes.
  static func double(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = DoubleText.parse(text, count: count) { return value }
    guard count > 1 else { return nil }
    if text[0] == UInt8(ascii: "+") {
      return text[1] == UInt8(ascii: "-") ? nil : double(text + 1, count: count - 1)
    }
    guard text[count - 1] == UInt8(ascii: "."),
      let value = NumberSpelling.exactNumber(text, count: count - 1),
      DoubleText.parse(text, count: count - 1) == nil
    else { return nil }
    return value
  }

  /// Returns a double, or an integer that a double holds exactly, as a double.
  package static func exactDouble(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = NumberSpelling.exactNumber(text, count: count) ?? double(text, count: count) {
      return value
    }
    guard let value = int(text, count: count), IntegerText.isExact(value) else { return nil }
    return Double(value)
  }

  /// Returns a double, or an integer that a double holds exactly, as a double.
  static func exactNumber(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = DoubleText.parse(text, count: count) { return value }
    guard let value = IntegerText.parse(text, count: count), IntegerText.isExact(value) else {
      return nil
    }
    return value == 0 && text[0] == UInt8(ascii: "-") ? -0.0 : Double(value)
  }

  /// Returns any finite number in decimal digits, also with leading zeros or a plus sign, as people
  /// write coordinates by hand. Reads up to 24 bytes.
  static func anyDouble(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if let value = DoubleText.parseNearest(text, count: count) { return value }
    let bytes = UnsafeBufferPointer(start: text, count: count)
    guard bytes.allSatisfy(isPart), let value = Double(String(decoding: bytes, as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  /// Whether a byte can be part of a number: a digit, a sign, a point or `e`.
  static func isPart(_ byte: UInt8) -> Bool {
    Digits.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }
}

/// Parses decimal digits, eight at a time in one machine word.
package enum Digits {
  /// Returns the value of 1 to 8 ASCII digits, or nil when a byte is not a digit. Reads 8 bytes.
  @inline(__always)
  static func upTo8(_ text: UnsafePointer<UInt8>, count: Int) -> UInt64? {
    assert(count >= 1 && count <= 8, "a word holds 1 to 8 digits")
    // The shift fills the low bytes with leading zeros; the XOR turns each digit into its value.
    let word = (load(text) ^ 0x3030_3030_3030_3030) &<< UInt64(64 &- 8 &* count)
    guard ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = word &* 10 &+ word &>> 8
    let even = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let odd = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (even &+ odd) &>> 32
  }

  /// Returns the value of 1 to 19 ASCII digits, or nil when a byte is not a digit. Reads up to 24
  /// bytes.
  @inline(__always)
  static func upTo19(_ text: UnsafePointer<UInt8>, count: Int) -> UInt64? {
    assert(count >= 1 && count <= 19, "64 bits hold up to 19 digits")
    if count <= 8 { return upTo8(text, count: count) }
    guard let high = upTo8(text, count: 8) else { return nil }
    if count <= 16 {
      guard let low = upTo8(text + 8, count: count &- 8) else { return nil }
      return high &* powers[count &- 8] &+ low
    }
    guard let middle = upTo8(text + 8, count: 8), let low = upTo8(text + 16, count: count &- 16)
    else {
      return nil
    }
    return (high &* 100_000_000 &+ middle) &* powers[count &- 16] &+ low
  }

  @inline(__always)
  static func load(_ text: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  // The tables are literals: the compiler emits them as constants, so reading them takes no lock.

  /// 10^0 ... 10^19.
  static let powers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000,
    1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
  ]
  /// 10^0 ... 10^22, which doubles hold exactly.
  static let doublePowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
  /// 5^0 ... 5^27.
  static let powersOf5: [UInt64] = [
    1, 5, 25, 125, 625, 3_125, 15_625, 78_125, 390_625, 1_953_125, 9_765_625, 48_828_125,
    244_140_625, 1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125,
    3_814_697_265_625, 19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125,
    2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625,
    298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
  ]
}
