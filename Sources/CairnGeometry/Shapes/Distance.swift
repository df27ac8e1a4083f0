/// A length along the surface of the sphere.
public struct Distance: Hashable, Comparable, Sendable {
  private static let metresPerMile = 1609.344

  /// The angle that the length spans at the centre of the earth.
  public let radians: Double

  init(validRadians radians: Double) { self.radians = radians }

  private init?(_ radians: Double) {
    guard radians >= 0 else { return nil }
    self.radians = radians
  }

  /// Nil for a negative value or one that is not a number.
  public static func radians(_ radians: Double) -> Distance? { Distance(radians) }
  /// Nil for a negative value or one that is not a number.
  public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees.inRadians) }
  /// Nil for a negative value or one that is not a number.
  public static func meters(_ meters: Double) -> Distance? { Distance(meters / Sphere.radius) }
  /// Nil for a negative value or one that is not a number.
  public static func kilometers(_ kilometers: Double) -> Distance? { meters(kilometers * 1000) }
  /// Nil for a negative value or one that is not a number; a mile has 1609.344 metres.
  public static func miles(_ miles: Double) -> Distance? { meters(miles * metresPerMile) }

  /// The length in degrees of a great circle.
  public func asDegrees() -> Double { radians.inDegrees }
  /// The length in metres.
  public func asMeters() -> Double { radians * Sphere.radius }
  /// The length in kilometres.
  public func asKilometers() -> Double { asMeters() / 1000 }
  /// The length in miles of 1609.344 metres.
  public func asMiles() -> Double { asMeters() / Self.metresPerMile }

  public static func < (left: Distance, right: Distance) -> Bool { left.radians < right.radians }
}

extension Distance: CustomStringConvertible {
  public var description: String { "\(asMeters()) m" }
}
