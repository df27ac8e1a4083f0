/// The texts of the first rows of a file, which show the content of each column.
struct SampleRows {
  private let rows: [[String]]
  /// Whether some row is not UTF-8.
  let isUndecoded: Bool

  /// Creates sample rows from texts.
  ///
  /// - Parameter isUndecoded: Whether some row is not UTF-8.
  init(_ rows: [[String]], isUndecoded: Bool = false) {
    self.rows = rows
    self.isUndecoded = isUndecoded
  }

  /// Returns the non-blank values of a column.
  func values(_ column: Int) -> [String] {
    rows.compactMap { column < $0.count && !$0[column].isEmpty ? $0[column] : nil }
  }

  /// Whether the column has values and each of them passes.
  func all(_ column: Int, passes: (String) -> Bool) -> Bool {
    let values = values(column)
    return !values.isEmpty && values.allSatisfy(passes)
  }
}
