internal import CairnValues

/// The places of all rows, eight bytes each.
struct PlaceLog {
  private var packed: [(longitude: Int32, latitude: Int32)] = []
  private static let scale = 1e7

  var count: Int { packed.count }

  mutating func append(_ place: Position) {
    packed.append(
      (Int32(place.longitude * Self.scale), Int32(place.latitude * Self.scale)))
  }

  /// Degrees.
  subscript(index: Int) -> (longitude: Double, latitude: Double) {
    let place = packed[index]
    return (Double(place.longitude) / Self.scale, Double(place.latitude) / Self.scale)
  }
}
