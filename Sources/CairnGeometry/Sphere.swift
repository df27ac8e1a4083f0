/// The sphere on which distances are measured.
package enum Sphere {
  /// Metres from the centre to the surface.
  package static let radius = 6_378_100.0

  /// The square of half the chord between two places (0 ... 1), which grows with their distance.
  package static func halfChordSquared(
    _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
  ) -> Double {
    let north = sine(((latitude - otherLatitude) / 2).inRadians)
    let east = sine((wrapped(longitude - otherLongitude) / 2).inRadians)
    return north * north + cosine(degrees: latitude) * cosine(degrees: otherLatitude) * east * east
  }

  /// The angle in radians that belongs to the square of half a chord.
  package static func angle(halfChordSquared: Double) -> Double {
    2 * arcSine(min(1, halfChordSquared.squareRoot()))
  }

  /// The angle in radians between two places in degrees.
  package static func angle(
    _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
  ) -> Double {
    angle(
      halfChordSquared: halfChordSquared(latitude, longitude, otherLatitude, otherLongitude))
  }
}
