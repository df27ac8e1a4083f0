import CairnGeometry

/// A radius as the command line spells it: a number and its unit.
enum Radius {
  /// `500m`, `50km`, `30mi`, `0.25deg` or `0.01rad`.
  static func parse(_ text: String) throws -> Distance {
    let (digits, unit) = NumberText.split(text)
    guard let number = NumberText.parse(digits) else {
      throw OptionError("a radius is a number and its unit, as in 50km")
    }
    guard let make = maker(of: unit.trimmingSpaces()) else { throw unitError(digits, unit) }
    guard let distance = make(number), distance.radians.isFinite else {
      throw OptionError("a radius is not negative")
    }
    return distance
  }

  private static let units = ["m", "km", "mi", "deg", "rad"]
  private static let longNames: [String: Set<String>] = [
    "m": ["metre", "metres", "meter", "meters"],
    "km": ["kilometre", "kilometres", "kilometer", "kilometers", "kms"],
    "mi": ["mile", "miles"], "deg": ["degree", "degrees", "\u{B0}"], "rad": ["radian", "radians"],
  ]

  private static func maker(of unit: some StringProtocol) -> ((Double) -> Distance?)? {
    switch unit {
    case "m": Distance.meters
    case "km": Distance.kilometers
    case "mi": Distance.miles
    case "deg": Distance.degrees
    case "rad": Distance.radians
    default: nil
    }
  }

  private static func unitError(_ digits: Substring, _ unit: Substring) -> OptionError {
    let list = units.map { digits + $0 }.joined(separator: ", ")
    guard !unit.isEmpty else { return OptionError("a radius carries its unit: \(list)") }
    let name = unit.trimmingSpaces().lowercased()
    let meant = longNames.first { $0.value.contains(name) }?.key
    let nearest = meant ?? Hint.nearest(name, among: units)
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? "."
    return OptionError("'\(name)' is no unit of a radius\(hint) It is written \(list)")
  }
}
