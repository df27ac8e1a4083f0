extension Results: Encodable where Element: Encodable {
  /// Writes the elements as an array, one after the other as they are found.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}
