/// A length along the surface of the sphere.
public struct Distance: Hashable, Comparable, Sendable {
  fileprivate static let metresPerMile = 1609.344
  fileprivate static let metresPerNauticalMile = 1852.0
  fileprivate static let metresPerFoot = 0.3048
  fileprivate static let metresPerYard = 0.9144

  /// The angle that the length spans at the centre of the earth.
  public let radians: Double

  init(validRadians radians: Double) { self.radians = radians }

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// A distance in radians of a great circle; nil for a negative value or NaN.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }
  /// A distance in degrees of a great circle; nil for a negative value or NaN.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees.inRadians) }
  /// A distance in metres; nil for a negative value or NaN.
  public static func meters(_ meters: Double) -> Distance? { Distance(meters / Sphere.radius) }
  /// A distance in kilometres; nil for a negative value or NaN.
  public static func kilometers(_ kilometers: Double) -> Distance? { meters(kilometers * 1000) }
  /// A distance in miles of 1609.344 metres; nil for a negative value or NaN.
  public static func miles(_ miles: Double) -> Distance? { meters(miles * metresPerMile) }
  /// A distance in nautical miles of 1852 metres; nil for a negative value or NaN.
  public static func nauticalMiles(_ miles: Double) -> Distance? {
    meters(miles * metresPerNauticalMile)
  }
  /// A distance in feet of 0.3048 metres; nil for a negative value or NaN.
  public static func feet(_ feet: Double) -> Distance? { meters(feet * metresPerFoot) }
  /// A distance in yards of 0.9144 metres; nil for a negative value or NaN.
  public static func yards(_ yards: Double) -> Distance? { meters(yards * metresPerYard) }

  /// Returns the length in degrees of a great circle.
  public func asDegrees() -> Double { radians.inDegrees }
  /// Returns the length in metres.
  public func asMeters() -> Double { radians * Sphere.radius }
  /// Returns the length in kilometres.
  public func asKilometers() -> Double { asMeters() / 1000 }
  /// Returns the length in miles of 1609.344 metres.
  public func asMiles() -> Double { asMeters() / Self.metresPerMile }
  /// Returns the length in nautical miles of 1852 metres.
  public func asNauticalMiles() -> Double { asMeters() / Self.metresPerNauticalMile }
  /// Returns the length in feet of 0.3048 metres.
  public func asFeet() -> Double { asMeters() / Self.metresPerFoot }
  /// Returns the length in yards of 0.9144 metres.
  public func asYards() -> Double { asMeters() / Self.metresPerYard }

  /// Whether the left distance is shorter.
  public static func < (left: Distance, right: Distance) -> Bool { left.radians < right.radians }
}

extension Distance: CustomStringConvertible {
  /// The length in metres, as in `1500.0 m`.
  public var description: String { "\(asMeters()) m" }
}

/// A unit of distance, as the shell's options and the predicate language write it.
package enum DistanceUnit: String, CaseIterable, Sendable {
  /// Metres.
  case meters = "m"
  /// Kilometres.
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
  /// Radians of a great circle.
  case radians = "rad"

  /// The unit of that name in any case. `nm` is another name of the nautical mile and never means a
  /// nanometre.
  package init?(_ name: some StringProtocol) {
    let name = name.lowercased()
    self.init(rawValue: name == "nm" ? "nmi" : name)
  }

  /// The names of all units.
  package static var names: [String] { allCases.map(\.rawValue) }

  /// The unit that a longer name or a typing error probably means, or nil if no unit is similar.
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

  /// The unit in metres along the sphere.
  package var meters: Double {
    switch self {
    case .meters: 1
    case .kilometers: 1000
    case .miles: Distance.metresPerMile
    case .nauticalMiles: Distance.metresPerNauticalMile
    case .feet: Distance.metresPerFoot
    case .yards: Distance.metresPerYard
    case .degrees: Sphere.radius * .pi / 180
    case .radians: Sphere.radius
    }
  }

  /// The distance of `number` units, or nil if it is negative or NaN.
  package func distance(_ number: Double) -> Distance? {
    switch self {
    case .meters: .meters(number)
    case .kilometers: .kilometers(number)
    case .miles: .miles(number)
    case .nauticalMiles: .nauticalMiles(number)
    case .feet: .feet(number)
    case .yards: .yards(number)
    case .degrees: .degrees(number)
    case .radians: .radians(number)
    }
  }
}
