import CairnGeometry
import CairnValues

extension Parser {
  /// One side of a comparison; `what` names it in the message when there is none.
  mutating func readOperand(_ what: String) throws(PredicateError) -> Side {
    switch token.kind {
    case .name(let name, _): return try readNamed(name, what)
    case .quotedName, .nextProperty: return .path(try readPath())
    case .sign(.openBrace): return .list(try readList(.openBrace, .closeBrace))
    case .sign(.at): throw collectionError("Collection operators such as @count")
    case .nextArgument, .argument:
      switch try readArgument() {
      case .value(let value): return .value(value)
      case .list(let values): return .list(values)
      case .shape(let shape): return .shape(shape)
      }
    case .sign(.open) where what != "a condition":
      return .list(try readList(.open, .close))
    default:
      guard let value = try readLiteral() else { throw expected(what) }
      return .value(value)
    }
  }

  private mutating func readNamed(_ name: String, _ what: String) throws(PredicateError) -> Side
  {
    if lexer.peek() == UInt8(ascii: "(") || lexer.peek() == UInt8(ascii: "[") {
      if let shape = try readShape(name) { return .shape(shape) }
    }
    if lexer.peek() == UInt8(ascii: "("), let value = try readTyped(name) { return .value(value) }
    guard let keyword = token.keyword else { return .path(try readPath()) }
    if let value = Parser.constant(keyword) {
      try advance()
      return .value(value)
    }
    switch keyword {
    case .any, .some, .all, .none:
      throw collectionError("\(name.uppercased()), which speaks of collections,")
    case .subquery: throw collectionError("SUBQUERY")
    default:
      throw expected(what, hint: " A property of that name stands in backquotes: `\(name)`.")
    }
  }

  private func collectionError(_ what: String) -> PredicateError {
    error("\(what) cannot be asked yet: a store holds no collections.", kind: .unsupported)
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

  // MARK: Lists

  /// Constants in braces, parted by commas.
  private mutating func readList(
    _ open: Token.Sign, _ close: Token.Sign
  ) throws(PredicateError) -> [Value] {
    try require(open, "before a list")
    var values: [Value] = []
    if try take(close) { return values }
    repeat {
      let place = token.range.lowerBound
      guard !token.is(.openBrace), !token.is(.open),
        case .value(let value) = try readOperand("a value")
      else {
        throw error("A list holds constants.", at: place)
      }
      values.append(value)
    } while try take(.comma)
    guard try take(close) else { throw expected("',' or '\(close.rawValue)' in the list") }
    return values
  }

  // MARK: Paths

  /// A property, or the way to one through others.
  private mutating func readPath() throws(PredicateError) -> PropertyPath {
    var components = try readComponents()
    while try take(.dot) {
      if token.is(.at) { throw collectionError("Collection operators such as @count") }
      components += try readComponents()
    }
    if token.is(.openBracket) { throw collectionError("A subscript behind a property") }
    return PropertyPath(components)
  }

  private mutating func readComponents() throws(PredicateError) -> [PropertyPath.Component] {
    let names: [String]
    switch token.kind {
    case .name(let name, _), .quotedName(let name): names = [name]
    case .nextProperty:
      guard case .value(.string(let path)) = try nextArgument() else {
        throw error("%K takes the name of a property.", kind: .argument)
      }
      names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard !names.contains("") else {
        throw error("'\(path)' is not the name of a property.", kind: .argument)
      }
    default: throw expected("the name of a property")
    }
    try advance()
    return names.map { .property($0) }
  }
}
