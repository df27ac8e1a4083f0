/// A unit of distances, as the shell's options and the predicate language write it.
package enum DistanceUnit: String, CaseIterable, Sendable {
  case meters = "m"
  case kilometers = "km"
  /// 1609.344 metres.
  case miles = "mi"
  /// 1852 metres.
  case nauticalMiles = "nmi"
  /// 0.3048 metres.
  case feet = "ft"
  /// 0.9144 metres.
  case yards = "yd"
  /// Degrees of a great circle.
  case degrees = "deg"
  case radians = "rad"

  /// The unit of that name in any case; `nm` is the nautical mile too, and never a nanometre.
  package init?(_ name: some StringProtocol) {
    let name = name.lowercased()
    self.init(rawValue: name == "nm" ? "nmi" : name)
  }

  /// The names of all units.
  package static var names: [String] { allCases.map(\.rawValue) }

  /// The unit that a longer name or a slip of the finger stands for; nil: none is near.
  package static func meant(by name: some StringProtocol) -> DistanceUnit? {
    let name = name.lowercased()
    return longNames.first { $0.value.contains(name) }?.key
  }

  private static let longNames: [DistanceUnit: Set<String>] = [
    .meters: ["metre", "metres", "meter", "meters", "mt", "mtr"],
    .kilometers: ["kilometre", "kilometres", "kilometer", "kilometers", "kms", "k"],
    .miles: ["mile", "miles", "mil"],
    .nauticalMiles: ["nauticalmile", "nauticalmiles", "nautical", "sm", "nmile", "nmiles"],
    .feet: ["foot", "feet", "'"],
    .yards: ["yard", "yards", "yds"],
    .degrees: ["degree", "degrees", "\u{B0}"],
    .radians: ["radian", "radians"],
  ]

  /// So many of the unit; nil for a negative number or one that is not a number.
  package func distance(_ number: Double) -> Distance? {
    switch self {
    case .meters: .meters(number)
    case .kilometers: .kilometers(number)
    case .miles: .miles(number)
    case .nauticalMiles: .meters(number * 1852)
    case .feet: .meters(number * 0.3048)
    case .yards: .meters(number * 0.9144)
    case .degrees: .degrees(number)
    case .radians: .radians(number)
    }
  }
}
