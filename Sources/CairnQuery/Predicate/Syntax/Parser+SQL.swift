import CairnValues

/// Spellings of SQL that mean nothing else here: `IS NULL`, `NOT IN`, `BETWEEN 1 AND 10` and `ILIKE`.
extension Parser {
  /// Reads the `NOT` in front of an operator that is a word, as in `country NOT IN …`. Returns whether
  /// there is one.
  ///
  /// - Parameter start: The offset of the condition.
  mutating func readNegation(behind start: Int) throws(PredicateError) -> Bool {
    guard token.keyword == .not else { return false }
    var rest = lexer
    guard case .name? = try? rest.next().kind else { throw misplacedNegation(behind: start) }
    try advance()
    return true
  }

  /// Reads `IS NULL` or `IS NOT NULL` up to the null.
  mutating func readNullTest() throws(PredicateError) -> Operation {
    try advance()
    let isNegated = token.keyword == .not
    if isNegated { try advance() }
    guard token.keyword == .null || token.keyword == .nil else {
      throw expected("NULL or NOT NULL behind IS", hint: " Other values are compared by ==.")
    }
    return .comparison(isNegated ? .notEqual : .equal)
  }

  /// Reads the side behind an operator: for `BETWEEN`, also two values with `AND` between them.
  mutating func readRightSide(of operation: Operation) throws(PredicateError) -> Side {
    let side = try readSide("a value or a property")
    guard case .between = operation, case .value(let low) = side.content,
      token.keyword == .and
    else { return side }
    try advance()
    let high = try readSide("a value")
    guard case .value(let value) = high.content else {
      throw error(
        "BETWEEN takes two values, as in BETWEEN 1 AND 10.", at: high.position.start)
    }
    return Side(.list([low, value]), position: side.position)
  }

  /// The pattern of `ILIKE`, whose `%` and `_` are the `*` and `?` of `LIKE`.
  func patternOfSQL(_ side: Side) throws(PredicateError) -> Side.Content {
    guard case .value(.string(let pattern)) = side.content else {
      if case .value(.null) = side.content { return side.content }
      throw error("ILIKE takes one text.", at: side.position.start)
    }
    guard !pattern.contains(where: { "*?\\".contains($0) }) else {
      throw error(
        "In ILIKE, % is any text and _ one character; LIKE[c] has * and ? for them.",
        at: side.position.start)
    }
    return .value(.string(pattern.replacing("%", with: "*").replacing("_", with: "?")))
  }
}
