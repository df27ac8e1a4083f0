/// Classes of objects that conform to `Decodable` or `Codable` are synthesised through their properties: objects in a
/// store encode as well as those in none.
extension Persisted: Decodable where Value: Decodable {
  /// The value alone, as the property's type decodes it.
  public init(from decoder: any Decoder) throws {
    // Through the container, so that a decoder's ways with dates and data hold.
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}

extension Persisted: Encodable where Value: Encodable {
  /// The value alone, as the property's type encodes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let present else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: container.codingPath, debugDescription: RequiredLocation.unset(nil)))
    }
    try container.encode(present)
  }

  private var present: Value? {
    switch state {
    case .value(let value): value
    case .managed(let property): Value._get(property.object, property.column)
    case .unset, .traced: Value._hasDefault ? Value._default() : nil
    }
  }
}

extension KeyedDecodingContainer {
  /// An optional property: nil where the key is absent, as for null.
  public func decode<T: Decodable>(
    _ type: Persisted<T?>.Type, forKey key: Key
  ) throws -> Persisted<T?> {
    try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
  }
}
