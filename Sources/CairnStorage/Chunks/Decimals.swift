/// Decimal fractions as scaled integers: most numbers that people write down are some, and take half
/// the room of a Double or less.
package enum Decimals {
  /// Powers of ten that a Double holds exactly.
  package static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// 1.5 · 2^52: adding it to a Double of at most 2^51 leaves no room for a fraction.
  private static let roundingMagic = 6_755_399_441_055_744.0
  private static let largest = 2_251_799_813_685_248.0

  /// The integer nearest to `value`, in a few instructions that vectorise; wrong beyond 2^51, which
  /// `isExact` then tells.
  @inline(__always)
  static func nearestInteger(_ value: Double) -> Double { (value + roundingMagic) - roundingMagic }

  /// Whether `code / power` is `value`, bit for bit.
  @inline(__always)
  static func isExact(_ code: Double, _ power: Double, _ value: Double) -> Bool {
    abs(code) < largest && (code / power) == value && !(code == 0 && value.sign == .minus)
  }

  /// Whether every coordinate is a whole number of 1e-7 degrees that an Int32 holds.
  static func areMicroSteps(_ values: UnsafePointer<Double>, _ count: Int) -> Bool {
    for row in 0..<count {
      let code = nearestInteger(values[row] * 1e7)
      if !isExact(code, 1e7, values[row]) || abs(code) > Double(Int32.max) { return false }
    }
    return true
  }
}
