extension Decimal128 {
  /// The digits of a finite number, with room to compute.
  var wideCoefficient: WideInteger {
    WideInteger(high: coefficient.high, low: coefficient.low)
  }

  /// The number nearest to `coefficient` x 10^`exponent`, ties to even.
  ///
  /// `inexact` says that something below the last digit of the coefficient was already lost.
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

  /// A number of at most 34 digits, or ten to the 34th, brought within the exponents.
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
