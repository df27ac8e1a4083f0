import CairnValues
import FoundationEssentials

/// As JSON has values: null, flags, numbers, texts, arrays and objects. What JSON has no type for, such as a date or an
/// id, is written as the encoder writes it, and comes back as that: a text or a number.
extension AnyRealmValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int.self) {
      self = .int(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let list = try? container.decode([AnyRealmValue].self) {
      self = .fromArray(list)
    } else {
      self = .fromDictionary(try container.decode([String: AnyRealmValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .int(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .objectId(let value): try container.encode(value)
    case .decimal128(let value): try container.encode(value)
    case .uuid(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    case .object(let object): try AnyRealmValue.encode(object, into: &container)
    }
  }

  private static func encode(
    _ object: Object, into container: inout any SingleValueEncodingContainer
  ) throws {
    guard let encodable = object as? any Encodable else {
      throw EncodingError.invalidValue(
        object,
        EncodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "'\(type(of: object))' does not conform to Encodable."))
    }
    try container.encode(encodable)
  }
}
