/// The names of computed columns with the values of formulas. They begin with characters that nobody
/// gives a property, so that the formula `a - b` is not taken for a property of that name.
package enum FormulaName {
  private static let mark = "\u{0}formula: "

  /// Returns the name of the column of a formula.
  package static func name(_ text: String) -> String { mark + text }

  /// Returns the text of the formula that a column has the values of; nil for any other name.
  package static func text(of name: String) -> String? {
    name.hasPrefix(mark) ? String(name.dropFirst(mark.count)) : nil
  }
}
