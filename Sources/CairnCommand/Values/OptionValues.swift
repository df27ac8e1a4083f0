import ArgumentParser
import CairnGeometry

/// An invalid value of an option. The parser puts the option's name before the description.
struct OptionError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Parses the points and boxes of the command line.
enum Coordinates {
  /// Parses `LAT,LON` in degrees.
  static func point(_ text: String) throws -> GeoPoint {
    let numbers = NumberText.list(text) ?? []
    guard numbers.count == 2 else {
      let letters = text.uppercased().contains { "NSEW°".contains($0) } && text.contains(",")
      let more =
        numbers.count == 4
        ? "; for a box, use --bbox WEST,SOUTH,EAST,NORTH"
        : letters && text.contains { $0.isNumber } ? "; south and west are negative" : ""
      throw OptionError("expected LATITUDE,LONGITUDE, as in 48.85,2.35\(more)")
    }
    if abs(numbers[0]) > 90, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 {
      throw OptionError(
        "latitude \(numbers[0]) is not between -90 and 90; latitude comes first: "
          + "did you mean \(numbers[1]),\(numbers[0])?")
    }
    return try point(latitude: numbers[0], longitude: numbers[1], order: "LATITUDE,LONGITUDE")
  }

  /// Parses `W,S,E,N` in degrees.
  static func box(_ text: String) throws -> GeoBox {
    guard let numbers = NumberText.list(text), numbers.count == 4 else {
      throw OptionError("expected WEST,SOUTH,EAST,NORTH, as in -10,40,5,50")
    }
    if let suggestion = swapped(numbers) {
      let latitude = abs(numbers[1]) > 90 ? numbers[1] : numbers[3]
      throw OptionError(
        "latitude \(latitude) is not between -90 and 90; a box is WEST,SOUTH,EAST,NORTH: "
          + "did you mean \(suggestion)?")
    }
    guard numbers[1] <= numbers[3] else {
      throw OptionError(
        "south \(numbers[1]) is north of north \(numbers[3]); "
          + "a box is WEST,SOUTH,EAST,NORTH, as in -10,40,5,50")
    }
    let order = "WEST,SOUTH,EAST,NORTH"
    return GeoBox(
      bottomLeft: try point(latitude: numbers[1], longitude: numbers[0], order: order),
      topRight: try point(latitude: numbers[3], longitude: numbers[2], order: order))
  }

  /// The right order for four numbers that can only be `SOUTH,WEST,NORTH,EAST`; nil if they are
  /// ambiguous.
  private static func swapped(_ numbers: [Double]) -> String? {
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

/// Parses the radius of the command line: a number and its unit.
enum Radius {
  /// A length with the unit in which it was written.
  struct Length {
    let distance: Distance
    let unit: DistanceUnit
  }

  /// Parses `500m`, `50km`, `30mi`, `12nmi`, `800ft`, `100yd`, `0.25deg` or `0.01rad`; the unit may
  /// be in capitals.
  static func parse(_ text: String) throws -> Distance { try length(text).distance }

  /// Parses the same.
  static func length(_ text: String) throws -> Length {
    let (digits, unit) = NumberText.split(text)
    guard let number = NumberText.parse(digits) else {
      throw OptionError("expected a number and a unit, as in 50km")
    }
    guard let unit = DistanceUnit(unit.trimmingSpaces()) else {
      throw unitError(digits, unit: unit)
    }
    guard let distance = unit.distance(number) else {
      throw OptionError("a radius must not be negative")
    }
    guard distance.radians.isFinite else { throw OptionError("the radius is too large") }
    return Length(distance: distance, unit: unit)
  }

  private static func unitError(_ digits: Substring, unit: Substring) -> OptionError {
    let list = DistanceUnit.names.map { digits + $0 }.joined(separator: ", ")
    guard !unit.isEmpty else { return OptionError("a radius needs a unit: \(list)") }
    let name = unit.trimmingSpaces().lowercased()
    let nearest =
      DistanceUnit.meant(by: name)?.rawValue ?? Hint.nearest(name, among: DistanceUnit.names)
    let hint = nearest.map { "; did you mean '\($0)'? Write" } ?? "; write"
    return OptionError("'\(name)' is not a unit of a radius\(hint) \(list)")
  }
}

/// Parses the decimal numbers of the command line.
enum NumberText {
  /// A finite number; nil for anything else, including `nan`, `inf` and hexadecimal numbers.
  static func parse(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy(isPart), let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }

  /// A count, 0 or more.
  static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0 else {
      throw OptionError("expected a whole number, 0 or more, as in 10")
    }
    return count
  }

  /// The numbers of a comma-separated list, in which spaces are allowed; nil if an item is not a
  /// number.
  static func list(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { parse($0.trimmingSpaces()) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// Splits a text such as `12.5km` after its number.
  static func split(_ text: String) -> (number: Substring, rest: Substring) {
    var end = text.startIndex
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      guard isPart(byte) else { break }
      if byte | 0x20 == UInt8(ascii: "e"),
        !continuesExponent(text.utf8[text.utf8.index(after: index)...])
      {
        break
      }
      end = text.utf8.index(after: index)
    }
    return (text[..<end], text[end...])
  }

  private static func continuesExponent(_ rest: Substring.UTF8View) -> Bool {
    guard let first = rest.first else { return false }
    return first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || (48...57).contains(first)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// The text without leading and trailing spaces.
  func trimmingSpaces() -> SubSequence {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

/// The coordinate system of `--crs`.
enum CoordinateSystemName {
  /// The definition for PROJ: the text itself, or `EPSG:2056` for a bare number such as 2056.
  static func definition(_ text: String) -> String {
    let text = text.trimmingSpaces()
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    return isNumber ? "EPSG:\(text)" : String(text)
  }
}

/// The value of an option that is one of a few words, in upper or lower case: `--format CSV`.
package protocol WordArgument: ExpressibleByArgument, RawRepresentable, CaseIterable
where RawValue == String {}

extension WordArgument {
  package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
