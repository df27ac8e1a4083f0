extension Decimal128 {
  /// That integer, exactly.
  public init(_ value: some BinaryInteger) {
    var digits = WideInteger.zero
    for word in Array(value.magnitude.words).reversed() {
      digits = digits << UInt.bitWidth
      digits = digits + WideInteger(UInt64(word))
    }
    self.init(rounding: digits, exponent: 0, negative: value < 0)
  }

  /// A whole number below 10^34 exactly, any other by the shortest digits that read back as it.
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

  /// The nearest number to that float, by its shortest digits.
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

  /// The nearest double; an infinity beyond its range.
  public var doubleValue: Double {
    if isNaN { return .nan }
    if isInfinite { return isNegative ? -.infinity : .infinity }
    return Double(description) ?? .nan
  }

  /// The integer of that value, where it is one of 64 bits.
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
