import CairnValues

extension Parser {
  /// A constant that names its type, such as `oid(…)`; nil where the name is no such type.
  mutating func readTyped(_ name: String) throws(PredicateError) -> Value? {
    let type = name.lowercased()
    if type == "geopoint" {
      try advance()
      return .point(try readPosition())
    }
    guard let read = Parser.readers[type] else { return nil }
    lexer.advance()
    let (content, offset) = try lexer.readParenthesised()
    guard let value = read(content) else {
      throw error("'\(content)' is not what \(name) can hold.", at: offset)
    }
    try advance()
    return value
  }

  private static let readers: [String: @Sendable (String) -> Value?] = [
    "oid": { ObjectId(digits: $0).map { .objectId($0) } },
    "uuid": { UUIDBytes($0).map { .uuid($0) } },
    "decimal128": { Decimal128(text: $0).map { .decimal($0) } },
    "float": { Float($0).map { .float($0) } },
    "base64": { Base64.decode($0).map { .data($0) } },
    "object": { link($0).map { .link($0) } },
    "date": { (ISODate.parse($0) ?? Double($0)).map { .date($0) } },
  ]

  /// `3, 17`: the number of a class and a key in it.
  private static func link(_ content: String) -> Link? {
    let numbers = content.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
    guard numbers.count == 2, let table = UInt32(numbers[0]), let key = Int(numbers[1]) else {
      return nil
    }
    return Link(table: table, key: key)
  }
}
