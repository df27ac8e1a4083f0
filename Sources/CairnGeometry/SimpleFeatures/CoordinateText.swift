/// Coordinates in decimal digits.
package enum CoordinateText {
  /// Appends the shortest text that reads as the same number: `8.5`, `10`, `-0`, `1e-07`.
  package static func append(_ value: Double, to text: inout [UInt8]) {
    if E7.isExact(value) {
      return append(units: Int32(E7.nearest(value)), to: &text)
    }
    var description = value.description
    description.withUTF8 { digits in
      let isWhole =
        digits.count > 2 && digits[digits.count - 1] == 48
        && digits[digits.count - 2] == UInt8(ascii: ".")
      text.append(contentsOf: UnsafeBufferPointer(rebasing: digits.dropLast(isWhole ? 2 : 0)))
    }
  }

  /// Appends a number of E7 units in degrees. No other text of so few digits reads as the same
  /// number.
  private static func append(units: Int32, to text: inout [UInt8]) {
    // A sign, three digits, a point and seven digits, from the end.
    withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
      var start = buffer.count
      func put(_ byte: UInt8) {
        start -= 1
        buffer[start] = byte
      }
      var (whole, fraction) = units.magnitude.quotientAndRemainder(dividingBy: 10_000_000)
      if fraction > 0 {
        var decimals = 7
        while fraction % 10 == 0 {
          fraction /= 10
          decimals -= 1
        }
        for _ in 0..<decimals {
          put(48 + UInt8(truncatingIfNeeded: fraction % 10))
          fraction /= 10
        }
        put(UInt8(ascii: "."))
      }
      repeat {
        put(48 + UInt8(truncatingIfNeeded: whole % 10))
        whole /= 10
      } while whole > 0
      if units < 0 { put(UInt8(ascii: "-")) }
      text.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[start...]))
    }
  }

  /// Returns the double nearest to a number, and moves the index to its end. Returns nil, and leaves
  /// the index, if there is no number.
  ///
  /// Reads decimal digits with or without a sign, a point and an exponent, and `NaN` and `Inf` in
  /// any case.
  package static func parse(_ text: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Double? {
    var scan = DecimalScan(text, at: index)
    guard let value = scan.takeNumber() else { return nil }
    index = scan.index
    return value
  }
}

/// Reads a number.
private struct DecimalScan {
  private let text: UnsafeBufferPointer<UInt8>
  private let start: Int
  private(set) var index: Int
  /// The value of the digits; wrong if there are more than 19.
  private var mantissa: UInt64 = 0

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>, at index: Int) {
    assert(index >= 0 && index <= text.count, "the index is outside of the text")
    self.text = text
    start = index
    self.index = index
  }

  private var byte: UInt8 { index < text.count ? text[index] : 0 }

  @inline(__always)
  mutating func takeNumber() -> Double? {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { index += 1 }
    let first = index
    takeDigits()
    var count = index - first
    var exponent = 0
    if byte == UInt8(ascii: ".") {
      index += 1
      let point = index
      takeDigits()
      exponent = point - index
      count += index - point
    }
    guard count > 0 else { return takeName(isNegative: isNegative) }
    if byte | 0x20 == UInt8(ascii: "e") { exponent += takeExponent() }
    let magnitude = magnitude(digits: count, exponent: exponent)
    return isNegative ? -magnitude : magnitude
  }

  @inline(__always)
  private mutating func takeDigits() {
    while index + 8 <= text.count, let base = text.baseAddress {
      // Digits become their values. The lowest marked byte is the first that is not a digit.
      let word =
        UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
        ^ 0x3030_3030_3030_3030
      let marks = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
      let count = marks.trailingZeroBitCount &>> 3
      if count == 0 { return }
      mantissa =
        mantissa &* Self.wholePowers[count] &+ Self.value(word &<< UInt64(64 &- 8 &* count))
      index += count
      if count < 8 { return }
    }
    while byte &- 48 < 10 {
      mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
      index += 1
    }
  }

  /// The number of eight digits, the first in the lowest byte.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ digits &>> 8
    let even = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let odd = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (even &+ odd) &>> 32
  }

  /// Skips an exponent, and returns its value. Skips nothing if no digit follows.
  private mutating func takeExponent() -> Int {
    let before = index
    index += 1
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { index += 1 }
    let first = index
    var value = 0
    while byte &- 48 < 10 {
      value = min(value * 10 + Int(byte &- 48), 1_000_000)
      index += 1
    }
    guard index > first else {
      index = before
      return 0
    }
    return isNegative ? -value : value
  }

  private mutating func takeName(isNegative: Bool) -> Double? {
    let first = index
    while (0x61...0x7A).contains(byte | 0x20) { index += 1 }
    switch String(decoding: text[first..<index], as: UTF8.self).lowercased() {
    case "nan": return .nan
    case "inf", "infinity": return isNegative ? -.infinity : .infinity
    default: return nil
    }
  }

  @inline(__always)
  private func magnitude(digits: Int, exponent: Int) -> Double {
    if digits <= 19 {
      if mantissa == 0 { return 0 }
      if mantissa <= 1 << 53, exponent.magnitude <= 22 {
        // Both are exact, so one operation rounds only once.
        let power = Self.powersOf10[Int(exponent.magnitude)]
        return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      }
      if exponent < 0, exponent >= -27 { return quotient(exponent) }
    }
    // The digits after the sign, in a form that the standard library reads.
    let digits = text[start..<index].drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    return Double("0" + String(decoding: digits, as: UTF8.self)) ?? .nan
  }

  /// mantissa · 10^exponent by one exact integer division, rounded half to even.
  private func quotient(_ exponent: Int) -> Double {
    let divisor = Self.powersOf5[-exponent]
    let upper = mantissa << UInt64(mantissa.leadingZeroBitCount)
    let lower = divisor << UInt64(divisor.leadingZeroBitCount)
    // The quotient of upper · 2^63 by lower has 63 or 64 bits, so its last bit can stand for the rest.
    let (quotient, rest) = lower.dividingFullWidth((upper >> 1, upper << 63))
    let scale = divisor.leadingZeroBitCount - mantissa.leadingZeroBitCount - 63 + exponent
    return Double(
      sign: .plus, exponent: scale, significand: Double(rest == 0 ? quotient : quotient | 1))
  }

  /// 10^0 ... 10^8.
  private static let wholePowers: [UInt64] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]
  /// 10^0 ... 10^22, which doubles hold exactly.
  private static let powersOf10: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
  /// 5^0 ... 5^27.
  private static let powersOf5: [UInt64] = [
    1, 5, 25, 125, 625, 3_125, 15_625, 78_125, 390_625, 1_953_125, 9_765_625, 48_828_125,
    244_140_625, 1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125,
    3_814_697_265_625, 19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125,
    2_384_185_791_015_625, 11_920_928_955_078_125, 59_604_644_775_390_625,
    298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
  ]
}
