extension Decimal128 {
  /// The sum, rounded to 34 digits, ties to even.
  public static func + (a: Decimal128, b: Decimal128) -> Decimal128 {
    guard a.isFinite && b.isFinite else { return infiniteSum(a, b) }
    return a.exponent >= b.exponent ? finiteSum(a, b) : finiteSum(b, a)
  }

  /// The difference, rounded to 34 digits, ties to even.
  public static func - (a: Decimal128, b: Decimal128) -> Decimal128 {
    a + -b
  }

  /// The product, rounded to 34 digits, ties to even.
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

  /// The quotient, rounded to 34 digits, ties to even; as IEEE 754 has it for zeros and infinities.
  public static func / (a: Decimal128, b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .nan }
    let negative = a.isNegative != b.isNegative
    if a.isInfinite { return b.isInfinite ? .nan : negative ? -.infinity : .infinity }
    if b.isInfinite {
      return Decimal128(negative: negative, coefficient: (0, 0), exponent: minExponent)
    }
    if b.isZero { return a.isZero ? .nan : negative ? -.infinity : .infinity }
    return finiteQuotient(a, b, negative: negative)
  }

  /// Adds in place.
  public static func += (a: inout Decimal128, b: Decimal128) { a = a + b }
  /// Subtracts in place.
  public static func -= (a: inout Decimal128, b: Decimal128) { a = a - b }
  /// Multiplies in place.
  public static func *= (a: inout Decimal128, b: Decimal128) { a = a * b }
  /// Divides in place.
  public static func /= (a: inout Decimal128, b: Decimal128) { a = a / b }

  private static func infiniteSum(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    if a.isNaN || b.isNaN { return .nan }
    if a.isInfinite && b.isInfinite { return a.isNegative == b.isNegative ? a : .nan }
    return a.isInfinite ? a : b
  }

  /// How many places `finiteSum` moves the greater operand up at most: more than any rounding sees.
  private static let reach = 41

  /// The sum of two finite numbers, the first of which has the greater exponent.
  private static func finiteSum(_ a: Decimal128, _ b: Decimal128) -> Decimal128 {
    if a.isZero && !b.isZero { return b }
    var x = a.wideCoefficient
    var y = b.wideCoefficient
    var power = b.exponent
    let gap = a.exponent - b.exponent
    if gap > reach && !a.isZero {
      // Far below the last digit that is kept: any odd digit there rounds as the true one.
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
    _ a: Decimal128, _ b: Decimal128, negative: Bool
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
    if !remains { (quotient, power) = stripped(quotient, power, towards: ideal) }
    return Decimal128(rounding: quotient, exponent: power, negative: negative, inexact: remains)
  }

  /// An exact quotient without the zeros that the division appended.
  private static func stripped(
    _ digits: WideInteger, _ power: Int, towards ideal: Int
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
  /// That integer, where 34 digits hold it.
  public init?<T: BinaryInteger>(exactly source: T) {
    let value = Decimal128(source)
    guard value.isFinite, value.exponent >= 0 || value.isZero else { return nil }
    guard value.description == "\(source)" || value.exponent == 0 else { return nil }
    self = value
  }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// That integer.
  public init(integerLiteral value: Int64) {
    self.init(value)
  }

  /// The number by the shortest digits of its double.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension Decimal128: ExpressibleByStringLiteral {
  /// The number that the literal gives; NaN for any other text.
  public init(stringLiteral value: String) {
    self = Decimal128(text: value) ?? .nan
  }
}

extension Decimal128: Codable {
  /// Reads a number, or a text that is one.
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

  /// Writes the text of the number, which keeps every digit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
