extension Decimal128 {
  /// Returns the sum, rounded to 34 digits, ties to even.
  public static func + (a: Decimal128, b: Decimal128) -> Decimal128 {
    guard a.isFinite && b.isFinite else { return infiniteSum(a, b: b) }
    return a.exponent >= b.exponent ? finiteSum(a, b: b) : finiteSum(b, b: a)
  }

  /// Returns the difference, rounded to 34 digits, ties to even.
  public static func - (a: Decimal128, b: Decimal128) -> Decimal128 {
    a + -b
  }

  /// Returns the product, rounded to 34 digits, ties to even.
  public static func * (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .nan }
    let negative = a.isNegative != b.isNegative
    if a.isInfinite || b.isInfinite {
      return a.isZero || b.isZero ? .nan : negative ? -.infinity : .infinity
    }
    return Decimal128(
      rounding: a.wideCoefficient * b.wideCoefficient, exponent: a.exponent + b.exponent,
      negative: negative)
  }

  /// Returns the quotient, rounded to 34 digits, ties to even. Zeros and infinities follow IEEE
  /// 754.
  public static func / (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .nan }
    let negative = a.isNegative != b.isNegative
    if a.isInfinite { return b.isInfinite ? .nan : negative ? -.infinity : .infinity }
    if b.isInfinite {
      return Decimal128(negative: negative, coefficient: (0, 0), exponent: minExponent)
    }
    if b.isZero { return a.isZero ? .nan : negative ? -.infinity : .infinity }
    return finiteQuotient(a, b: b, negative: negative)
  }

  /// Adds `b` to `a`.
  public static func += (a: inout Decimal128, b: Decimal128) { a = a + b }
  /// Subtracts `b` from `a`.
  public static func -= (a: inout Decimal128, b: Decimal128) { a = a - b }
  /// Multiplies `a` by `b`.
  public static func *= (a: inout Decimal128, b: Decimal128) { a = a * b }
  /// Divides `a` by `b`.
  public static func /= (a: inout Decimal128, b: Decimal128) { a = a / b }

  private static func infiniteSum(_ a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .nan }
    if a.isInfinite && b.isInfinite { return a.isNegative == b.isNegative ? a : .nan }
    return a.isInfinite ? a : b
  }

  /// The most digits by which `finiteSum` shifts the greater operand up: more than any rounding
  /// depends on.
  private static let reach = 41

  /// The sum of two finite numbers. The first has the greater exponent.
  private static func finiteSum(_ a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isZero && !b.isZero { return b }
    var x = a.wideCoefficient
    var y = b.wideCoefficient
    var power = b.exponent
    let gap = a.exponent - b.exponent
    if gap > reach && !a.isZero {
      // Far below the last digit that is kept, any odd digit rounds as the true one does.
      power = a.exponent - reach
      if y.divide(byPowerOfTen: gap - reach), !y.isOdd { y = y + WideInteger(1) }
    }
    x.multiply(byPowerOfTen: Swift.min(gap, reach))
    if a.isNegative == b.isNegative {
      return Decimal128(rounding: x + y, exponent: power, negative: a.isNegative)
    }
    if x == y { return Decimal128(rounding: .zero, exponent: power, negative: false) }
    return x > y
      ? Decimal128(rounding: x - y, exponent: power, negative: a.isNegative)
      : Decimal128(rounding: y - x, exponent: power, negative: b.isNegative)
  }

  private static func finiteQuotient(
    _ a: Decimal128, b: Decimal128, negative: Bool
  ) -> Decimal128 {
    let ideal = a.exponent - b.exponent
    if a.isZero { return Decimal128(rounding: .zero, exponent: ideal, negative: negative) }
    var numerator = a.wideCoefficient
    let divisor = b.wideCoefficient
    let scale = maxDigits + 1 + divisor.digits - numerator.digits
    let lift = Swift.max(scale, 0)
    numerator.multiply(byPowerOfTen: lift)
    var (quotient, remains) = numerator.divided(by: divisor)
    var power = ideal - lift
    if !remains { (quotient, power) = stripped(quotient, power: power, towards: ideal) }
    return Decimal128(rounding: quotient, exponent: power, negative: negative, inexact: remains)
  }

  /// An exact quotient without the zeros that the division appended.
  private static func stripped(
    _ digits: WideInteger, power: Int, towards ideal: Int
  ) -> (WideInteger, Int) {
    var result = digits
    var exponent = power
    var shorter = result
    while exponent < ideal, shorter.divide(by: 10) == 0 {
      result = shorter
      exponent += 1
    }
    return (result, exponent)
  }
}

extension Decimal128: Numeric {
  /// Creates the number of an integer; returns nil if 34 digits cannot represent it.
  public init?<T: BinaryInteger>(exactly source: T) {
    let value = Decimal128(source)
    guard value.isFinite, value.exponent >= 0 || value.isZero else { return nil }
    guard value.description == "\(source)" || value.exponent == 0 else { return nil }
    self = value
  }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates the number of an integer literal.
  public init(integerLiteral value: Int64) {
    self.init(value)
  }

  /// Creates the number of a literal, by the shortest digits of its double.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// Creates the number of a text literal, or NaN if it is not a number.
  public init(stringLiteral value: String) {
    self = Decimal128(text: value) ?? .nan
  }
}

extension Decimal128: Codable {
  /// Decodes a number, or a text that is one.
  ///
  /// - Throws: `DecodingError`, or ``ValueError`` for a text that is not a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(number)
    } else if let number = try? container.decode(Double.self) {
      self.init(number)
    } else {
      try self.init(string: container.decode(String.self))
    }
  }

  /// Encodes the number as text, which keeps every digit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Decimal128 {
  /// The digits of a finite number, with spare bits for computations.
  var wideCoefficient: WideInteger {
    WideInteger(high: coefficient.high, low: coefficient.low)
  }

  /// Creates the number nearest to `coefficient` x 10^`exponent`, ties to even.
  ///
  /// `inexact` says that digits below the last one of the coefficient were already dropped.
  init(rounding coefficient: WideInteger, exponent: Int, negative: Bool, inexact: Bool = false) {
    var digits = coefficient
    var power = exponent
    let surplus = Swift.max(digits.digits - Decimal128.maxDigits, Decimal128.minExponent - exponent)
    if surplus > 0 {
      var lost = inexact
      if digits.divide(byPowerOfTen: surplus - 1) { lost = true }
      let last = digits.divide(by: 10)
      if last > 5 || (last == 5 && (lost || digits.isOdd)) { digits = digits + WideInteger(1) }
      power += surplus
    }
    self.init(fitting: digits, exponent: power, negative: negative)
  }

  /// Creates a number of at most 34 digits, or 10^34, and brings its exponent within the limits.
  private init(fitting coefficient: WideInteger, exponent: Int, negative: Bool) {
    var digits = coefficient
    var power = exponent
    if digits.digits > Decimal128.maxDigits {
      digits.divide(by: 10)
      power += 1
    }
    if digits.isZero {
      power = Swift.min(Swift.max(power, Decimal128.minExponent), Decimal128.maxExponent)
    }
    if power > Decimal128.maxExponent {
      let padding = power - Decimal128.maxExponent
      guard padding <= Decimal128.maxDigits - digits.digits else {
        self = negative ? -.infinity : .infinity
        return
      }
      digits.multiply(byPowerOfTen: padding)
      power = Decimal128.maxExponent
    }
    self.init(negative: negative, coefficient: digits.halves, exponent: power)
  }
}
