import CairnGeometry
import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value of any type that a property can hold: `@Persisted var companion: AnyRealmValue`.
///
/// Locations are excluded: an additional case would break programs that switch over Realm's cases.
public enum AnyRealmValue: Hashable {
  /// No value.
  case none
  /// An integer.
  case int(Int)
  /// A Boolean.
  case bool(Bool)
  /// A single-precision number.
  case float(Float)
  /// A double-precision number.
  case double(Double)
  /// A string.
  case string(String)
  /// Binary data.
  case data(Data)
  /// A date.
  case date(Date)
  /// An object of any class. It reads as ``none`` once the object is deleted.
  case object(Object)
  /// An object ID.
  case objectId(ObjectId)
  /// A decimal number of 34 digits.
  case decimal128(Decimal128)
  /// A UUID.
  case uuid(UUID)
  /// A map from strings to values.
  case dictionary(Map<String, AnyRealmValue>)
  /// A list of values.
  case list(List<AnyRealmValue>)

  /// Creates a value that is ``none``.
  public init() { self = .none }

  /// Creates a list of the array's values.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    let list = List<AnyRealmValue>()
    list.append(objectsIn: array)
    return .list(list)
  }

  /// Creates a map of the dictionary's values.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map.updateValue(value, forKey: key) }
    return .dictionary(map)
  }
}

/// The content by type; each property is nil if the value is of another type.
extension AnyRealmValue {
  /// The content if it is an integer.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The content if it is a Boolean.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The content if it is a single-precision number.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The content if it is a double-precision number.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The content if it is a string.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The content if it is data.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The content if it is a date.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The content if it is an object ID.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The content if it is a decimal number.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }
  /// The content if it is a UUID.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The content if it is a map from strings to values.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The content if it is a list of values.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The content if it is an object of the class; nil otherwise.
  public func object<T: Object>(_ objectType: T.Type) -> T? {
    if case .object(let object) = self { object as? T } else { nil }
  }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Creates a double-precision number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyRealmValue {
  /// The object as a ``DynamicObject``, whose properties are read by name; nil for other values and
  /// for unmanaged objects.
  ///
  /// Useful for objects of classes that the program does not have: `value.dynamicObject?["name"]`.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    if let dynamic = object as? DynamicObject { return dynamic }
    return object.row.map { DynamicObject._object(at: $0) }
  }
}

extension AnyRealmValue: RealmPropertyType {}
