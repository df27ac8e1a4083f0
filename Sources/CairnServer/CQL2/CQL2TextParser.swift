import CairnGeometry
import CairnQuery
import CairnValues

/// Parses the text form of CQL2.
///
/// The precedence rises from OR over AND, NOT and comparisons to arithmetic. Parentheses hold a
/// condition or a value; the compiler checks which of the two is expected.
struct CQL2TextParser {
  private var lexer: CQL2Lexer
  private var token: CQL2Lexer.Token
  private let shapes: CQL2Shapes
  private let maxDepth: Int
  private var depth = 0
  private var operatorCount = 0

  /// The greatest number of arithmetic operators in a filter. Each one nests the terms one level
  /// deeper.
  private static let maxOperators = 256

  /// Parses a whole text.
  static func parse(
    _ text: String, shapes: CQL2Shapes, maxDepth: Int
  ) throws(PredicateError) -> CQL2Term {
    var parser = try CQL2TextParser(text, shapes: shapes, maxDepth: maxDepth)
    let term = try parser.disjunction()
    guard case .end = parser.token.kind else {
      throw parser.expected("AND, OR or the end")
    }
    return term
  }

  private init(_ text: String, shapes: CQL2Shapes, maxDepth: Int) throws(PredicateError) {
    lexer = CQL2Lexer(text)
    token = try lexer.next()
    self.shapes = shapes
    self.maxDepth = maxDepth
  }

  // MARK: Tokens

  private func error(_ message: String, at offset: Int? = nil) -> PredicateError {
    lexer.error(message, at: offset ?? token.range.lowerBound)
  }

  private func expected(_ what: String) -> PredicateError {
    let found = String(decoding: lexer.bytes[token.range], as: UTF8.self)
    return error("expected \(what), found \(found.isEmpty ? "the end" : "'\(found)'")")
  }

  private mutating func advance() throws(PredicateError) { token = try lexer.next() }

  private func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

  private mutating func take(symbol: String) throws(PredicateError) -> Bool {
    guard isSymbol(symbol) else { return false }
    try advance()
    return true
  }

  private mutating func require(symbol: String) throws(PredicateError) {
    guard try take(symbol: symbol) else { throw expected("'\(symbol)'") }
  }

  private mutating func take(word: String) throws(PredicateError) -> Bool {
    guard case .name(let name) = token.kind, name.uppercased() == word else { return false }
    try advance()
    return true
  }

  private mutating func require(word: String) throws(PredicateError) {
    guard try take(word: word) else { throw expected(word) }
  }

  // MARK: Conditions

  private mutating func disjunction() throws(PredicateError) -> CQL2Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= maxDepth else {
      throw lexer.error(
        "the filter is nested more than \(maxDepth) levels deep", at: token.range.lowerBound,
        kind: .tooLarge)
    }
    return try joined("or") { (parser) throws(PredicateError) in try parser.conjunction() }
  }

  private mutating func conjunction() throws(PredicateError) -> CQL2Term {
    try joined("and") { (parser) throws(PredicateError) in try parser.negation() }
  }

  private mutating func joined(
    _ word: String, part: (inout CQL2TextParser) throws(PredicateError) -> CQL2Term
  ) throws(PredicateError) -> CQL2Term {
    let offset = token.range.lowerBound
    var parts = [try part(&self)]
    while try take(word: word.uppercased()) { parts.append(try part(&self)) }
    return parts.count == 1
      ? parts[0] : CQL2Term(content: .operation(word, parts), offset: offset)
  }

  private mutating func negation() throws(PredicateError) -> CQL2Term {
    let offset = token.range.lowerBound
    var count = 0
    while try take(word: "NOT") { count += 1 }
    let term = try comparison()
    return count.isMultiple(of: 2) ? term : Self.not(term, offset: offset)
  }

  private static func not(_ term: CQL2Term, offset: Int) -> CQL2Term {
    CQL2Term(content: .operation("not", [term]), offset: offset)
  }

  private mutating func comparison() throws(PredicateError) -> CQL2Term {
    let left = try sum()
    let offset = token.range.lowerBound
    if case .symbol(let symbol) = token.kind, ["=", "<>", "<", ">", "<=", ">="].contains(symbol) {
      try advance()
      return CQL2Term(content: .operation(symbol, [left, try sum()]), offset: offset)
    }
    if try take(word: "IS") {
      let isNegated = try take(word: "NOT")
      try require(word: "NULL")
      let term = CQL2Term(content: .operation("isnull", [left]), offset: left.offset)
      return isNegated ? Self.not(term, offset: offset) : term
    }
    let isNegated = try take(word: "NOT")
    guard let term = try postfix(left, offset: offset) else {
      if isNegated { throw expected("LIKE, BETWEEN or IN") }
      return left
    }
    return isNegated ? Self.not(term, offset: offset) : term
  }

  private mutating func postfix(
    _ left: CQL2Term, offset: Int
  ) throws(PredicateError) -> CQL2Term? {
    if try take(word: "LIKE") {
      return CQL2Term(content: .operation("like", [left, try sum()]), offset: offset)
    }
    if try take(word: "BETWEEN") {
      let low = try sum()
      try require(word: "AND")
      return CQL2Term(content: .operation("between", [left, low, try sum()]), offset: offset)
    }
    guard try take(word: "IN") else { return nil }
    let start = token.range.lowerBound
    try require(symbol: "(")
    let list = CQL2Term(content: .list(try arguments(until: ")")), offset: start)
    return CQL2Term(content: .operation("in", [left, list]), offset: offset)
  }

  // MARK: Values

  /// Counts an arithmetic operator.
  ///
  /// - Throws: An error at the operator if the filter has too many of them.
  private mutating func countOperator(at offset: Int) throws(PredicateError) {
    operatorCount += 1
    guard operatorCount <= Self.maxOperators else {
      throw lexer.error(
        "the filter has more than \(Self.maxOperators) arithmetic operators", at: offset,
        kind: .tooLarge)
    }
  }

  private mutating func sum() throws(PredicateError) -> CQL2Term {
    var left = try product()
    while case .symbol(let symbol) = token.kind, symbol == "+" || symbol == "-" {
      let offset = token.range.lowerBound
      try countOperator(at: offset)
      try advance()
      left = CQL2Term(content: .operation(symbol, [left, try product()]), offset: offset)
    }
    return left
  }

  private mutating func product() throws(PredicateError) -> CQL2Term {
    var left = try power()
    while true {
      let offset = token.range.lowerBound
      if case .symbol(let symbol) = token.kind, ["*", "/", "%"].contains(symbol) {
        try countOperator(at: offset)
        try advance()
        left = CQL2Term(content: .operation(symbol, [left, try power()]), offset: offset)
      } else if try take(word: "DIV") {
        try countOperator(at: offset)
        left = CQL2Term(content: .operation("div", [left, try power()]), offset: offset)
      } else {
        return left
      }
    }
  }

  private mutating func power() throws(PredicateError) -> CQL2Term {
    var parts = [try primary()]
    let offset = token.range.lowerBound
    while isSymbol("^") {
      try countOperator(at: token.range.lowerBound)
      try advance()
      parts.append(try primary())
    }
    var term = parts.removeLast()
    while let part = parts.popLast() {
      term = CQL2Term(content: .operation("^", [part, term]), offset: offset)
    }
    return term
  }

  private mutating func primary() throws(PredicateError) -> CQL2Term {
    let offset = token.range.lowerBound
    switch token.kind {
    case .number(let text):
      try advance()
      return CQL2Term(content: .number(try number(text, at: offset)), offset: offset)
    case .string(let text):
      try advance()
      return CQL2Term(content: .text(text), offset: offset)
    case .quotedName(let name):
      try advance()
      return CQL2Term(content: .property(name), offset: offset)
    case .name(let name): return try named(name, offset: offset)
    case .symbol("("):
      try advance()
      let term = try disjunction()
      try require(symbol: ")")
      return term
    case .symbol("["):
      try advance()
      return CQL2Term(content: .list(try arguments(until: "]")), offset: offset)
    case .symbol("-"), .symbol("+"):
      let sign = isSymbol("-") ? "-" : ""
      try advance()
      guard case .number(let text) = token.kind else { throw expected("a number") }
      try advance()
      return CQL2Term(content: .number(try number(sign + text, at: offset)), offset: offset)
    case .symbol, .end: throw expected("a value or a condition")
    }
  }

  private func number(_ text: String, at offset: Int) throws(PredicateError) -> Value {
    guard let value = CQL2Number.value(text) else {
      throw error("'\(text)' is not a number", at: offset)
    }
    return value
  }

  /// Reads what begins with a word: a literal, a function, or a property.
  private mutating func named(_ name: String, offset: Int) throws(PredicateError) -> CQL2Term {
    let word = name.uppercased()
    if ["AND", "OR", "LIKE", "BETWEEN", "IN", "IS", "NULL", "NOT"].contains(word) {
      throw expected("a value or a condition")
    }
    try advance()
    if word == "TRUE" || word == "FALSE" {
      return CQL2Term(content: .bool(word == "TRUE"), offset: offset)
    }
    if CQL2Shapes.tags.contains(word), isSymbol("(") || isWord(["Z", "EMPTY"]) {
      return CQL2Term(content: .shape(try geometry(word, from: offset)), offset: offset)
    }
    guard try take(symbol: "(") else {
      return CQL2Term(content: .property(name), offset: offset)
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= maxDepth else {
      throw lexer.error(
        "the filter is nested more than \(maxDepth) levels deep", at: offset, kind: .tooLarge)
    }
    let arguments = try arguments(until: ")")
    return CQL2Term(
      content: try literal(word, arguments, offset: offset)
        ?? .operation(name.lowercased(), arguments),
      offset: offset)
  }

  private func isWord(_ words: [String]) -> Bool {
    guard case .name(let name) = token.kind else { return false }
    return words.contains(name.uppercased())
  }

  /// The content of a date, a timestamp or an interval; nil for other functions.
  private func literal(
    _ word: String, _ arguments: [CQL2Term], offset: Int
  ) throws(PredicateError) -> CQL2Term.Content? {
    switch (word, arguments.count) {
    case ("DATE", 1), ("TIMESTAMP", 1):
      guard case .text(let text) = arguments[0].content else {
        throw error("expected a string such as '2024-01-31'", at: arguments[0].offset)
      }
      return .instant(try instant(text, at: arguments[0].offset))
    case ("INTERVAL", 2):
      return .interval(try end(arguments[0]), try end(arguments[1]))
    case ("DATE", _), ("TIMESTAMP", _), ("INTERVAL", _):
      throw error("\(word) takes \(word == "INTERVAL" ? "two strings" : "one string")", at: offset)
    default: return nil
    }
  }

  private func end(_ term: CQL2Term) throws(PredicateError) -> CQL2Term? {
    guard case .text(let text) = term.content else { return term }
    if text == ".." { return nil }
    return CQL2Term(content: .instant(try instant(text, at: term.offset)), offset: term.offset)
  }

  private func instant(_ text: String, at offset: Int) throws(PredicateError) -> Double {
    guard let seconds = ISODate.parse(text.uppercased()) else {
      throw error("'\(text)' is not a date or a time such as 2024-01-31T12:00:00Z", at: offset)
    }
    return seconds
  }

  /// Reads values up to a closing bracket.
  private mutating func arguments(until symbol: String) throws(PredicateError) -> [CQL2Term] {
    var terms: [CQL2Term] = []
    if try take(symbol: symbol) { return [] }
    repeat { terms.append(try disjunction()) } while try take(symbol: ",")
    try require(symbol: symbol)
    return terms
  }

  /// Reads the rest of a geometry in well-known text, whose tag was read.
  private mutating func geometry(_ tag: String, from start: Int) throws(PredicateError) -> Shape {
    while case .name = token.kind { try advance() }
    var open = 0
    var end = token.range.lowerBound
    if isSymbol("(") {
      repeat {
        if isSymbol("(") { open += 1 }
        if isSymbol(")") { open -= 1 }
        if case .end = token.kind { throw expected("')'") }
        end = token.range.upperBound
        try advance()
      } while open > 0
    }
    let text = String(decoding: lexer.bytes[start..<end], as: UTF8.self)
    do { return try shapes.shape(wkt: text, tag: tag) } catch {
      throw self.error(Problem(error).detail, at: start)
    }
  }
}

/// Numbers of CQL2.
enum CQL2Number {
  /// The value of a number: an integer if it has neither a point nor an exponent, and fits.
  static func value(_ text: String) -> Value? {
    if let int = Int64(text) { return .int(int) }
    guard let double = Double(text), double.isFinite else { return nil }
    return .double(double)
  }
}
