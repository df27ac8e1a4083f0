/// A parsed decimal number: mantissa · 10^exponent.
struct DecimalText {
  /// The significant digits without trailing zeros; meaningless when there are more than 19.
  private(set) var mantissa: UInt64 = 0
  private(set) var exponent = 0
  private(set) var significantDigits = 0
  private(set) var isNegative = false
  /// Whether the number has neither a point nor an exponent.
  private(set) var isInteger = true
  private var pendingZeros = 0

  /// Parses `-?(digits[.digits]|.digits)([eE][+-]?digits)?`. Returns nil for anything else,
  /// including numbers with leading zeros.
  init?(_ text: UnsafePointer<UInt8>, count: Int) {
    assert(count >= 0, "the size is negative")
    var index = 0
    if count > 0, text[0] == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    let whole = takeDigits(text, at: &index, count: count)
    if whole.count > 1, text[whole.start] == 48 { return nil }
    exponent = pendingZeros
    var decimals = 0
    if index < count, text[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      let before = significantDigits
      decimals = takeDigits(text, at: &index, count: count).count
      if decimals == 0 { return nil }
      if significantDigits > before { exponent = pendingZeros - decimals }
    }
    guard whole.count + decimals > 0, takeExponent(text, at: &index, count: count), index == count
    else {
      return nil
    }
    if significantDigits == 0 { exponent = 0 }
  }

  private mutating func takeDigits(
    _ text: UnsafePointer<UInt8>, at index: inout Int, count: Int
  ) -> (start: Int, count: Int) {
    let start = index
    while index < count, Digits.isDigit(text[index]) {
      take(text[index] &- 48)
      index += 1
    }
    return (start, index - start)
  }

  /// Adds a digit. Zeros count only once another digit follows them.
  private mutating func take(_ digit: UInt8) {
    if digit == 0 {
      if significantDigits > 0 { pendingZeros += 1 }
      return
    }
    significantDigits += pendingZeros + 1
    if significantDigits <= 19 {
      mantissa = mantissa &* Digits.powers[pendingZeros + 1] &+ UInt64(digit)
    }
    pendingZeros = 0
  }

  private mutating func takeExponent(
    _ text: UnsafePointer<UInt8>, at index: inout Int, count: Int
  ) -> Bool {
    guard index < count, text[index] | 0x20 == UInt8(ascii: "e") else { return true }
    isInteger = false
    index += 1
    var isNegative = false
    if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    var value = 0
    let start = index
    while index < count, Digits.isDigit(text[index]) {
      value = min(value * 10 + Int(text[index] &- 48), 1_000_000)
      index += 1
    }
    exponent += isNegative ? -value : value
    return index > start
  }
}

extension DecimalText {
  /// Returns the nearest double, or nil when that is infinite, or zero for a number that is not.
  func double(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if significantDigits == 0 { return isNegative ? -0.0 : 0 }
    guard let magnitude = magnitude(text, count: count), magnitude.isFinite, magnitude > 0 else {
      return nil
    }
    return isNegative ? -magnitude : magnitude
  }

  private func magnitude(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    if significantDigits <= 19 {
      if mantissa <= 1 << 53, exponent.magnitude <= 22 {
        // Both are exact, so one operation rounds only once.
        let power = Digits.doublePowers[Int(exponent.magnitude)]
        return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      }
      if exponent < 0, exponent >= -27 { return quotient() }
    }
    let bytes = UnsafeBufferPointer(start: text, count: count)
    return Double(String(decoding: bytes, as: UTF8.self))?.magnitude
  }

  /// mantissa / 10^-exponent by one exact integer division, rounded half to even.
  private func quotient() -> Double {
    let divisor = Digits.powersOf5[-exponent]
    let upper = mantissa << UInt64(mantissa.leadingZeroBitCount)
    let lower = divisor << UInt64(divisor.leadingZeroBitCount)
    // The quotient of upper · 2^63 by lower has 63 or 64 bits.
    let (quotient, rest) = lower.dividingFullWidth((upper >> 1, upper << 63))
    let scale =
      divisor.leadingZeroBitCount - mantissa.leadingZeroBitCount - 63 + exponent
    let sticky = quotient | (rest == 0 ? 0 : 1)
    return Double(sign: .plus, exponent: scale, significand: Double(sticky))
  }
}
