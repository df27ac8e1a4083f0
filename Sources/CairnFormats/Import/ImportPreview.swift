package import CairnValues

/// What an import would make.
package struct ImportPreview: Sendable {
  /// A property, and what it would hold.
  package struct Column: Sendable {
    package let name: String
    package let type: ValueType
    package let isKey: Bool
    package let isIndexed: Bool
    package var nulls = 0
    /// Nil where all is null. Of places the south-western and the north-eastern corner.
    package var least: Value?
    package var most: Value?
  }

  /// What would be told of the import itself; `inserted` counts all rows, whether or not their keys are taken.
  package var summary = ImportSummary()
  /// There is such a class already.
  package var extendsClass = false
  package var columns: [Column] = []
  /// The first rows of the files.
  package var firstRows: [[Value]] = []
}
