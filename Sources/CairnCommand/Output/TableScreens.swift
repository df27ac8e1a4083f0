import CairnFormats
import CairnQuery

/// How much of a table a terminal shows: a few screens, unless `--limit` says something else.
struct TableScreens {
  /// Rows that are written; `Int.max`: all of them.
  let mostRows: Int
  /// Whether `--limit 0` asks for the whole table. Away from a terminal it asks for no rows.
  private let showsAll: Bool

  private static let screens = 3
  private static let leastRows = 50

  init(_ rows: RowOptions, _ format: OutputFormat, _ target: OutputTarget) {
    let size = format == .table && !rows.explain ? System.size(of: target.descriptor) : nil
    showsAll = size != nil && rows.limit == 0
    mostRows =
      rows.limit == nil
      ? size.map { max(Self.leastRows, Self.screens * $0.rows) } ?? .max : .max
  }

  /// The query without the limit of `--limit 0`, where that is for the whole table.
  func query(_ query: TableQuery) -> TableQuery {
    var query = query
    if showsAll { query.limit = nil }
    return query
  }

  /// What to say behind a table that was cut.
  static func note(_ shown: Int, of count: Int) -> String {
    "Note: these are \(Quantity.grouped(shown)) of \(Quantity.counted(count, "row")); --limit 0 shows all, --output FILE writes them."
  }
}
