import CairnValues

/// Reads a predicate: conditions joined by AND, OR and NOT, with parentheses.
///
/// Parentheses and NOT are kept on a stack of its own, so that no text can exhaust the thread's; subqueries
/// are read by recursion, of which there is a limit.
struct Parser {
  private static let maxLength = 4 << 20
  static let maxDepth = 500
  static let maxSubqueries = 10

  var lexer: Lexer
  var token: Token
  let arguments: [PredicateArgument]
  var argumentsTaken = 0
  /// Where each condition stands, in order.
  var leaves: [PredicateSource.Leaf] = []
  /// The variables of the subqueries that are open.
  var variables: [String] = []
  /// How deep the condition stands that is being read.
  private var depth = 0

  init(_ text: String, _ arguments: [PredicateArgument]) throws(PredicateError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Parser.maxLength else {
      throw PredicateError(
        .tooLarge, "The predicate has \(bytes.count) bytes; \(Parser.maxLength) is the most.")
    }
    self.arguments = arguments
    lexer = Lexer(bytes)
    token = try lexer.next()
  }

  /// What is read of one pair of parentheses so far.
  private struct Level {
    let open: Int
    /// NOTs in front of the condition that comes next.
    var negations = 0
    /// What is to be joined by AND.
    var conjunction: [Node] = []
    /// What is to be joined by OR.
    var disjunction: [Node] = []

    mutating func append(_ node: Node) {
      conjunction.append((0..<negations).reduce(node) { inner, _ in .not(inner) })
      negations = 0
    }

    mutating func closeConjunction() {
      disjunction.append(.all(conjunction))
      conjunction = []
    }

    mutating func finish() -> Node {
      closeConjunction()
      return .any(disjunction)
    }
  }

  /// The text as one tree: the whole of it, or up to the parenthesis that ends a subquery.
  mutating func parse() throws(PredicateError) -> Node {
    let outerDepth = depth
    var levels = [Level(open: 0)]
    while true {
      try readBeginning(&levels, outerDepth)
      levels[levels.count - 1].append(try readCondition())
      while token.is(.close), levels.count > 1 {
        try advance()
        var closed = levels.removeLast()
        levels[levels.count - 1].append(closed.finish())
      }
      guard try readJoint(&levels[levels.count - 1]) else { break }
    }
    guard levels.count == 1 else {
      throw error("The parenthesis is never closed.", at: levels[levels.count - 1].open)
    }
    depth = outerDepth
    return levels[0].finish()
  }

  /// Every NOT and opening parenthesis in front of a condition.
  private mutating func readBeginning(
    _ levels: inout [Level], _ outerDepth: Int
  ) throws(PredicateError) {
    depth = outerDepth + levels.reduce(0) { $0 + 1 + $1.negations }
    while true {
      if token.is(.not) || token.keyword == .not {
        levels[levels.count - 1].negations += 1
      } else if token.is(.open) {
        levels.append(Level(open: token.range.lowerBound))
      } else {
        return
      }
      depth += 1
      guard depth <= Parser.maxDepth else {
        throw error(
          "The predicate is nested more than \(Parser.maxDepth) deep.", kind: .tooLarge)
      }
      try advance()
    }
  }

  /// The AND or OR behind a condition; false at the end of the text or of a subquery.
  private mutating func readJoint(_ level: inout Level) throws(PredicateError) -> Bool {
    if token.is(.and) || token.keyword == .and {
      try advance()
      return true
    }
    if token.is(.or) || token.keyword == .or {
      level.closeConjunction()
      try advance()
      return true
    }
    if token.kind == .end { return false }
    if token.is(.close), !variables.isEmpty { return false }
    if token.is(.close) { throw error("This parenthesis was never opened.") }
    throw unexpected("AND, OR or the end of the predicate")
  }
}

// MARK: Moving on, and errors

extension Parser {
  mutating func advance() throws(PredicateError) {
    token = try lexer.next()
  }

  mutating func take(_ sign: Token.Sign) throws(PredicateError) -> Bool {
    guard token.is(sign) else { return false }
    try advance()
    return true
  }

  mutating func require(_ sign: Token.Sign, _ place: String) throws(PredicateError) {
    guard try take(sign) else { throw expected("'\(sign.rawValue)' \(place)") }
  }

  func expected(_ what: String, hint: String = "") -> PredicateError {
    error("Expected \(what), found \(token.description(in: lexer.text)).\(hint)")
  }

  func error(
    _ message: String, kind: PredicateError.Kind = .syntax, at offset: Int? = nil
  ) -> PredicateError {
    PredicateError(
      kind, message, text: String(decoding: lexer.text, as: UTF8.self),
      offset: offset ?? token.range.lowerBound)
  }
}
