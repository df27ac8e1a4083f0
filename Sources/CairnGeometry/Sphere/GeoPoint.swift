/// A location on the earth in WGS 84 degrees.
public struct GeoPoint: Hashable, Sendable {
  /// The latitude in degrees north of the equator, -90 ... 90.
  public let latitude: Double
  /// The longitude in degrees east of Greenwich, -180 ... 180.
  public let longitude: Double
  /// The altitude in metres above sea level. Containment and distance ignore it.
  public let altitude: Double

  /// Creates a point; returns nil if a value is NaN or out of range, or the altitude is negative.
  /// Degrees that are beyond their range by 1e-9 or less, as rounding leaves them, are its end.
  public init?(latitude: Double, longitude: Double, altitude: Double = 0) {
    let latitude = EarthLimits.latitude(latitude)
    let longitude = EarthLimits.longitude(longitude)
    guard abs(latitude) <= 90, abs(longitude) <= 180, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Creates the point on the earth that is nearest to values which may be out of range.
  package init(clampedLatitude latitude: Double, longitude: Double) {
    self.latitude = min(max(latitude, -90), 90)
    self.longitude = min(max(longitude, -180), 180)
    altitude = 0
  }

  init?(_ pair: (latitude: Double, longitude: Double)) {
    self.init(latitude: pair.latitude, longitude: pair.longitude)
  }

  /// Returns the distance to another point along the sphere.
  public func distance(to other: GeoPoint) -> Distance {
    Distance(
      validRadians: Sphere.angle(
        latitude, longitude: longitude, otherLatitude: other.latitude,
        otherLongitude: other.longitude))
  }
}

extension GeoPoint: CustomStringConvertible {
  /// The point as (latitude, longitude), with the altitude in metres unless it is zero.
  public var description: String {
    altitude == 0 ? "(\(latitude), \(longitude))" : "(\(latitude), \(longitude), \(altitude) m)"
  }
}

/// The GeoJSON encoding of a point: `{"type": "Point", "coordinates": [longitude, latitude]}`, with
/// the altitude as the third coordinate unless it is zero.
extension GeoPoint: Codable {
  private enum CodingKeys: CodingKey {
    case type
    case coordinates
  }

  /// Decodes a GeoJSON point.
  ///
  /// - Throws: `DecodingError` if it is not a point, or not on the earth.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    guard type == "Point" else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "expected a 'Point', found '\(type)'")
    }
    let numbers = try container.decode([Double].self, forKey: .coordinates)
    guard 2...3 ~= numbers.count,
      let point = GeoPoint(
        latitude: numbers[1], longitude: numbers[0], altitude: numbers.count == 3 ? numbers[2] : 0)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .coordinates, in: container,
        debugDescription:
          "expected longitude -180 ... 180 and latitude -90 ... 90, found \(numbers)")
    }
    self = point
  }

  /// Encodes the point as GeoJSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("Point", forKey: .type)
    let location = [longitude, latitude]
    try container.encode(altitude == 0 ? location : location + [altitude], forKey: .coordinates)
  }
}
