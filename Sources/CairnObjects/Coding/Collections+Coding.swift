extension List: Decodable where Element: Decodable {
  /// The elements, as an array has them.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    append(objectsIn: try decoder.singleValueContainer().decode([Element].self))
  }
}

extension List: Encodable where Element: Encodable {
  /// The elements, as an array has them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// The elements, as an array has them; repeats count once.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    insert(objectsIn: try decoder.singleValueContainer().decode([Element].self))
  }
}

extension MutableSet: Encodable where Element: Encodable {
  /// The elements, as an array has them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Array(self))
  }
}

extension Map: Decodable where Value: Decodable {
  /// The entries, as a dictionary has them.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    for (key, value) in try decoder.singleValueContainer().decode([String: Value].self) {
      updateValue(value, forKey: Key(_mapKey: key))
    }
  }
}

extension Map: Encodable where Value: Encodable {
  /// The entries, as a dictionary has them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let entries = map { ($0.key._mapKey, $0.value) }
    try container.encode(Dictionary(entries) { first, _ in first })
  }
}
