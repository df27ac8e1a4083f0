import CairnValues
import FoundationEssentials

/// What has a least and a greatest value: numbers and dates.
public protocol MinMaxType {}

/// What can be added up: numbers.
public protocol AddableType {}

extension Int: MinMaxType, AddableType {}
extension Int8: MinMaxType, AddableType {}
extension Int16: MinMaxType, AddableType {}
extension Int32: MinMaxType, AddableType {}
extension Int64: MinMaxType, AddableType {}
extension Float: MinMaxType, AddableType {}
extension Double: MinMaxType, AddableType {}
extension Decimal128: MinMaxType, AddableType {}
extension Date: MinMaxType {}

/// Stored numbers as the type that a program asks for.
enum Number {
  /// The value as `T`; nil for null. A value that `T` cannot hold is a programming error.
  static func convert<T>(_ value: Value, _ property: String) -> T? {
    if value.isNull { return nil }
    let converted: Any? =
      switch T.self {
      case is Double.Type: double(value)
      case is Float.Type: double(value).map { Float($0) }
      case is Decimal128.Type: decimal(value)
      case let type as any FixedWidthInteger.Type: integer(value, type)
      default: Bridge.any(value)
      }
    guard let result = converted as? T else {
      programmingError(
        "\(ValueText.text(of: value)), of property '\(property)', is not a value of type \(T.self)."
      )
    }
    return result
  }

  static func zero<T>() -> T {
    convert(.int(0), "") ?? programmingError("\(T.self) has no zero.")
  }

  /// The nearest double; nil for what is no number.
  static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): number.doubleValue
    default: nil
    }
  }

  private static func decimal(_ value: Value) -> Decimal128? {
    switch value {
    case .int(let number): Decimal128(number)
    case .float(let number): Decimal128(number)
    case .double(let number): Decimal128(number)
    case .decimal(let number): number
    default: nil
    }
  }

  private static func integer<I: FixedWidthInteger>(_ value: Value, _ type: I.Type) -> I? {
    switch value {
    case .int(let number): I(exactly: number)
    case .float(let number): I(exactly: number)
    case .double(let number): I(exactly: number)
    case .decimal(let number): number.exactInteger.flatMap { I(exactly: $0) }
    default: nil
    }
  }
}
