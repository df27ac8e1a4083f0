/// A place from which distances are measured.
package struct Origin: Sendable {
  private let longitude: Double
  private let latitude: Double
  private let flatness: Double

  /// A place in degrees.
  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
    flatness = cosine(degrees: latitude)
  }

  /// The square of half the chord to a place in degrees.
  package func halfChordSquared(_ longitude: Double, _ latitude: Double) -> Double {
    let north = sine(((latitude - self.latitude) / 2).inRadians)
    let east = sine((wrapped(longitude - self.longitude) / 2).inRadians)
    return north * north + cosine(degrees: latitude) * flatness * east * east
  }

  /// No more than the square of half the chord to anything in a rectangle.
  package func leastHalfChordSquared(to envelope: Envelope) -> Double {
    let (south, north) = (envelope.south, envelope.north)
    let rise = max(0, south - latitude, latitude - north)
    let climb = sine((rise / 2).inRadians)
    let gap = gap(west: envelope.west, east: envelope.east)
    let turn = sine((gap / 2).inRadians)
    let flattest = cosine(degrees: max(abs(south), abs(north)))
    return (climb * climb + flattest * flatness * turn * turn) * (1 - 1e-12)
  }

  /// The least difference of longitude, 0 ... 180.
  private func gap(west: Double, east: Double) -> Double {
    if longitude >= west && longitude <= east { return 0 }
    return min(abs(wrapped(west - longitude)), abs(wrapped(east - longitude)))
  }
}
