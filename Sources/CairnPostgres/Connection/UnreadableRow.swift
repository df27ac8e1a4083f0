/// A row of a table with a value that cannot be read.
package struct UnreadableRow: Sendable, Hashable, CustomStringConvertible {
  /// The name of the table; nil if the rows are not those of one table.
  package let table: String?
  /// The row: by its primary key, as in `id 7`, or by its number in the result, as in `row 3`.
  package let name: String
  /// The column with the value.
  package let column: String
  /// The reason in words, with the value and the remedy.
  package let problem: String
  /// The reason that other rows share, with the column.
  package let reason: String

  /// The table, the row, the column and the reason, as a message.
  package var description: String {
    (table.map { "table '\($0)', " } ?? "") + "\(name), column '\(column)': \(problem)"
  }
}

/// The rows of a table that were left out, because a value of each cannot be read.
package struct LeftOutRows: Sendable {
  /// The number of rows that are kept with their details.
  package static let kept = 10

  /// The number of rows.
  package private(set) var count = 0
  /// The first rows.
  package private(set) var first: [UnreadableRow] = []
  private var byReason: [String: Int] = [:]

  /// Makes an empty list.
  package init() {}

  /// The reasons with the number of rows for each, the most frequent first.
  package var reasons: [(reason: String, count: Int)] {
    byReason.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }

  mutating func add(_ row: UnreadableRow) {
    count += 1
    byReason[row.reason, default: 0] += 1
    if first.count < Self.kept { first.append(row) }
  }
}
