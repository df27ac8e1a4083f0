import CairnSystem

// The C library's functions under one import. Angles are in radians unless the name says otherwise.

@inline(__always) func sine(_ x: Double) -> Double { sin(x) }
@inline(__always) func cosine(_ x: Double) -> Double { cos(x) }
@inline(__always) func tangent(_ x: Double) -> Double { tan(x) }
@inline(__always) func arcSine(_ x: Double) -> Double { asin(x) }
@inline(__always) func arcCosine(_ x: Double) -> Double { acos(x) }
@inline(__always) func arcTangent(_ y: Double, x: Double) -> Double { atan2(y, x) }

/// The sine, by its series where five terms give full precision: most differences between
/// neighbours are that small.
@inline(__always) func nearSine(_ x: Double) -> Double {
  guard abs(x) < 0.0625 else { return sin(x) }
  let y = x * x
  return x + x * y * (-1 / 6 + y * (1 / 120 + y * (-1 / 5040 + y * (1 / 362_880))))
}

extension Double {
  /// Degrees converted to radians.
  @inline(__always) var inRadians: Double { self * (.pi / 180) }
  /// Radians converted to degrees.
  @inline(__always) var inDegrees: Double { self * (180 / .pi) }
}

/// The sine of an angle in degrees, exact at the multiples of 90 up to 180.
func sine(degrees: Double) -> Double {
  let size = abs(degrees)
  let value = size <= 90 ? sine(size.inRadians) : sine((180 - size).inRadians)
  return degrees < 0 ? -value : value
}

/// The cosine of an angle in degrees, exact at the multiples of 90 up to 180, and without
/// cancellation near them.
func cosine(degrees: Double) -> Double {
  sine((90 - abs(degrees)).inRadians)
}

/// An angle in degrees, wrapped into -180 ... 180 by at most one turn.
func wrapped(_ degrees: Double) -> Double {
  if degrees > 180 { return degrees - 360 }
  return degrees < -180 ? degrees + 360 : degrees
}

/// An angle in degrees, wrapped into -180 ... 180 by whole turns.
func normalized(_ degrees: Double) -> Double {
  abs(degrees) <= 180 ? degrees : degrees - (degrees / 360).rounded() * 360
}

/// The rounding error of an orientation's determinant, relative to the sum of its products' sizes.
///
/// Source: Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", Discrete & Computational Geometry 18 (1997).
@inline(__always) var orientationErrorBound: Double { 3.330_669_073_875_472e-16 }
