import CairnGeometry
import CairnValues

/// One side of a comparison.
struct Side {
  enum Content {
    case subject(Subject)
    case value(Value)
    case list([Value])
    /// A list with lists in it, or a map.
    case collection(CollectionConstant)
    case range(Value, Value, isClosed: Bool)
    case shape(Shape)
  }

  var content: Content
  let place: PredicateSource.Place
  /// `NONE` stands in front.
  let isNegated: Bool

  init(_ content: Content, _ place: PredicateSource.Place, isNegated: Bool = false) {
    self.content = content
    self.place = place
    self.isNegated = isNegated
  }

  /// Whether ANY, ALL or their like stands in front.
  var isQuantified: Bool {
    if case .subject(let subject) = content { subject.quantifier != .one } else { false }
  }
}

extension Parser {
  /// One side of a comparison; `what` names it in the message when there is none.
  mutating func readSide(_ what: String) throws(PredicateError) -> Side {
    let place = PredicateSource.Place(start: token.range.lowerBound)
    switch token.kind {
    case .name(let name, _): return try readNamed(name, what)
    case .quotedName, .nextProperty, .variable: return try readSubject()
    case .sign(.openBrace): return Side(try readBraces(), place)
    case .sign(.at):
      throw error("A collection operator stands behind a collection, as in dogs.@count.")
    case .nextArgument, .argument: return Side(Parser.content(try readArgument()), place)
    case .sign(.open) where what != "a condition":
      return Side(.list(try readList(.open, .close)), place)
    case .sign where token.isArithmetic: throw unexpected(what)
    default:
      guard let value = try readLiteral() else { throw expected(what) }
      return Side(.value(value), place)
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

  private mutating func readNamed(_ name: String, _ what: String) throws(PredicateError) -> Side {
    let place = PredicateSource.Place(start: token.range.lowerBound)
    if lexer.peek() == UInt8(ascii: "(") || beginsEdges(name) {
      if let shape = try readShape(name) { return Side(.shape(shape), place) }
    }
    if lexer.peek() == UInt8(ascii: "("), let value = try readTyped(name) {
      return Side(.value(value), place)
    }
    guard let keyword = token.keyword else {
      if lexer.peek() == UInt8(ascii: "(") { throw functionError(name) }
      return try readSubject()
    }
    if let value = Parser.constant(keyword) {
      try advance()
      return Side(.value(value), place)
    }
    switch keyword {
    case .any, .some, .all, .none, .subquery, .self: return try readSubject()
    default:
      throw expected(what, hint: " A property of that name stands in backquotes: `\(name)`.")
    }
  }

  /// `geoPolygon[` and its like; any other name with a bracket is a property with a subscript.
  private func beginsEdges(_ name: String) -> Bool {
    lexer.peek() == UInt8(ascii: "[") && PropertyName.takesEdges(name)
  }

  private static func constant(_ keyword: Keyword) -> Value? {
    switch keyword {
    case .true, .yes: .bool(true)
    case .false, .no: .bool(false)
    case .nil, .null: .null
    case .nan: .double(.nan)
    case .inf, .infinity: .double(.infinity)
    default: nil
    }
  }

  /// A number, text or date as it stands; nil where something else begins.
  private mutating func readLiteral() throws(PredicateError) -> Value? {
    let value: Value
    switch token.kind {
    case .string(let text): value = .string(text)
    case .date(let seconds): value = .date(seconds)
    case .number(let number, let unit):
      guard unit.isEmpty else {
        throw error(
          "A number ends where '\(unit)' begins; only the radius of geoCircle has a unit.",
          at: token.range.upperBound - unit.utf8.count)
      }
      value = number
    default: return nil
    }
    try advance()
    return value
  }

  /// What stands in braces: constants, lists and maps among them, or the entries of a map.
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
    guard depth < Parser.mostNestedBraces else {
      throw error("Lists are nested too deeply.", kind: .tooLarge, at: start)
    }
    try require(.openBrace, "before a list")
    if try take(.closeBrace) { return .list([]) }
    if try take(.colon) {
      try require(.closeBrace, "behind the empty map")
      return .entries([])
    }
    var elements: [CollectionConstant] = []
    var entries: [(key: String, value: CollectionConstant)] = []
    repeat {
      let place = token.range.lowerBound
      let element = try readElement(depth: depth)
      guard try take(.colon) else {
        elements.append(element)
        continue
      }
      guard case .value(.string(let key)) = element else {
        throw error("A map has texts for keys.", at: place)
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
    let place = token.range.lowerBound
    guard !token.is(.open), case .value(let value) = try readSide("a value").content else {
      throw error("A list holds constants.", at: place)
    }
    return .value(value)
  }

  private static var mostNestedBraces: Int { 100 }

  /// Constants in parentheses, parted by commas.
  private mutating func readList(
    _ open: Token.Sign, _ close: Token.Sign
  ) throws(PredicateError) -> [Value] {
    try require(open, "before a list")
    var values: [Value] = []
    if try take(close) { return values }
    repeat {
      let place = token.range.lowerBound
      guard !token.is(.openBrace), !token.is(.open),
        case .value(let value) = try readSide("a value").content
      else {
        throw error("A list holds constants.", at: place)
      }
      values.append(value)
    } while try take(.comma)
    guard try take(close) else { throw expected("',' or '\(close.rawValue)' in the list") }
    return values
  }
}
