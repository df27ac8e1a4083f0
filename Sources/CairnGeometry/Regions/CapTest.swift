/// A cap of the sphere of at most a quarter turn, or what such a cap leaves over.
struct CapTest: Sendable {
  let longitude: Double
  let latitude: Double
  /// The radius of the cap, 0 ... pi / 2.
  let radius: Double
  /// The region is what lies outside of the open cap.
  let isComplement: Bool
  /// The square of the sine of half the radius: the greatest half chord squared.
  let limit: Double
  private let flatness: Double

  /// Sorts points given in steps.
  let filter: CapFilter

  /// Nil for a radius that takes in the whole sphere.
  init?(_ circle: GeoCircle) {
    let center = circle.center
    guard circle.radiusInRadians < .pi else { return nil }
    isComplement = circle.radiusInRadians > .pi / 2
    if isComplement {
      radius = .pi - circle.radiusInRadians
      latitude = -center.latitude
      longitude = center.longitude > 0 ? center.longitude - 180 : center.longitude + 180
    } else {
      radius = circle.radiusInRadians
      latitude = center.latitude
      longitude = center.longitude
    }
    let half = sine(radius / 2)
    limit = half * half
    flatness = cosine(degrees: latitude)
    filter = CapFilter(longitude: longitude, latitude: latitude, radius: radius, slack: 1e-13)
  }

  /// Whether a place is in the region: half its chord to the middle squared against the limit.
  func contains(_ longitude: Double, _ latitude: Double) -> Bool {
    let chord = halfChordSquared(longitude, latitude)
    return isComplement ? chord >= limit : chord <= limit
  }

  private func halfChordSquared(_ longitude: Double, _ latitude: Double) -> Double {
    let north = sine(((latitude - self.latitude) / 2).inRadians)
    let east = sine((wrapped(longitude - self.longitude) / 2).inRadians)
    return north * north + cosine(degrees: latitude) * flatness * east * east
  }
}
