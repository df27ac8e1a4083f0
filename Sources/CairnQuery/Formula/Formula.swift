import CairnValues

/// An arithmetic expression over the properties of a class, such as `population / area` or
/// `name || ', ' || country`.
///
/// It has numbers, texts, dates and null as literals, the operators `+ - * /` and `||`, which joins
/// texts, a minus sign, parentheses, and the functions of ``FormulaFunction``. Names are written as
/// in the predicate language. As in SQL, a result is null if an operand is null. A division is
/// never rounded, and a division by zero is null. A sum or product of integers that is out of
/// range is an error.
package struct Formula: Sendable {
  /// The text of the formula.
  package let text: String
  /// The root of the syntax tree.
  let root: FormulaNode

  /// Parses a formula.
  ///
  /// - Throws: An error with its position for a text that is not a formula.
  package init(parsing text: String) throws(PredicateError) {
    var parser = try Parser(text, arguments: [], subject: "formula")
    self.text = text
    root = try parser.parseFormula()
  }
}

/// A node of a formula's syntax tree.
struct FormulaNode: Sendable {
  /// The kinds of nodes.
  indirect enum Content: Sendable {
    case constant(Value)
    /// A property, or a part of one, as written but without backquotes.
    case name(String)
    case negation(FormulaNode)
    case operation(FormulaOperator, FormulaNode, FormulaNode)
    /// A function of one argument; `digits` is the number of decimals for `round`.
    case function(FormulaFunction, FormulaNode, digits: Int)
  }

  let content: Content
  /// The range of the node in the text, in UTF-8 bytes.
  let range: Range<Int>
}

/// An operator between two operands of a formula. The raw value is its spelling.
enum FormulaOperator: String, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case join = "||"

  /// The binding strength; an operator with a greater one binds more tightly.
  var precedence: Int {
    switch self {
    case .join: 0
    case .add, .subtract: 1
    case .multiply, .divide: 2
    }
  }

  /// The operator of a sign.
  init?(_ token: Token) {
    guard case .sign(let sign) = token.kind else { return nil }
    self.init(rawValue: sign.rawValue)
  }
}

/// A function of a formula. The raw value is its name.
package enum FormulaFunction: String, CaseIterable, Sendable {
  /// The absolute value.
  case abs
  /// The nearest whole number, or with a second argument the nearest number of that many decimals.
  /// A half is rounded away from zero.
  case round
  /// The greatest whole number that is not above the argument.
  case floor
  /// The least whole number that is not below the argument.
  case ceil
}
