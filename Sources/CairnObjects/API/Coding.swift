import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The conformances that let the compiler synthesize `Decodable` and `Codable` for object classes.
/// Managed and unmanaged objects encode alike.
extension Persisted: Decodable where Value: Decodable {
  /// Decodes the bare value as the property's type does.
  public init(from decoder: any Decoder) throws {
    // Through the container, so that the decoder's strategies for dates and data apply.
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// Encodes the bare value as the property's type does.
  public func encode(to encoder: any Encoder) throws {
    if Value._kind.leadsToObjects { try checkDepth(encoder) }
    var container = encoder.singleValueContainer()
    guard let present else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: container.codingPath, debugDescription: RequiredLocation.unset(nil)))
    }
    try container.encode(present)
  }

  /// Throws where objects lead to each other over a long way, because encoders follow it by recursion,
  /// and decoders refuse to.
  private func checkDepth(_ encoder: any Encoder) throws {
    let path = encoder.codingPath
    guard path.count > maxCodingDepth else { return }
    // The type in place of the value, because whoever prints the error would print all objects.
    throw EncodingError.invalidValue(
      Value.self,
      EncodingError.Context(
        codingPath: path,
        debugDescription:
          "The objects lead to each other over more than \(maxCodingDepth) steps. Encode "
          + "fewer of them at once, or keys instead of objects."))
  }

  private var present: Value? {
    switch state {
    case .value(let value): value
    case .managed(let property): Value._get(property.object, column: property.column)
    case .unset, .traced: Value._hasDefault ? Value._default() : nil
    }
  }
}

/// The longest coding path of a value that leads to objects; Foundation's decoder for JSON reads 512 levels.
private let maxCodingDepth = 500

extension KeyedDecodingContainer {
  /// Decodes an optional property; a missing key decodes as nil, like null.
  public func decode<T: Decodable>(
    _ type: Persisted<T?>.Type, forKey key: Key
  ) throws -> Persisted<T?> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
  }
}

extension List: Decodable where Element: Decodable {
  /// Decodes the elements from an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try decoder.singleValueContainer().decode([Element].self))
  }
}

extension List: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes the elements from an array; duplicates are inserted once.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    insert(objectsIn: try decoder.singleValueContainer().decode([Element].self))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}

extension Map: Decodable where Value: Decodable {
  /// Decodes the entries from a dictionary.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    for (key, value) in try decoder.singleValueContainer().decode([String: Value].self) {
      updateValue(value, forKey: Key(_mapKey: key))
    }
  }
}

extension Map: Encodable where Value: Encodable {
  /// Encodes the entries as a dictionary.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let entries = map { ($0.key._mapKey, $0.value) }
    try container.encode(Dictionary(entries) { first, _ in first })
  }
}

extension Results: Encodable where Element: Encodable {
  /// Encodes the elements as an array, one at a time while the results are read.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

/// The JSON representation of a value: null, boolean, number, string, array or object. JSON has no
/// type for dates or identifiers; the encoder chooses their representation, and they are decoded as
/// that string or number.
extension AnyRealmValue: Codable {
  /// Decodes the value from the type that the decoder finds.
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

  /// Encodes the bare value.
  ///
  /// - Throws: `EncodingError` for an object whose class does not conform to `Encodable`, or the
  ///   error of the encoder.
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
