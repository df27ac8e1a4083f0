import CairnObjects
import CairnValues
import Foundation

extension Decimal128 {
  /// The decimal that a value of any type stands for: an integer, `Float`, `Double`, `Decimal`, `NSNumber`, or a
  /// `String` that is a number.
  ///
  /// Any other value is a programming error; text from outside goes through `init(string:)`, which throws.
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

  /// The decimal with the digits of a number of Foundation's.
  public init(number: NSNumber) { self = Decimal128(number.stringValue) ?? .nan }

  /// The nearest decimal of 34 digits.
  public init(_ decimal: Decimal) {
    self = decimal.isNaN ? .nan : Decimal128(decimal.description) ?? .nan
  }

  /// The nearest decimal of Foundation's, which has exponents from -128 to 127 only; NaN beyond them.
  public var decimalValue: Decimal {
    guard isFinite else { return .nan }
    return Decimal(string: description, locale: Locale(identifier: "en_US_POSIX")) ?? .nan
  }
}
