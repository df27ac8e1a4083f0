/// The limits of degrees on the earth: ±180 and ±90.
///
/// Programs that compute coordinates leave noise of rounding there, as 180.00000000000006 in files of
/// Natural Earth. A value that is beyond a limit by 1e-9 degrees or less, a tenth of a millimetre, is
/// the limit.
package enum EarthLimits {
  private static let noise = 1e-9

  /// The longitude without noise; a longitude that is farther beyond the limit stays as it is.
  @inline(__always)
  package static func longitude(_ degrees: Double) -> Double { snapped(degrees, limit: 180) }

  /// The latitude without noise; a latitude that is farther beyond the limit stays as it is.
  @inline(__always)
  package static func latitude(_ degrees: Double) -> Double { snapped(degrees, limit: 90) }

  /// The value without noise at a limit.
  @inline(__always)
  package static func snapped(_ value: Double, limit: Double) -> Double {
    if value.magnitude <= limit { return value }
    return value.magnitude <= limit + noise ? (value < 0 ? -limit : limit) : value
  }
}
