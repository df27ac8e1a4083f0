/// A location as a property holds it: degrees, degrees, metres.
package struct Position: Hashable, Sendable {
  /// Degrees, -90 to 90.
  package var latitude: Double
  /// Degrees, -180 to 180.
  package var longitude: Double
  /// Metres.
  package var altitude: Double

  /// A location: degrees, degrees, metres.
  @inlinable
  package init(latitude: Double, longitude: Double, altitude: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}
