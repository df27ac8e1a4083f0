/// A place from which distances are measured.
package struct Origin: Sendable {
  private let longitude: Double
  private let latitude: Double
  private let flatness: Double
  /// The sine of the latitude's size.
  private let steepness: Double

  /// Up to this latitude a cosine by the addition theorem keeps its digits.
  private static let steepest = 80.0

  /// A place in degrees.
  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
    flatness = cosine(degrees: latitude)
    steepness = sine(degrees: abs(latitude))
  }

  /// The square of half the chord to a place in degrees.
  package func halfChordSquared(_ longitude: Double, _ latitude: Double) -> Double {
    halfChordSquared(longitude, latitude, upTo: .infinity) ?? .nan
  }

  /// The square of half the chord to a place in degrees; nil where it is more than `bar`.
  package func halfChordSquared(
    _ longitude: Double, _ latitude: Double, upTo bar: Double
  ) -> Double? {
    let north = nearSine(((latitude - self.latitude) / 2).inRadians)
    if north * north > bar { return nil }
    let east = nearSine((wrapped(longitude - self.longitude) / 2).inRadians)
    let square = north * north + flatness(at: abs(latitude)) * flatness * east * east
    return square > bar ? nil : square
  }

  /// The cosine of a latitude that is not negative: from the origin's own, where that is not far.
  @inline(__always)
  private func flatness(at latitude: Double) -> Double {
    let own = abs(self.latitude)
    guard max(own, latitude) < Self.steepest else { return cosine(degrees: latitude) }
    let half = nearSine(((latitude - own) / 2).inRadians)
    return flatness * (1 - 2 * half * half) - steepness * 2 * half * (1 - half * half).squareRoot()
  }

  /// No more than the square of half the chord to anything in a rectangle.
  package func leastHalfChordSquared(to envelope: Envelope) -> Double {
    let degrees = SIMD4<Double>(envelope.lanes) / Step.perDegree
    let (west, south, east, north) = (degrees.x, degrees.y, -degrees.z, -degrees.w)
    let rise = max(0, south - latitude, latitude - north)
    let climb = nearSine((rise / 2).inRadians)
    let gap = gap(west: west, east: east)
    guard gap > 0 else { return climb * climb * (1 - 1e-12) }
    let turn = nearSine((gap / 2).inRadians)
    let flattest = flatness(at: max(abs(south), abs(north)))
    return (climb * climb + flattest * flatness * turn * turn) * (1 - 1e-12)
  }

  /// A rectangle that holds every place within some distance, given as the square of half the chord.
  ///
  /// Nil where the places reach a pole or the antimeridian, or far beyond what a rectangle describes well.
  package func envelope(halfChordSquared square: Double) -> Envelope? {
    guard square < 0.01, abs(latitude) < Self.steepest else { return nil }
    // A nanoradian more than any rounding.
    let angle = 2 * arcSine(square.squareRoot()) + 1e-9
    let turn = sine(angle) / flatness
    guard turn < 0.5 else { return nil }
    let (rise, run) = (angle.inDegrees, arcSine(turn).inDegrees)
    guard abs(latitude) + rise < 90, abs(longitude) + run < 180 else { return nil }
    return Envelope(
      west: longitude - run, south: latitude - rise, east: longitude + run, north: latitude + rise)
  }

  /// The least difference of longitude, 0 ... 180.
  private func gap(west: Double, east: Double) -> Double {
    if longitude >= west && longitude <= east { return 0 }
    return min(abs(wrapped(west - longitude)), abs(wrapped(east - longitude)))
  }
}
