package import CairnQuery

/// A property that an import computes of the columns of the files.
package struct ImportFormula: Sendable {
  /// The name of the property.
  package let name: String
  package let formula: Formula

  package init(_ name: String, _ formula: Formula) {
    self.name = name
    self.formula = formula
  }
}
