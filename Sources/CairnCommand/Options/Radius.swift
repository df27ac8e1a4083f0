import CairnGeometry

/// A radius as the command line spells it: a number and its unit.
enum Radius {
  /// `500m`, `50km`, `30mi`, `12nmi`, `800ft`, `100yd`, `0.25deg` or `0.01rad`; the unit may be in capitals.
  static func parse(_ text: String) throws -> Distance {
    let (digits, unit) = NumberText.split(text)
    guard let number = NumberText.parse(digits) else {
      throw OptionError("a radius is a number and its unit, as in 50km")
    }
    guard let unit = DistanceUnit(unit.trimmingSpaces()) else { throw unitError(digits, unit) }
    guard let distance = unit.distance(number) else {
      throw OptionError("a radius is not negative")
    }
    guard distance.radians.isFinite else { throw OptionError("the radius is beyond every number") }
    return distance
  }

  private static func unitError(_ digits: Substring, _ unit: Substring) -> OptionError {
    let list = DistanceUnit.names.map { digits + $0 }.joined(separator: ", ")
    guard !unit.isEmpty else { return OptionError("a radius carries its unit: \(list)") }
    let name = unit.trimmingSpaces().lowercased()
    let nearest =
      DistanceUnit.meant(by: name)?.rawValue ?? Hint.nearest(name, among: DistanceUnit.names)
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? "."
    return OptionError("'\(name)' is no unit of a radius\(hint) It is written \(list)")
  }
}
