import CairnFormats
import CairnQuery
import CairnStorage
import CairnValues

/// What `stats` writes: a row for each column, of each group where there are some.
struct Statistics {
  private static let figures = ["count", "sum", "min", "max", "avg"]

  private let columns: [ColumnSchema]
  private let groupColumns: [ColumnSchema]
  private let rows: [[Value]]

  init(_ execution: Execution, of columns: [ColumnSchema], by groupColumns: [ColumnSchema]) throws {
    self.columns = columns
    self.groupColumns = groupColumns
    let names = columns.map(\.name)
    if groupColumns.isEmpty {
      rows = Self.rows([], names, try execution.summaries(of: names))
    } else {
      rows = try execution.groups(by: groupColumns.map(\.name), summarising: names)
        .flatMap { Self.rows($0.values, names, $0.summaries) }
    }
  }

  private static func rows(
    _ group: [Value], _ names: [String], _ summaries: [Summary]
  ) -> [[Value]] {
    zip(names, summaries).map { name, summary in
      group + [
        .string(name), .int(Int64(summary.count)), summary.sum, summary.minimum, summary.maximum,
        summary.average,
      ]
    }
  }

  /// Writes to standard output. One column without groups is one JSON object, anything else an array.
  func write(_ format: StatsFormatOption) throws {
    let isSingle = columns.count == 1 && groupColumns.isEmpty
    let target = try OutputTarget(nil)
    let shape: OutputFormat = format == .table ? .table : isSingle ? .jsonl : .json
    let writer = try RowWriter(shape, columns: outputColumns, to: target.sink)
    for row in rows { try writer.write(format == .table ? Self.readable(row) : row) }
    try writer.finish()
    try target.finish()
  }

  /// The average of a table has three places: more are hard to read, and JSON has them all.
  private static func readable(_ row: [Value]) -> [Value] {
    guard case .double(let average) = row.last, abs(average) >= 1, abs(average) < 1e12 else {
      return row
    }
    return row.dropLast() + [.double((average * 1000).rounded() / 1000)]
  }

  private var outputColumns: [OutputColumn] {
    let areNumbers = columns.allSatisfy(\.type.isNumeric)
    let groups = groupColumns.map { (name: Self.header($0.name), type: $0.type) }
    let figures = Self.figures.map {
      (name: $0, type: areNumbers || $0 == "count" ? ValueType.double : .string)
    }
    let all = groups + [(name: "column", type: ValueType.string)] + figures
    return all.enumerated().map { index, column in
      OutputColumn(name: column.name, type: column.type, source: .given(index))
    }
  }

  /// A group's column keeps its name, unless one of the figures has it.
  private static func header(_ name: String) -> String {
    name == "column" || figures.contains(name) ? "by." + name : name
  }
}
