import CairnValues

extension Parser {
  /// Reads the expression of a condition, with its quantifier.
  mutating func readSubject() throws(PredicateError) -> Side {
    let start = token.range.lowerBound
    guard let quantifier = token.keyword.flatMap(Parser.quantifier) else {
      let (expression, position) = try readUnquantified()
      return Side(.expression(expression), position: position)
    }
    let word = token
    try advance()
    if !beginsSubject && endsName { return try readProperty(word) }
    guard beginsSubject else {
      throw unexpected(
        "a property behind \(word.description(in: lexer).uppercased())",
        hint: token.is(.open) ? " It belongs inside the parenthesis." : "")
    }
    var (expression, position) = try readUnquantified()
    expression = expression.with(quantifier.quantifier)
    position = PredicateSource.SidePosition(
      start: start, steps: position.steps.isEmpty ? [position.start] : position.steps)
    return Side(.expression(expression), position: position, isNegated: quantifier.isNegated)
  }

  private static func quantifier(
    _ keyword: Keyword
  ) -> (quantifier: PropertyPath.Quantifier, isNegated: Bool)? {
    switch keyword {
    case .any, .some: (.any, false)
    case .all: (.all, false)
    case .none: (.any, true)
    default: nil
    }
  }

  private var beginsSubject: Bool {
    switch token.kind {
    case .name(_, let keyword):
      keyword == nil || keyword == .self || keyword == .subquery
        || keyword.flatMap(Parser.quantifier) != nil
    case .quotedName, .nextProperty, .variable: true
    default: false
    }
  }

  /// Whether the token can follow a property. `any == 1` is a condition on a property named `any`.
  private var endsName: Bool {
    switch token.kind {
    case .end, .name: true
    case .sign(let sign): sign != .open && sign != .openBrace && sign != .not
    default: false
    }
  }

  /// Reads a property whose name was first taken for a quantifier.
  private mutating func readProperty(_ word: Token) throws(PredicateError) -> Side {
    guard case .name(let name, _) = word.kind else { throw expected("a property") }
    let start = word.range.lowerBound
    if let variable = variables.last { throw missingVariable(name, variable: variable, at: start) }
    let parsedPath = try readTrail(behind: name, at: start)
    return Side(.expression(parsedPath.expression), position: parsedPath.position(from: start))
  }

  private mutating func readUnquantified() throws(PredicateError) -> (
    Expression, PredicateSource.SidePosition
  ) {
    if token.keyword == .subquery { return try readSubquery() }
    let start = token.range.lowerBound
    let parsedPath = try readTrail()
    return (parsedPath.expression, parsedPath.position(from: start))
  }

  // MARK: Subqueries

  /// Reads `SUBQUERY(dogs, $x, $x.age > 5).@count`.
  private mutating func readSubquery() throws(PredicateError) -> (
    Expression, PredicateSource.SidePosition
  ) {
    let start = token.range.lowerBound
    guard variables.count < Parser.maxSubqueries else {
      throw error(
        "There are more than \(Parser.maxSubqueries) subqueries nested in one another.",
        kind: .tooLarge)
    }
    try advance()
    try require(.open, context: "behind SUBQUERY")
    let position = token.range.lowerBound
    guard beginsSubject, token.keyword != .subquery,
      case let parsedPath = try readTrail(), case .path(let path) = parsedPath.expression
    else { throw error("SUBQUERY begins with a collection: SUBQUERY(dogs, $x, …).", at: position) }
    try require(.comma, context: "behind the collection of SUBQUERY")
    guard case .variable(let variable) = token.kind else {
      throw expected("a variable such as $x")
    }
    try advance()
    try require(.comma, context: "behind the variable of SUBQUERY")
    variables.append(variable)
    let condition = try parse()
    variables.removeLast()
    try require(.close, context: "behind the condition of SUBQUERY")
    try readCount()
    return (
      .count(path, where: condition),
      PredicateSource.SidePosition(start: start, steps: parsedPath.steps)
    )
  }

  private mutating func readCount() throws(PredicateError) {
    let position = token.range.lowerBound
    if try take(.dot), try take(.at), case .name(let name, _) = token.kind,
      name.lowercased() == "count"
    {
      return try advance()
    }
    throw error(
      "SUBQUERY is followed by .@count and a comparison: SUBQUERY(…).@count > 0.",
      kind: .unsupported, at: position)
  }
}
