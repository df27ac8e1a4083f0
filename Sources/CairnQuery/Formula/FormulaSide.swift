import CairnValues

/// Formulas as sides of conditions, as in `population / area > 100` or `upper(name) == 'BERN'`. Each
/// becomes a property with the text of the formula as its name, which a computed column provides.
extension Parser {
  /// Reads a formula; nil if the tokens begin another kind of side.
  mutating func readFormulaSide() throws(PredicateError) -> Side? {
    guard beginsFormula else { return nil }
    let start = token.range.lowerBound
    var operations = 0
    _ = try readOperation(Parser.formulaPrecedence, &operations)
    let text = String(decoding: lexer.text[start..<lastEnd], as: UTF8.self)
    if formulas?.contains(text) == false { formulas?.append(text) }
    return Side(
      .expression(.path(PropertyPath(text))),
      position: PredicateSource.SidePosition(start: start, steps: [start]))
  }

  /// The binding strength from which operators belong to a formula: `||` is OR in a predicate, and
  /// comparisons are its own.
  private static let formulaPrecedence = FormulaOperator.add.precedence

  /// Whether the tokens begin a function of formulas, or an operand of arithmetic.
  var beginsFormula: Bool {
    guard formulas != nil, variables.isEmpty else { return false }
    if beginsFunction { return true }
    var ahead = self
    var operations = 0
    guard (try? ahead.readOperand(.max, &operations)) != nil else { return false }
    return ahead.isArithmetic
  }

  /// Whether the tokens are a formula in parentheses rather than conditions.
  var beginsFormulaInParentheses: Bool {
    guard formulas != nil, variables.isEmpty, token.is(.open) else { return false }
    var ahead = self
    var operations = 0
    guard (try? ahead.readOperation(Parser.formulaPrecedence, &operations)) != nil else {
      return false
    }
    if case .sign(let sign) = ahead.token.kind { return ComparisonOperator(sign) != nil }
    return false
  }
}
