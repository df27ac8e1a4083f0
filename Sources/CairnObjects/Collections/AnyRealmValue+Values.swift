import CairnValues
import FoundationEssentials

/// The value of each type; nil where it is of another.
extension AnyRealmValue {
  /// The integer.
  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  /// The flag.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number of single precision.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The number of double precision.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// The text.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  /// The bytes.
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  /// The date.
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  /// The object id.
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  /// The decimal number.
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }
  /// The UUID.
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The values under texts.
  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  /// The values in an order.
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// The object, where it is of that class.
  public func object<T: Object>(_ objectType: T.Type) -> T? {
    if case .object(let object) = self { object as? T } else { nil }
  }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral
{
  /// The integer.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// The number of double precision.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// The flag.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// The text.
  public init(stringLiteral value: String) { self = .string(value) }
}
