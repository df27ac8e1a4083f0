import CairnValues

/// Formulas as sides of conditions, as in `population / area > 100` or `upper(name) == 'BERN'`. Each
/// becomes a reference to a computed column that is named after the formula.
extension Parser {
  /// Reads a formula; nil if the tokens begin another kind of side.
  ///
  /// - Parameter isLeft: Whether the side begins a condition.
  mutating func readFormulaSide(isLeft: Bool) throws(PredicateError) -> Side? {
    guard beginsFormula(isLeft: isLeft) else { return nil }
    let start = token.range.lowerBound
    var operations = 0
    _ = try readOperation(Parser.formulaPrecedence, &operations)
    let text = String(decoding: lexer.text[start..<lastEnd], as: UTF8.self)
    if formulas?.contains(text) == false { formulas?.append(text) }
    return Side(
      .expression(.path(PropertyPath(FormulaName.name(text)))),
      position: PredicateSource.SidePosition(start: start, steps: [start]))
  }

  /// The binding strength from which operators belong to a formula: `||` is OR in a predicate, and
  /// comparisons are its own.
  private static let formulaPrecedence = FormulaOperator.add.precedence

  /// Whether the tokens begin a formula: a function, arithmetic, a minus sign or parentheses. A name
  /// or a constant alone is none.
  ///
  /// - Parameter isLeft: Whether the side begins a condition. Parentheses around conditions then look
  ///   like those of a formula, behind which an operator follows.
  func beginsFormula(isLeft: Bool) -> Bool {
    guard formulas != nil, variables.isEmpty else { return false }
    if beginsFunction { return true }
    var ahead = self
    var operations = 0
    guard let node = try? ahead.readOperation(Parser.formulaPrecedence, &operations) else {
      return false
    }
    let isInParentheses = token.is(.open)
    if isLeft, isInParentheses, !ahead.beginsOperator { return false }
    return switch node.content {
    case .constant: false
    case .name: isInParentheses
    default: true
    }
  }

  /// Whether the token is an operator between two sides, or belongs to one.
  private var beginsOperator: Bool {
    if case .sign(let sign) = token.kind { return ComparisonOperator(sign) != nil }
    return token.keyword == .not || isNamed("IS") || isWordOperator
  }
}
