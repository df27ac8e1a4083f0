extension Decimal128 {
  /// Parses a text and rounds it to 34 digits.
  ///
  /// The text has digits with an optional sign, point and exponent, or is `inf`, `infinity` or
  /// `nan` in any case.
  ///
  /// - Throws: ``ValueError`` for any other text.
  public init(string: String) throws {
    guard let value = Decimal128(text: string) else {
      throw ValueError("'\(string)' is not a decimal number")
    }
    self = value
  }

  /// Parses a text; returns nil if it is not a decimal number.
  package init?(text: some StringProtocol) {
    var reader = DecimalReader(text.utf8)
    guard let value = reader.read() else { return nil }
    self = value
  }
}

/// Parses a decimal number from bytes.
private struct DecimalReader<Bytes: Collection> where Bytes.Element == UInt8 {
  private var rest: Bytes.SubSequence
  private var digits = WideInteger.zero
  private var exponent = 0
  private var significant = 0
  private var inexact = false
  private var sawDigit = false

  init(_ bytes: Bytes) { rest = bytes[...] }

  mutating func read() -> Decimal128? {
    let negative = takeSign()
    if let special = takeWord() { return negative ? -special : special }
    takeDigits(fraction: false)
    if take(UInt8(ascii: ".")) { takeDigits(fraction: true) }
    guard sawDigit, takeExponent(), rest.isEmpty else { return nil }
    return Decimal128(
      rounding: digits, exponent: exponent, negative: negative, inexact: inexact)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeSign() -> Bool {
    if take(UInt8(ascii: "-")) { return true }
    _ = take(UInt8(ascii: "+"))
    return false
  }

  private func takeWord() -> Decimal128? {
    guard let first = rest.first, first | 0x20 >= UInt8(ascii: "a"), rest.count <= 8 else {
      return nil
    }
    return switch String(decoding: rest.map { $0 | 0x20 }, as: UTF8.self) {
    case "inf", "infinity": .infinity
    case "nan": .nan
    default: nil
    }
  }

  private mutating func takeDigits(fraction: Bool) {
    while let byte = rest.first, byte &- UInt8(ascii: "0") < 10 {
      rest.removeFirst()
      sawDigit = true
      append(UInt64(byte - UInt8(ascii: "0")), fraction: fraction)
    }
  }

  /// Keeps a few more digits than 34, and of the rest only whether they are all zero.
  private mutating func append(_ digit: UInt64, fraction: Bool) {
    if significant < 40 {
      digits.multiply(by: 10, adding: digit)
      if !digits.isZero { significant += 1 }
      if fraction { exponent -= 1 }
    } else {
      if digit != 0 { inexact = true }
      if !fraction { exponent += 1 }
    }
  }

  private mutating func takeExponent() -> Bool {
    guard let byte = rest.first, byte | 0x20 == UInt8(ascii: "e") else { return true }
    rest.removeFirst()
    let negative = takeSign()
    guard !rest.isEmpty else { return false }
    var power = 0
    while let byte = rest.first, byte &- UInt8(ascii: "0") < 10 {
      rest.removeFirst()
      power = Swift.min(power * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
    }
    exponent += negative ? -power : power
    return true
  }
}

extension Decimal128: CustomStringConvertible, LosslessStringConvertible {
  /// The digits with a point, or with an exponent if they would be mostly zeros: `0.5`, `1.2E10`.
  public var description: String {
    if isNaN { return "NaN" }
    let sign = isNegative ? "-" : ""
    if isInfinite { return sign + "Infinity" }
    let digits = digitText
    let adjusted = exponent + digits.utf8.count - 1
    if exponent > 0 || adjusted < -6 { return sign + scientific(digits, adjusted: adjusted) }
    return sign + plain(digits)
  }

  /// Parses a text; returns nil if it is not a decimal number.
  public init?(_ description: String) {
    self.init(text: description)
  }

  private var digitText: String {
    var rest = wideCoefficient
    let low = rest.divide(by: WideInteger.power(19))
    if rest.isZero { return String(low) }
    let lower = String(low)
    return String(rest.words[0]) + String(repeating: "0", count: 19 - lower.utf8.count) + lower
  }

  private func scientific(_ digits: String, adjusted: Int) -> String {
    let tail = digits.dropFirst()
    let mantissa = tail.isEmpty ? digits : "\(digits.prefix(1)).\(tail)"
    return "\(mantissa)E\(adjusted)"
  }

  private func plain(_ digits: String) -> String {
    let fraction = -exponent
    if fraction == 0 { return digits }
    let missing = fraction + 1 - digits.utf8.count
    let padded = missing > 0 ? String(repeating: "0", count: missing) + digits : digits
    return "\(padded.dropLast(fraction)).\(padded.suffix(fraction))"
  }
}

extension Decimal128 {
  /// Creates the number of an integer; exact up to 34 digits, otherwise rounded.
  public init(_ value: some BinaryInteger) {
    var digits = WideInteger.zero
    for word in Array(value.magnitude.words).reversed() {
      digits = digits << UInt.bitWidth
      digits = digits + WideInteger(UInt64(word))
    }
    self.init(rounding: digits, exponent: 0, negative: value < 0)
  }

  /// Creates the number of a double: exactly for a whole number below 10^34, otherwise by the
  /// shortest digits that read back as the double.
  ///
  /// So `0.1` becomes one tenth, and the order of doubles is kept.
  public init(_ value: Double) {
    if value.isNaN {
      self = .nan
    } else if value.isInfinite {
      self = value < 0 ? -.infinity : .infinity
    } else if value.magnitude < 1e34, value.rounded(.towardZero) == value {
      self.init(whole: value)
    } else {
      self = Decimal128(text: "\(value)") ?? .nan
    }
  }

  /// Creates the number of a float by its shortest digits.
  public init(_ value: Float) {
    if value.isFinite, value.rounded(.towardZero) != value {
      self = Decimal128(text: "\(value)") ?? .nan
    } else {
      self.init(Double(value))
    }
  }

  private init(whole value: Double) {
    let bits = value.isZero ? 0 : Swift.max(Int(value.exponent) - 52, 0)
    let significand = UInt64(value.magnitude / Double(sign: .plus, exponent: bits, significand: 1))
    self.init(
      rounding: WideInteger(significand) << bits, exponent: 0, negative: value.sign == .minus)
  }

  /// The nearest double; an infinity if the number is beyond its range.
  public var doubleValue: Double {
    if isNaN { return .nan }
    if isInfinite { return isNegative ? -.infinity : .infinity }
    return Double(description) ?? .nan
  }

  /// The integer of the same value, or nil if that is not an integer of 64 bits.
  package var exactInteger: Int64? {
    guard isFinite else { return nil }
    var digits = wideCoefficient
    if digits.isZero { return 0 }
    if exponent > 0 {
      guard exponent < 19 else { return nil }
      digits.multiply(byPowerOfTen: exponent)
    } else if digits.divide(byPowerOfTen: -exponent) {
      return nil
    }
    guard digits.words[1] == 0 && digits.words[2] == 0 && digits.words[3] == 0 else { return nil }
    return isNegative ? Int64(negating: digits.words[0]) : Int64(exactly: digits.words[0])
  }
}

extension Int64 {
  fileprivate init?(negating magnitude: UInt64) {
    guard magnitude <= 1 << 63 else { return nil }
    self.init(truncatingIfNeeded: 0 &- magnitude)
  }
}
