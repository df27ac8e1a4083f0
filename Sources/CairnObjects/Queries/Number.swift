import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type with a least and a greatest value: numbers and dates.
public protocol MinMaxType {}

/// A type whose values can be summed: numbers.
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
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}

/// Conversions of stored numbers to the type that a program asks for.
enum Number {
  /// The value as `T`; nil for null. A value that `T` cannot represent is a programming error.
  static func convert<T>(_ value: Value, property: String) -> T? {
    if value.isNull { return nil }
    let converted: Any? =
      switch T.self {
      case is Double.Type: value.doubleValue
      case is Float.Type: value.doubleValue.map { Float($0) }
      case is Decimal128.Type: decimal(value)
      case is AnyRealmValue.Type: AnyRealmValue(value)
      case let type as any FixedWidthInteger.Type: integer(value, type: type)
      default: Bridge.any(value)
      }
    guard let result = converted as? T else {
      programmingError(
        "\(DescriptionText.text(of: value)), of property '\(property)', is not a value of type \(T.self)."
      )
    }
    return result
  }

  /// The value in the property's own type, which may be an enumeration or a custom type.
  static func typed<T>(_ value: Value, property: String) -> T? {
    if value.isNull { return nil }
    if let optional = T.self as? any _QueryOptional.Type {
      return wrapped(optional, value, property: property).flatMap { $0 as? T }
    }
    if let type = T.self as? any _Scalar.Type,
      let typed = type.init(_stored: StoredValue(value)) as? T
    {
      return typed
    }
    if let type = T.self as? any FailableCustomPersistable.Type {
      return custom(type, value: value) as? T
    }
    if T.self == AnyRealmValue.self { return AnyRealmValue(value) as? T }
    return convert(value, property: property)
  }

  private static func wrapped<Optional: _QueryOptional>(
    _ type: Optional.Type, _ value: Value, property: String
  ) -> Any? {
    let found: Optional._Wrapped? = typed(value, property: property)
    return found
  }

  private static func custom<T: FailableCustomPersistable>(_ type: T.Type, value: Value) -> T? {
    typed(value, property: "self").flatMap { (stored: T.PersistedType) in T(persistedValue: stored)
    }
  }

  static func zero<T>() -> T {
    typed(.int(0), property: "") ?? programmingError("\(T.self) has no zero.")
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

  private static func integer<I: FixedWidthInteger>(_ value: Value, type: I.Type) -> I? {
    switch value {
    case .int(let number): I(exactly: number)
    case .float(let number): I(exactly: number)
    case .double(let number): I(exactly: number)
    case .decimal(let number): number.exactInteger.flatMap { I(exactly: $0) }
    default: nil
    }
  }
}

/// A type that objects and values can be sorted by: Booleans, numbers, strings, data, dates and
/// IDs. Enumerations and custom types are sorted by their stored values, optionals with null first.
public protocol SortableType {}

extension Int: SortableType {}
extension Int8: SortableType {}
extension Int16: SortableType {}
extension Int32: SortableType {}
extension Int64: SortableType {}
extension Float: SortableType {}
extension Double: SortableType {}
extension Decimal128: SortableType {}
extension String: SortableType {}
extension Date: SortableType {}
extension Data: SortableType {}
extension Bool: SortableType {}
extension ObjectId: SortableType {}
extension UUID: SortableType {}
extension AnyRealmValue: SortableType {}
extension Optional: SortableType where Wrapped: SortableType {}

/// A type whose instances can be sorted by their properties: objects and projections.
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}
