extension Decimal128 {
  /// The order by value; nil when either is NaN.
  package static func order(_ a: Decimal128, _ b: Decimal128) -> Ordering? {
    if a.isNaN || b.isNaN { return nil }
    if a.signum != b.signum { return Ordering(a.signum, b.signum) }
    let order = orderOfMagnitudes(a, b)
    return a.signum < 0 ? order.reversed : order
  }

  private var signum: Int {
    isZero ? 0 : isNegative ? -1 : 1
  }

  private static func orderOfMagnitudes(_ a: Decimal128, _ b: Decimal128) -> Ordering {
    if a.isInfinite || b.isInfinite { return Ordering(a.isInfinite ? 1 : 0, b.isInfinite ? 1 : 0) }
    if a.isZero { return .equal }
    var x = a.wideCoefficient
    var y = b.wideCoefficient
    let adjusted = Ordering(x.digits + a.exponent, y.digits + b.exponent)
    if adjusted != .equal { return adjusted }
    // Equal leading places: the exponents differ by 33 at most.
    x.multiply(byPowerOfTen: Swift.max(a.exponent - b.exponent, 0))
    y.multiply(byPowerOfTen: Swift.max(b.exponent - a.exponent, 0))
    return Ordering(x, y)
  }
}

/// By value: `1.0` equals `1.00`, a zero equals a minus zero, and a NaN nothing.
extension Decimal128: Hashable, Comparable {
  /// Whether the values are equal.
  public static func == (a: Decimal128, b: Decimal128) -> Bool {
    order(a, b) == .equal
  }

  /// Whether the value is the smaller.
  public static func < (a: Decimal128, b: Decimal128) -> Bool {
    order(a, b) == .less
  }

  /// The same for all spellings of one value.
  public func hash(into hasher: inout Hasher) {
    guard isFinite else {
      hasher.combine(isNaN ? 0 : isNegative ? -1 : 1)
      return
    }
    var digits = wideCoefficient
    var power = exponent
    var shorter = digits
    while !digits.isZero, shorter.divide(by: 10) == 0 {
      digits = shorter
      power += 1
    }
    hasher.combine(digits)
    hasher.combine(digits.isZero ? 0 : power)
    hasher.combine(!digits.isZero && isNegative)
  }
}
