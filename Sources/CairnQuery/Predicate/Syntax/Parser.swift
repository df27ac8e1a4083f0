import CairnValues

/// Parses a predicate: conditions joined by AND, OR and NOT, with parentheses.
///
/// The parser keeps parentheses and NOTs on its own stack, so that no text can exhaust the
/// thread's. It reads subqueries by recursion, with a limit on their depth.
struct Parser {
  private static let maxLength = 4 << 20
  static let maxDepth = 500
  static let maxSubqueries = 10

  var lexer: Lexer
  var token: Token
  let arguments: [PredicateArgument]
  var argumentsTaken = 0
  /// The offsets of the conditions, in the order of the text.
  var positions: [PredicateSource.ConditionPosition] = []
  /// The formulas among the sides of conditions; nil if there may be none.
  var formulas: [String]?
  /// The variables of the enclosing subqueries.
  var variables: [String] = []
  /// The nesting depth of the current condition.
  private var depth = 0

  /// - Parameter subject: The word for the whole text in error messages.
  init(
    _ text: String, arguments: [PredicateArgument], subject: String = "predicate"
  ) throws(PredicateError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Parser.maxLength else {
      throw PredicateError(
        .tooLarge,
        message: "The \(subject) has \(bytes.count) bytes; \(Parser.maxLength) is the most.")
    }
    self.arguments = arguments
    lexer = Lexer(bytes, subject: subject)
    token = try lexer.next()
  }

  /// The partial result of one pair of parentheses.
  private struct Level {
    let open: Int
    /// The number of NOTs in front of the next condition.
    var negations = 0
    /// The conditions to join by AND.
    var conjunction: [PredicateNode] = []
    /// The conditions to join by OR.
    var disjunction: [PredicateNode] = []

    mutating func append(_ node: PredicateNode) {
      conjunction.append((0..<negations).reduce(node) { inner, _ in .not(inner) })
      negations = 0
    }

    mutating func closeConjunction() {
      disjunction.append(.all(conjunction))
      conjunction = []
    }

    mutating func finish() -> PredicateNode {
      closeConjunction()
      return .any(disjunction)
    }
  }

  /// Parses the text into one tree: to its end, or to the parenthesis that ends a subquery.
  mutating func parse() throws(PredicateError) -> PredicateNode {
    let outerDepth = depth
    var levels = [Level(open: 0)]
    while true {
      try readBeginning(&levels, outerDepth: outerDepth)
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

  /// Reads every NOT and opening parenthesis in front of a condition.
  private mutating func readBeginning(
    _ levels: inout [Level], outerDepth: Int
  ) throws(PredicateError) {
    depth = outerDepth + levels.reduce(0) { $0 + 1 + $1.negations }
    while true {
      if token.is(.not) || token.keyword == .not {
        levels[levels.count - 1].negations += 1
      } else if token.is(.open), !beginsFormula(isLeft: true) {
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

  /// Reads the AND or OR behind a condition. Returns false at the end of the text or of a subquery.
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

  mutating func require(_ sign: Token.Sign, context: String) throws(PredicateError) {
    guard try take(sign) else { throw expected("'\(sign.rawValue)' \(context)") }
  }

  func expected(_ what: String, hint: String = "") -> PredicateError {
    error("Expected \(what), found \(token.description(in: lexer)).\(hint)")
  }

  func error(
    _ message: String, kind: PredicateError.Kind = .syntax, at offset: Int? = nil
  ) -> PredicateError {
    PredicateError(
      kind, message: message, text: String(decoding: lexer.text, as: UTF8.self),
      offset: offset ?? token.range.lowerBound)
  }
}

extension Parser {
  /// The value of the current token, a `%@` or `$0`. Advances behind it.
  mutating func readArgument() throws(PredicateError) -> PredicateArgument {
    let argument: PredicateArgument
    if case .argument(let number) = token.kind {
      argument = try self.argument(number)
    } else {
      argument = try nextArgument()
    }
    try advance()
    return argument
  }

  /// The next argument that has not been taken.
  mutating func nextArgument() throws(PredicateError) -> PredicateArgument {
    let argument = try argument(argumentsTaken)
    argumentsTaken += 1
    return argument
  }

  private func argument(_ number: Int) throws(PredicateError) -> PredicateArgument {
    guard number < arguments.count else {
      let given =
        switch arguments.count {
        case 0: "none was given"
        case 1: "only one was given"
        default: "only \(arguments.count) were given"
        }
      let needed = number == 0 ? "an argument" : "\(UInt(number) + 1) arguments"
      throw error("The predicate asks for \(needed), but \(given).", kind: .argument)
    }
    return arguments[number]
  }
}
