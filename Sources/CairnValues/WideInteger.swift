/// An unsigned integer of 256 bits: wide enough for the product of two 34-digit coefficients.
struct WideInteger: Hashable {
  /// The four words, the lowest first.
  var words: SIMD4<UInt64>

  static let zero = WideInteger(0)

  init(_ value: UInt64) {
    words = SIMD4(value, 0, 0, 0)
  }

  init(high: UInt64, low: UInt64) {
    words = SIMD4(low, high, 0, 0)
  }

  var isZero: Bool { words == .zero }
  var isOdd: Bool { words[0] & 1 == 1 }

  /// The lower half.
  var halves: (high: UInt64, low: UInt64) { (words[1], words[0]) }

  /// The number of decimal digits; 0 for zero.
  var digits: Int {
    var count = 0
    var rest = self
    while rest.words[1] | rest.words[2] | rest.words[3] != 0 {
      rest.divide(by: WideInteger.power(19))
      count += 19
    }
    var low = rest.words[0]
    while low > 0 {
      low /= 10
      count += 1
    }
    return count
  }

  /// A power of ten; the exponent is 0 through 19.
  static func power(_ exponent: Int) -> UInt64 { powers[exponent] }

  private static let powers: [UInt64] = (0..<20).map { exponent in
    (0..<exponent).reduce(1) { product, _ in product * 10 }
  }

  /// Multiplies by `factor` and adds `addend`. Bits beyond the 256 are dropped.
  mutating func multiply(by factor: UInt64, adding addend: UInt64 = 0) {
    var carry = addend
    for index in 0..<4 {
      let product = words[index].multipliedFullWidth(by: factor)
      let (sum, overflow) = product.low.addingReportingOverflow(carry)
      words[index] = sum
      carry = product.high &+ (overflow ? 1 : 0)
    }
  }

  /// Multiplies by a power of ten.
  mutating func multiply(byPowerOfTen exponent: Int) {
    var rest = exponent
    while rest > 0 {
      multiply(by: WideInteger.power(min(rest, 19)))
      rest -= 19
    }
  }

  /// Divides by `divisor` and returns the remainder.
  @discardableResult
  mutating func divide(by divisor: UInt64) -> UInt64 {
    var remainder: UInt64 = 0
    for index in stride(from: 3, through: 0, by: -1) {
      (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
    }
    return remainder
  }

  /// Divides by a power of ten; returns whether a remainder was dropped.
  mutating func divide(byPowerOfTen exponent: Int) -> Bool {
    var rest = exponent
    var lost = false
    while rest > 0 && !isZero {
      if divide(by: WideInteger.power(min(rest, 19))) != 0 { lost = true }
      rest -= 19
    }
    return lost
  }

  /// The quotient, computed bit by bit, and whether there is a remainder.
  func divided(by divisor: WideInteger) -> (quotient: WideInteger, remains: Bool) {
    var quotient = WideInteger.zero
    var remainder = WideInteger.zero
    for bit in stride(from: 255, through: 0, by: -1) {
      quotient = quotient << 1
      remainder = remainder << 1
      remainder.words[0] |= words[bit >> 6] >> UInt64(bit & 63) & 1
      if remainder >= divisor {
        remainder = remainder - divisor
        quotient.words[0] |= 1
      }
    }
    return (quotient, !remainder.isZero)
  }

  static func << (value: WideInteger, count: Int) -> WideInteger {
    var result = value
    for _ in 0..<(count / 64) {
      result.words = SIMD4(0, result.words[0], result.words[1], result.words[2])
    }
    let bits = UInt64(count % 64)
    guard bits > 0 else { return result }
    let carried = SIMD4(0, result.words[0], result.words[1], result.words[2]) &>> (64 - bits)
    result.words = result.words &<< bits | carried
    return result
  }

  static func + (a: WideInteger, b: WideInteger) -> WideInteger {
    var sum = a
    var carry: UInt64 = 0
    for index in 0..<4 {
      let (partial, first) = a.words[index].addingReportingOverflow(b.words[index])
      let (total, second) = partial.addingReportingOverflow(carry)
      sum.words[index] = total
      carry = first || second ? 1 : 0
    }
    return sum
  }

  /// The difference; `b` must not be greater than `a`.
  static func - (a: WideInteger, b: WideInteger) -> WideInteger {
    var difference = a
    var borrow: UInt64 = 0
    for index in 0..<4 {
      let (partial, first) = a.words[index].subtractingReportingOverflow(b.words[index])
      let (total, second) = partial.subtractingReportingOverflow(borrow)
      difference.words[index] = total
      borrow = first || second ? 1 : 0
    }
    return difference
  }

  /// The product of two numbers of at most 128 bits.
  static func * (a: WideInteger, b: WideInteger) -> WideInteger {
    var low = a
    low.multiply(by: b.words[0])
    var high = a
    high.multiply(by: b.words[1])
    return low + high << 64
  }
}

extension WideInteger: Comparable {
  static func < (a: WideInteger, b: WideInteger) -> Bool {
    for index in stride(from: 3, through: 0, by: -1) where a.words[index] != b.words[index] {
      return a.words[index] < b.words[index]
    }
    return false
  }
}
