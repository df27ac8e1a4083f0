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
extension AnyRealmValue: MinMaxType, AddableType {}

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
      case is AnyRealmValue.Type: AnyRealmValue(value)
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

  /// The value as the type that a property has for it: also an enumeration or a type of one's own.
  static func own<T>(_ value: Value, _ property: String) -> T? {
    if value.isNull { return nil }
    if let type = T.self as? any _Scalar.Type,
      let own = type.init(_stored: StoredValue(value)) as? T
    {
      return own
    }
    if let type = T.self as? any FailableCustomPersistable.Type {
      return custom(type, value) as? T
    }
    if T.self == AnyRealmValue.self { return AnyRealmValue(value) as? T }
    return convert(value, property)
  }

  private static func custom<T: FailableCustomPersistable>(_ type: T.Type, _ value: Value) -> T? {
    own(value, "self").flatMap { (stored: T.PersistedType) in T(persistedValue: stored) }
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
