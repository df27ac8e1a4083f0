/// Whole steps of 1e-7 degrees: what a stored coordinate is usually a multiple of.
package enum Step {
  /// Steps in a degree.
  @inlinable package static var perDegree: Double { 1e7 }
  /// Steps to the antimeridian.
  @inlinable package static var halfTurn: Int32 { 1_800_000_000 }
  /// Steps to the pole.
  @inlinable package static var quarterTurn: Int32 { 900_000_000 }

  /// The degrees of a step, as a stored coordinate is read.
  @inlinable
  package static func degrees(_ step: Int32) -> Double { Double(step) / perDegree }

  /// The greatest step that is not above some degrees within ±200.
  package static func below(_ degrees: Double) -> Int32 {
    var step = Int32((degrees * perDegree).rounded(.down))
    while self.degrees(step) > degrees { step -= 1 }
    while self.degrees(step + 1) <= degrees { step += 1 }
    return step
  }

  /// The step at or below some degrees, give or take rounding; far outside the world for what is no number.
  @inline(__always)
  static func near(_ degrees: Double) -> Int32 {
    Int32(max(-2e9, min(2e9, degrees * perDegree)).rounded(.down))
  }

  /// The least step that is not below some degrees within ±200.
  package static func above(_ degrees: Double) -> Int32 { -below(-degrees) }
}
