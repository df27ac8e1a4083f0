import CairnValues

/// A sum of 64-bit integers that cannot overflow: 128 bits, two's complement.
struct WideInteger: Equatable, Sendable {
  private(set) var high: Int64 = 0
  private(set) var low: UInt64 = 0

  @inline(__always)
  static func += (sum: inout WideInteger, number: Int64) {
    let (low, carry) = sum.low.addingReportingOverflow(UInt64(bitPattern: number))
    sum.low = low
    sum.high &+= (number >> 63) &+ (carry ? 1 : 0)
  }

  @inline(__always)
  static func += (sum: inout WideInteger, number: UInt64) {
    let (low, carry) = sum.low.addingReportingOverflow(number)
    sum.low = low
    sum.high &+= carry ? 1 : 0
  }

  static func += (sum: inout WideInteger, other: WideInteger) {
    let (low, carry) = sum.low.addingReportingOverflow(other.low)
    sum.low = low
    sum.high &+= other.high &+ (carry ? 1 : 0)
  }

  /// Adds `number` `times` times.
  mutating func add(_ number: Int64, times: Int) {
    let (high, low) = number.multipliedFullWidth(by: Int64(times))
    var product = WideInteger()
    product.high = high
    product.low = low
    self += product
  }

  /// The sum, where 64 bits hold it.
  var exact: Int64? {
    let number = Int64(bitPattern: low)
    return high == number >> 63 ? number : nil
  }

  /// The nearest double.
  var double: Double {
    if let exact { return Double(exact) }
    return Double(high) * 0x1p64 + Double(low)
  }

  /// The sum as a value: an integer, or a decimal where 64 bits do not hold it.
  var value: Value {
    if let exact { return .int(exact) }
    return .decimal(decimal)
  }

  private var decimal: Decimal128 {
    let half = Decimal128(Int64(1) << 32)
    let lowest = Decimal128(Int64(low >> 32)) * half + Decimal128(Int64(low & 0xFFFF_FFFF))
    return Decimal128(high) * half * half + lowest
  }
}
