import CairnIO

/// The part of a table that a terminal shows: a few screens, unless `--limit` is given.
struct TableScreens {
  /// The greatest number of rows to write; `Int.max` for all.
  let maxRows: Int
  /// The limit of `--limit`. On a terminal, `--limit 0` means the whole table; elsewhere, no rows.
  let limit: Int?

  private static let screens = 3
  private static let minRows = 50

  /// - Parameters:
  ///   - limit: The value of `--limit`.
  ///   - format: The format of the rows; nil for a query plan.
  init(limit: Int?, format: OutputFormat?, target: OutputTarget) {
    let size = format == .table ? System.size(of: target.descriptor) : nil
    self.limit = size != nil && limit == 0 ? nil : limit
    maxRows = limit == nil ? size.map { max(Self.minRows, Self.screens * $0.rows) } ?? .max : .max
  }

  /// The note after a truncated table.
  static func note(_ shown: Int, of count: Int) -> String {
    "Note: showing \(Quantity.grouped(shown)) of \(Quantity.counted(count, noun: "row")); "
      + "--limit 0 shows all, --output FILE writes all."
  }
}

extension RowWriter {
  /// Prints a note with the columns that did not fit.
  func noteOmittedColumns() {
    let names = omittedColumns
    guard !names.isEmpty else { return }
    let some = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    Console.printMessage(
      "Note: \(Quantity.counted(names.count, noun: "column")) did not fit: \(some). "
        + "Choose columns with --select, or use another --format.")
  }
}
