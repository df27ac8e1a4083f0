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
    let numbers = NumberText.list(text) ?? []
    guard numbers.count == 2 else {
      let letters = text.uppercased().contains { "NSEW°".contains($0) } && text.contains(",")
      let more =
        numbers.count == 4
        ? "; four are a box, --bbox WEST,SOUTH,EAST,NORTH"
        : letters && text.contains { $0.isNumber } ? "; south and west are negative" : ""
      throw OptionError("a place is two numbers, LATITUDE,LONGITUDE, as in 48.85,2.35\(more)")
    }
    if abs(numbers[0]) > 90, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 {
      throw OptionError(
        "latitude \(numbers[0]) is not between -90 and 90; latitude comes first: did you mean \(numbers[1]),\(numbers[0])?"
      )
    }
    return try point(latitude: numbers[0], longitude: numbers[1], order: "LATITUDE,LONGITUDE")
  }

  /// `W,S,E,N` in degrees.
  static func box(_ text: String) throws -> GeoBox {
    guard let numbers = NumberText.list(text), numbers.count == 4 else {
      throw OptionError("a box is four numbers, WEST,SOUTH,EAST,NORTH, as in -10,40,5,50")
    }
    if let meant = exchanged(numbers) {
      let latitude = abs(numbers[1]) > 90 ? numbers[1] : numbers[3]
      throw OptionError(
        "latitude \(latitude) is not between -90 and 90; a box is WEST,SOUTH,EAST,NORTH: did you mean \(meant)?"
      )
    }
    guard numbers[1] <= numbers[3] else {
      throw OptionError(
        "south \(numbers[1]) is north of north \(numbers[3]); a box is WEST,SOUTH,EAST,NORTH, as in -10,40,5,50"
      )
    }
    let order = "WEST,SOUTH,EAST,NORTH"
    return GeoBox(
      bottomLeft: try point(latitude: numbers[1], longitude: numbers[0], order: order),
      topRight: try point(latitude: numbers[3], longitude: numbers[2], order: order))
  }

  /// The right order of four numbers that can only be `SOUTH,WEST,NORTH,EAST`; nil: they can be something else.
  private static func exchanged(_ numbers: [Double]) -> String? {
    let isBeyondPole = abs(numbers[1]) > 90 || abs(numbers[3]) > 90
    guard isBeyondPole, abs(numbers[0]) <= 90, abs(numbers[2]) <= 90, numbers[0] <= numbers[2],
      abs(numbers[1]) <= 180, abs(numbers[3]) <= 180
    else { return nil }
    return "\(numbers[1]),\(numbers[0]),\(numbers[3]),\(numbers[2])"
  }

  private static func point(
    latitude: Double, longitude: Double, order: String
  ) throws -> GeoPoint {
    guard abs(latitude) <= 90 else {
      throw OptionError("latitude \(latitude) is not between -90 and 90; the order is \(order)")
    }
    guard abs(longitude) <= 180,
      let point = GeoPoint(latitude: latitude, longitude: longitude)
    else {
      throw OptionError("longitude \(longitude) is not between -180 and 180; the order is \(order)")
    }
    return point
  }
}
