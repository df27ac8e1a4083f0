import CairnFormats
import CairnQuery
import CairnStorage
import CairnValues

/// The output of `stats`: a row for each column, or for each column of each group.
struct Statistics {
  private static let figures = ["count", "sum", "min", "max", "avg"]

  private let columns: [ColumnSchema]
  private let groupColumns: [ColumnSchema]
  private let rows: [[Value]]
  /// The distribution of each column in each group, if it was requested.
  private let histograms: [GroupedHistograms]

  init(
    _ execution: Execution, of columns: [ColumnSchema], by groupColumns: [ColumnSchema],
    histograms builder: HistogramBuilder? = nil
  ) throws {
    self.columns = columns
    self.groupColumns = groupColumns
    histograms =
      try builder.map { builder in
        try columns.map { try GroupedHistograms(builder, of: $0, by: groupColumns) }
      } ?? []
    let names = columns.map(\.name)
    if groupColumns.isEmpty {
      rows = Self.rows([], names: names, summaries: try execution.summaries(of: names))
    } else {
      rows = try execution.groups(by: groupColumns.map(\.name), summarising: names)
        .flatMap { Self.rows($0.values, names: names, summaries: $0.summaries) }
    }
  }

  /// Creates the output for groups that are made by features of a file.
  init(_ grouping: FeatureGrouping, of columns: [ColumnSchema]) throws {
    self.columns = columns
    groupColumns = grouping.columns
    histograms = []
    let names = columns.map(\.name)
    rows = try grouping.groups(summarising: columns)
      .flatMap { Self.rows($0.values, names: names, summaries: $0.summaries) }
  }

  private static func rows(
    _ group: [Value], names: [String], summaries: [Summary]
  ) -> [[Value]] {
    zip(names, summaries).map { name, summary in
      group + [
        .string(name), .int(Int64(summary.count)), summary.sum, summary.minimum, summary.maximum,
        summary.average,
      ]
    }
  }

  /// Whether all the columns are null in every row.
  var isEmpty: Bool { rows.allSatisfy { $0[groupColumns.count + 1] == .int(0) } }

  /// Writes to standard output. In JSON, a single column without groups is one object, anything
  /// else an array.
  func write(_ format: StatsFormatOption) throws {
    let isSingle = columns.count == 1 && groupColumns.isEmpty
    let target = try OutputTarget(nil)
    let shape: OutputFormat = format == .json && isSingle ? .jsonl : format.format
    let writer = try RowWriter(
      shape, columns: outputColumns, style: Display(target.descriptor).style, to: target.sink)
    for row in format == .table ? readableRows : rows { try writer.write(row) }
    try writer.finish()
    for (column, histogram) in zip(columns, histograms) {
      let kind = histogram.isLogarithmic ? ", logarithmic" : ""
      let name = PrintableText.escaped(column.name)
      target.sink.append("\n\(name) from \(histogram.span)\(kind)\n")
    }
    try target.finish()
  }

  /// The rows for people: the values of a group are printed once, and numbers are rounded.
  private var readableRows: [[Value]] {
    rows.enumerated().map { index, row in
      let group = Array(row[..<groupColumns.count])
      let position = index % max(1, columns.count)
      let head = position == 0 ? group : group.map { _ in Value.null }
      let figures = row[groupColumns.count...].map(Self.readable)
      let bars = histograms.isEmpty ? [] : [Value.string(histograms[position].sparkline(of: group))]
      return head + figures + bars
    }
  }

  /// The number rounded to three decimals: more are hard to read, and JSON has them all.
  private static func readable(_ value: Value) -> Value {
    guard case .double(let number) = value, abs(number) >= 1, abs(number) < 1e15 else {
      return value
    }
    return .double((number * 1000).rounded() / 1000)
  }

  private var outputColumns: [OutputColumn] {
    let areNumbers = columns.allSatisfy(\.type.isNumeric)
    let groups = groupColumns.map { (name: Self.header($0.name), type: $0.type) }
    let figures = Self.figures.map {
      (name: $0, type: areNumbers || $0 == "count" ? ValueType.double : .string)
    }
    let bars = histograms.isEmpty ? [] : [(name: "spread", type: ValueType.string)]
    let all = groups + [(name: "column", type: ValueType.string)] + figures + bars
    return all.enumerated().map { index, column in
      OutputColumn(name: column.name, type: column.type, source: .given(index))
    }
  }

  /// The header of a group column: its name, with a prefix if a column of the output has the same
  /// name.
  static func header(_ name: String) -> String {
    name == "column" || figures.contains(name) ? "by." + name : name
  }
}
