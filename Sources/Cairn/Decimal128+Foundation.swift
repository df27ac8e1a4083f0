import CairnObjects
import CairnValues
import Foundation

extension Decimal128 {
  /// Creates a decimal from a value of any type: an integer, `Float`, `Double`, `Decimal`,
  /// `NSNumber`, or a `String` that contains a number.
  ///
  /// Any other value is a programming error. For text from outside the program use `init(string:)`,
  /// which throws.
  public init(value: Any) {
    switch value {
    case let decimal as Decimal128: self = decimal
    case let number as any BinaryInteger: self.init(number)
    case let number as Double: self.init(number)
    case let number as Float: self.init(number)
    case let decimal as Decimal: self.init(decimal)
    case let number as NSNumber: self.init(number: number)
    case let text as String:
      guard let number = Decimal128(text) else {
        programmingError("'\(text)' is not a decimal number.")
      }
      self = number
    default:
      programmingError("A value of type '\(type(of: value))' is not a decimal number.")
    }
  }

  /// Creates a decimal with the digits of an `NSNumber`.
  public init(number: NSNumber) { self = Decimal128(number.stringValue) ?? .nan }

  /// Creates the nearest decimal of 34 digits.
  public init(_ decimal: Decimal) {
    self = decimal.isNaN ? .nan : Decimal128(decimal.description) ?? .nan
  }

  /// The nearest Foundation `Decimal`. Its exponents range from -128 to 127 only; numbers beyond
  /// become NaN.
  public var decimalValue: Decimal {
    guard isFinite else { return .nan }
    return Decimal(string: description, locale: Locale(identifier: "en_US_POSIX")) ?? .nan
  }
}
