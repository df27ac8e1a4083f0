/// As GeoJSON has a point: `{"type": "Point", "coordinates": [longitude, latitude]}`, and the altitude third unless it
/// is zero.
extension GeoPoint: Codable {
  private enum CodingKeys: CodingKey {
    case type
    case coordinates
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    guard type == "Point" else {
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: container, debugDescription: "'\(type)' is no location; 'Point' is.")
    }
    let numbers = try container.decode([Double].self, forKey: .coordinates)
    guard 2...3 ~= numbers.count,
      let point = GeoPoint(
        latitude: numbers[1], longitude: numbers[0], altitude: numbers.count == 3 ? numbers[2] : 0)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .coordinates, in: container,
        debugDescription: "\(numbers) is no place: longitude -180 ... 180, latitude -90 ... 90.")
    }
    self = point
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("Point", forKey: .type)
    let place = [longitude, latitude]
    try container.encode(altitude == 0 ? place : place + [altitude], forKey: .coordinates)
  }
}
