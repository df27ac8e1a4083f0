import CairnGeometry

/// What is wrong with the value of an option; the parser puts the option's name before it.
struct OptionError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Places and rectangles as the command line spells them.
enum Coordinates {
  /// `LAT,LON` in degrees.
  static func place(_ text: String) throws -> GeoPoint {
    guard let numbers = NumberText.list(text), numbers.count == 2 else {
      throw OptionError("a place is two numbers, LATITUDE,LONGITUDE, as in 48.85,2.35")
    }
    if abs(numbers[0]) > 90, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 {
      throw OptionError(
        "latitude \(numbers[0]) is not between -90 and 90; latitude comes first: did you mean \(numbers[1]),\(numbers[0])?"
      )
    }
    return try point(latitude: numbers[0], longitude: numbers[1])
  }

  /// `W,S,E,N` in degrees.
  static func box(_ text: String) throws -> GeoBox {
    guard let numbers = NumberText.list(text), numbers.count == 4 else {
      throw OptionError("a box is four numbers, WEST,SOUTH,EAST,NORTH, as in -10,40,5,50")
    }
    guard numbers[1] <= numbers[3] else {
      throw OptionError(
        "south \(numbers[1]) is north of north \(numbers[3]); a box is WEST,SOUTH,EAST,NORTH, as in -10,40,5,50"
      )
    }
    return GeoBox(
      bottomLeft: try point(latitude: numbers[1], longitude: numbers[0]),
      topRight: try point(latitude: numbers[3], longitude: numbers[2]))
  }

  private static func point(latitude: Double, longitude: Double) throws -> GeoPoint {
    guard abs(latitude) <= 90 else {
      throw OptionError("latitude \(latitude) is not between -90 and 90")
    }
    guard abs(longitude) <= 180,
      let point = GeoPoint(latitude: latitude, longitude: longitude)
    else { throw OptionError("longitude \(longitude) is not between -180 and 180") }
    return point
  }
}
