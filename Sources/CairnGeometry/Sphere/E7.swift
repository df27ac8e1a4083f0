/// E7 fixed point: coordinates in whole units of 1e-7 degree. Stored coordinates usually are
/// multiples of it.
package enum E7 {
  /// The units in a degree.
  @inlinable package static var perDegree: Double { 1e7 }
  /// The units from the prime meridian to the antimeridian.
  @inlinable package static var halfTurn: Int32 { 1_800_000_000 }
  /// The units from the equator to the pole.
  @inlinable package static var quarterTurn: Int32 { 900_000_000 }

  /// The degrees of a fixed point value, exactly as a stored coordinate is read.
  @inlinable
  package static func degrees(_ step: Int32) -> Double { Double(step) / perDegree }

  /// The greatest value that is not above `degrees`, which must be within ±200.
  package static func below(_ degrees: Double) -> Int32 {
    var step = Int32((degrees * perDegree).rounded(.down))
    while self.degrees(step) > degrees { step -= 1 }
    while self.degrees(step + 1) <= degrees { step += 1 }
    return step
  }

  /// The value at or below `degrees`, apart from rounding; far outside of the world for NaN.
  @inline(__always)
  static func near(_ degrees: Double) -> Int32 {
    let steps = max(-2e9, min(2e9, degrees * perDegree))
    let near = Int32(steps)
    return Double(near) > steps ? near - 1 : near
  }

  /// The least value that is not below `degrees`, which must be within ±200.
  package static func above(_ degrees: Double) -> Int32 { -below(-degrees) }
}

extension E7 {
  /// The nearest whole number of units, for values within ±1e8 degrees.
  @inline(__always)
  static func nearest(_ degrees: Double) -> Double {
    // Adding 1.5 * 2^52 drops the fraction, faster than the C library's function.
    (degrees * perDegree + 6_755_399_441_055_744) - 6_755_399_441_055_744
  }

  /// Whether a value is exactly the Double that its nearest fixed point value converts to; -0.0 is
  /// not.
  @inline(__always)
  static func isExact(_ value: Double) -> Bool {
    let step = nearest(value)
    return abs(step) <= Double(Int32.max) && degrees(Int32(step)).bitPattern == value.bitPattern
  }

  /// Whether all values are exact.
  static func areExact(_ values: UnsafeBufferPointer<Double>) -> Bool {
    values.allSatisfy { isExact($0) }
  }
}
