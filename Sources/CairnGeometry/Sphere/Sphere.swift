/// The sphere on which distances are measured.
package enum Sphere {
  /// The distance from the centre to the surface in metres.
  package static let radius = 6_378_100.0

  /// The haversine of the angle between two locations in degrees (0 ... 1), which grows with their
  /// distance.
  package static func haversine(
    _ latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double
  ) -> Double {
    let north = sine(((latitude - otherLatitude) / 2).inRadians)
    let east = sine((wrapped(longitude - otherLongitude) / 2).inRadians)
    return haversine(
      north: north, east: east, cosines: cosine(degrees: latitude) * cosine(degrees: otherLatitude))
  }

  /// The haversine formula: the haversine of the angle between two locations.
  ///
  /// - Parameters:
  ///   - north: The sine of half the difference of latitude.
  ///   - east: The sine of half the difference of longitude.
  ///   - cosines: The product of the cosines of both latitudes.
  @inline(__always)
  static func haversine(north: Double, east: Double, cosines: Double) -> Double {
    north * north + cosines * east * east
  }

  /// The haversine of an angle in radians.
  static func haversine(ofAngle angle: Double) -> Double {
    let half = sine(angle / 2)
    return half * half
  }

  /// The angle in radians whose haversine is given.
  package static func angle(haversine: Double) -> Double {
    2 * arcSine(min(1, haversine.squareRoot()))
  }

  /// The angle in radians between two locations in degrees.
  package static func angle(
    _ latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double
  ) -> Double {
    let near = haversine(
      latitude, longitude: longitude, otherLatitude: otherLatitude, otherLongitude: otherLongitude)
    guard near > farHaversine else { return angle(haversine: near) }
    return .pi
      - angle(
        haversine: haversine(
          latitude, longitude: longitude, otherLatitude: -otherLatitude,
          otherLongitude: opposite(otherLongitude)))
  }
}

// MARK: Far locations

/// Near the antipode a haversine is close to 1, where a double tells angles of 1e-8 radians (11 cm)
/// apart at best. Angles beyond 143 degrees are therefore computed from the antipode's haversine.
extension Sphere {
  /// The haversine beyond which angles are computed from the antipode.
  private static let farHaversine = 0.9

  /// The longitude on the other side of the earth.
  static func opposite(_ longitude: Double) -> Double {
    longitude > 0 ? longitude - 180 : longitude + 180
  }

  /// A number that grows with an angle and keeps its digits up to the antipode: the haversine up to
  /// 0.9, and beyond it 0.09 over the haversine of the angle to the antipode.
  ///
  /// - Parameters:
  ///   - haversine: The haversine of the angle.
  ///   - antipode: The haversine of the angle to the antipode. It is computed only for large angles.
  @inline(__always)
  package static func distanceKey(
    haversine: Double, antipode: @autoclosure () -> Double
  ) -> Double {
    haversine <= farHaversine
      ? haversine : max(haversine, farHaversine * (1 - farHaversine) / antipode())
  }

  /// The angle in radians of a distance key.
  package static func angle(distanceKey key: Double) -> Double {
    key <= farHaversine
      ? angle(haversine: key)
      : .pi - angle(haversine: farHaversine * (1 - farHaversine) / key)
  }
}

/// A location from which distances are measured.
package struct Origin: Sendable {
  private let longitude: Double
  private let latitude: Double
  private let cosLatitude: Double
  /// The sine of the latitude's absolute value.
  private let sinLatitude: Double

  /// The latitude up to which a cosine by the addition theorem is precise.
  private static let seriesLimit = 80.0

  /// Creates an origin at a location in degrees.
  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
    cosLatitude = cosine(degrees: latitude)
    sinLatitude = sine(degrees: abs(latitude))
  }

  /// The angle in radians to a location in degrees.
  package func angle(_ longitude: Double, latitude: Double) -> Double {
    let key = distanceKey(longitude, latitude: latitude, upTo: .infinity) ?? .nan
    return Sphere.angle(distanceKey: key)
  }

  /// The distance key (``Sphere/distanceKey(haversine:antipode:)``) of the angle to a location in
  /// degrees, or nil if it is more than `threshold`.
  package func distanceKey(
    _ longitude: Double, latitude: Double, upTo threshold: Double
  ) -> Double? {
    let north = nearSine(((latitude - self.latitude) / 2).inRadians)
    if north * north > threshold { return nil }
    let east = wrapped(longitude - self.longitude)
    let key = Sphere.distanceKey(
      haversine: haversine(north: north, east: east, latitude: latitude),
      antipode: haversine(
        north: nearSine(((latitude + self.latitude) / 2).inRadians), east: Sphere.opposite(east),
        latitude: latitude))
    return key > threshold ? nil : key
  }

  /// - Parameters:
  ///   - north: The sine of half the difference of latitude.
  ///   - east: The difference of longitude in degrees.
  ///   - latitude: The latitude of the location, or that of its antipode.
  @inline(__always)
  private func haversine(north: Double, east: Double, latitude: Double) -> Double {
    Sphere.haversine(
      north: north, east: nearSine((east / 2).inRadians),
      cosines: cosLatitude(at: abs(latitude)) * cosLatitude)
  }

  /// The cosine of a latitude that is not negative, computed from the origin's own where the
  /// difference is small.
  @inline(__always)
  private func cosLatitude(at latitude: Double) -> Double {
    let own = abs(self.latitude)
    guard max(own, latitude) < Self.seriesLimit else { return cosine(degrees: latitude) }
    let half = nearSine(((latitude - own) / 2).inRadians)
    return cosLatitude * (1 - 2 * half * half)
      - sinLatitude * 2 * half * (1 - half * half).squareRoot()
  }

  /// A lower bound of the distance keys of everything in a rectangle.
  package func lowerBoundKey(to envelope: Envelope) -> Double {
    let haversine = lowerBoundHaversine(to: envelope)
    return Sphere.distanceKey(haversine: haversine, antipode: 1 - haversine)
  }

  /// A lower bound of the haversine of the angle to anything in a rectangle.
  func lowerBoundHaversine(to envelope: Envelope) -> Double {
    let degrees = SIMD4<Double>(envelope.lanes) / E7.perDegree
    let (west, south, east, north) = (degrees.x, degrees.y, -degrees.z, -degrees.w)
    let rise = max(0, south - latitude, latitude - north)
    let climb = nearSine((rise / 2).inRadians)
    let gap = gap(west: west, east: east)
    guard gap > 0 else { return climb * climb * (1 - 1e-12) }
    let smallestCosine = cosLatitude(at: max(abs(south), abs(north)))
    return Sphere.haversine(
      north: climb, east: nearSine((gap / 2).inRadians), cosines: smallestCosine * cosLatitude)
      * (1 - 1e-12)
  }

  /// A rectangle that contains every location within some distance, given as its haversine.
  ///
  /// Returns nil if the locations reach a pole or the antimeridian, or far beyond what a rectangle
  /// describes well.
  package func envelope(haversine square: Double) -> Envelope? {
    guard square < 0.01, abs(latitude) < Self.seriesLimit else { return nil }
    // A nanoradian is more than any rounding.
    let angle = 2 * arcSine(square.squareRoot()) + 1e-9
    let turn = sine(angle) / cosLatitude
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
