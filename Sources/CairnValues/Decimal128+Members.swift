extension Decimal128 {
  /// A type for the distance between two numbers.
  public typealias Stride = Decimal128
  /// A type for numbers without their sign.
  public typealias Magnitude = Decimal128

  /// The least finite number.
  public static var min: Decimal128 { -greatestFiniteMagnitude }
  /// The greatest finite number.
  public static var max: Decimal128 { greatestFiniteMagnitude }

  /// The number as text, as `description` gives it.
  public var stringValue: String { description }

  /// Whether the number is not a number: all of these count as signaling.
  public var isSignaling: Bool { isNaN }
  /// Whether the number is not a number.
  public var isSignalingNaN: Bool { isNaN }

  /// The difference from this number to another.
  public func distance(to other: Decimal128) -> Decimal128 { other - self }
  /// The number that lies a distance further on.
  public func advanced(by distance: Decimal128) -> Decimal128 { self + distance }
}
