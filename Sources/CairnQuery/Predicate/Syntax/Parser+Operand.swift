import CairnGeometry
import CairnValues

/// One side of a comparison.
struct Side {
  indirect enum Content {
    case expression(Expression)
    case value(Value)
    case list([Value])
    /// A list that contains lists, or a map.
    case collection(CollectionConstant)
    case range(Value, Value, isClosed: Bool)
    case shape(Shape)
    /// `GEODISTANCE(area, geoPoint([8, 50]))`.
    case distance(Side, Side)
  }

  var content: Content
  let position: PredicateSource.SidePosition
  /// Whether `NONE` precedes the side.
  let isNegated: Bool

  init(_ content: Content, position: PredicateSource.SidePosition, isNegated: Bool = false) {
    self.content = content
    self.position = position
    self.isNegated = isNegated
  }

  /// Whether ANY, ALL or the like precedes the side.
  var isQuantified: Bool {
    if case .expression(let expression) = content { expression.quantifier != .one } else { false }
  }
}

extension Parser {
  /// Reads one side of a comparison. If none follows, the error message says that `what` was
  /// expected.
  mutating func readSide(_ what: String) throws(PredicateError) -> Side {
    if let formula = try readFormulaSide(isLeft: what == Parser.conditionText) { return formula }
    let position = PredicateSource.SidePosition(start: token.range.lowerBound)
    switch token.kind {
    case .name(let name, _): return try readNamed(name, what: what)
    case .quotedName, .nextProperty, .variable: return try readSubject()
    case .sign(.openBrace): return Side(try readBraces(), position: position)
    case .sign(.at):
      throw error("A collection operator belongs behind a collection, as in dogs.@count.")
    case .nextArgument, .argument:
      return Side(Parser.content(try readArgument()), position: position)
    case .sign(.open) where what != Parser.conditionText:
      return Side(.list(try readList(.open, close: .close)), position: position)
    case .sign where token.isArithmetic: throw unexpected(what)
    default:
      guard let value = try readLiteral() else { throw expected(what) }
      return Side(.value(value), position: position)
    }
  }

  private static func content(_ argument: PredicateArgument) -> Side.Content {
    switch argument {
    case .value(let value): .value(value)
    case .list(let values): .list(values)
    case .range(let lower, let upper, let isClosed): .range(lower, upper, isClosed: isClosed)
    case .shape(let shape): .shape(shape)
    }
  }

  private mutating func readNamed(_ name: String, what: String) throws(PredicateError) -> Side {
    let position = PredicateSource.SidePosition(start: token.range.lowerBound)
    if lexer.peek() == UInt8(ascii: "(") || beginsEdges(name) {
      if let shape = try readShape(name) { return Side(.shape(shape), position: position) }
    }
    if lexer.peek() == UInt8(ascii: "(") {
      if let value = try readTyped(name) { return Side(.value(value), position: position) }
      if name.lowercased() == "geodistance" { return try readDistance() }
    }
    guard let keyword = token.keyword else {
      if lexer.peek() == UInt8(ascii: "(") { throw functionError(name) }
      return try readSubject()
    }
    if let value = Parser.constant(keyword) {
      try advance()
      return Side(.value(value), position: position)
    }
    switch keyword {
    case .any, .some, .all, .none, .subquery, .self: return try readSubject()
    default:
      throw expected(what, hint: " A property of that name is written in backquotes: `\(name)`.")
    }
  }

  /// Whether the tokens begin `geoPolygon[planar` or the like. Subscripts of properties do not
  /// begin with a letter.
  private func beginsEdges(_ name: String) -> Bool {
    lexer.peek() == UInt8(ascii: "[") && Parser.takesEdges(name)
      && lexer.peek(1).map(\.isLetter) ?? false
  }

  static func constant(_ keyword: Keyword) -> Value? {
    switch keyword {
    case .true, .yes: .bool(true)
    case .false, .no: .bool(false)
    case .nil, .null: .null
    case .nan: .double(.nan)
    case .inf, .infinity: .double(.infinity)
    default: nil
    }
  }

  /// Reads a number, text or date literal; nil if the token is something else.
  mutating func readLiteral() throws(PredicateError) -> Value? {
    let value: Value
    switch token.kind {
    case .string(let text): value = .string(text)
    case .date(let seconds): value = .date(seconds)
    case .number(let number, let unit):
      guard unit.isEmpty else {
        throw error(
          "'\(unit)' is not part of a number; "
            + "only the radius of geoCircle and the length behind GEODISTANCE have a unit.",
          at: token.range.upperBound - unit.utf8.count)
      }
      value = number
    default: return nil
    }
    try advance()
    return value
  }

  /// Reads the content of braces: constants, lists and maps, or the entries of a map.
  private mutating func readBraces() throws(PredicateError) -> Side.Content {
    let constant = try readCollection(depth: 0)
    guard case .list(let elements) = constant else { return .collection(constant) }
    let values = elements.compactMap { element in
      if case .value(let value) = element { value } else { nil }
    }
    return values.count == elements.count ? .list(values) : .collection(constant)
  }

  private mutating func readCollection(depth: Int) throws(PredicateError) -> CollectionConstant {
    let start = token.range.lowerBound
    guard depth < Parser.maxNestedBraces else {
      throw error("Lists are nested too deeply.", kind: .tooLarge, at: start)
    }
    try require(.openBrace, context: "before a list")
    if try take(.closeBrace) { return .list([]) }
    if try take(.colon) {
      try require(.closeBrace, context: "behind the empty map")
      return .entries([])
    }
    var elements: [CollectionConstant] = []
    var entries: [(key: String, value: CollectionConstant)] = []
    repeat {
      let position = token.range.lowerBound
      let element = try readElement(depth: depth)
      guard try take(.colon) else {
        elements.append(element)
        continue
      }
      guard case .value(.string(let key)) = element else {
        throw error("The keys of a map are texts.", at: position)
      }
      entries.append((key, try readElement(depth: depth)))
    } while try take(.comma)
    guard try take(.closeBrace) else { throw expected("',' or '}' in the list") }
    if entries.isEmpty { return .list(elements) }
    guard elements.isEmpty else { throw error("A map has a key for each value.", at: start) }
    return .entries(entries)
  }

  private mutating func readElement(depth: Int) throws(PredicateError) -> CollectionConstant {
    if token.is(.openBrace) { return try readCollection(depth: depth + 1) }
    let position = token.range.lowerBound
    guard !token.is(.open), case .value(let value) = try readSide("a value").content else {
      throw error("A list holds constants.", at: position)
    }
    return .value(value)
  }

  private static var maxNestedBraces: Int { 100 }

  /// Reads constants in parentheses, separated by commas.
  private mutating func readList(
    _ open: Token.Sign, close: Token.Sign
  ) throws(PredicateError) -> [Value] {
    try require(open, context: "before a list")
    var values: [Value] = []
    if try take(close) { return values }
    repeat {
      let position = token.range.lowerBound
      guard !token.is(.openBrace), !token.is(.open),
        case .value(let value) = try readSide("a value").content
      else {
        throw error("A list holds constants.", at: position)
      }
      values.append(value)
    } while try take(.comma)
    guard try take(close) else { throw expected("',' or '\(close.rawValue)' in the list") }
    return values
  }
}

extension Parser {
  /// Reads a constant that names its type, such as `oid(…)`; nil if the name is not a constant's
  /// type.
  mutating func readTyped(_ name: String) throws(PredicateError) -> Value? {
    let type = name.lowercased()
    if type == "geopoint" {
      try advance()
      return .point(try readPosition())
    }
    if type == "geometry" { return .geometry(try readWKT().bytes) }
    guard let read = Parser.readers[type] else { return nil }
    lexer.advance()
    let (content, offset) = try lexer.readParenthesised()
    guard let value = read(content) else {
      throw error("'\(content)' is not a valid value for \(name).", at: offset)
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

  /// A link from `3, 17`: the number of a class and a key in it.
  private static func link(_ content: String) -> Link? {
    let numbers = content.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
    guard numbers.count == 2, let table = UInt32(numbers[0]), let key = Int(numbers[1]) else {
      return nil
    }
    return Link(table: table, key: key)
  }
}
