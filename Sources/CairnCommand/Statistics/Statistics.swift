import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// The output of `stats` and of `count --by`: a row for each summarised column of each group, or for
/// each group.
struct Statistics {
  /// The columns of the groups.
  private let titles: [(name: String, type: ValueType)]
  private let figures: [Figure]
  /// The summarised columns; none to only count the rows.
  private let columns: [ColumnSchema]
  private var rows: [Row] = []
  /// The index and the grid of the group column that cells define.
  private let cells: (index: Int, grid: CellGrid)?
  /// The distribution of each column in each group, if it was requested.
  private let histograms: [GroupedHistograms]

  private struct Row {
    let group: [Value]
    /// The name of the summarised column.
    var column: Int?
    let figures: [Value]
  }

  /// - Parameters:
  ///   - columns: The summarised columns; none to only count the rows.
  ///   - builder: The builder of a histogram for each group.
  init(
    _ execution: Execution, of columns: [ColumnSchema], figures: [Figure], by grouping: Grouping,
    histograms builder: HistogramBuilder? = nil
  ) throws {
    self.columns = columns
    self.figures = columns.isEmpty ? [.count] : figures
    titles = grouping.keys.map { ($0.name, $0.type) }
    cells = grouping.cells
    histograms =
      try builder.map { builder in
        let groups = grouping.columns ?? []
        return try columns.map { try GroupedHistograms(builder, of: $0, by: groups) }
      } ?? []
    let names = columns.map(\.name)
    let requested = SummaryFigures(figures)
    if grouping.keys.isEmpty {
      let count = columns.isEmpty ? execution.count() : 0
      add(
        [], count: count, summaries: try execution.summaries(of: names, figures: requested))
    } else {
      for group in try execution.groups(
        by: grouping.keys.map(\.key), summarising: names, figures: requested)
      {
        add(group.values, count: group.count, summaries: group.summaries)
      }
    }
  }

  /// Creates the output for groups that are made by features of a file.
  init(_ grouping: FeatureGrouping, of columns: [ColumnSchema], figures: [Figure]) throws {
    self.columns = columns
    self.figures = columns.isEmpty ? [.count] : figures
    titles = grouping.columns.map { ($0.name, $0.type) }
    cells = nil
    histograms = []
    for group in try grouping.groups(summarising: columns, figures: SummaryFigures(figures)) {
      add(group.values, count: group.count, summaries: group.summaries)
    }
  }

  /// Creates the output for groups whose figures are known.
  init(
    _ groups: [Group], of columns: [ColumnSchema], figures: [Figure],
    by grouping: Grouping
  ) {
    self.columns = columns
    self.figures = columns.isEmpty ? [.count] : figures
    titles = grouping.keys.map { ($0.name, $0.type) }
    cells = nil
    histograms = []
    for group in groups {
      add(group.values, count: group.count, summaries: group.summaries)
    }
  }

  private mutating func add(_ group: [Value], count: Int, summaries: [Summary]) {
    guard !columns.isEmpty else {
      return rows.append(Row(group: group, figures: [.int(Int64(count))]))
    }
    for (column, summary) in summaries.enumerated() {
      rows.append(Row(group: group, column: column, figures: summary.values(of: figures)))
    }
  }

  /// Whether no row matched, or all the summarised columns are null in every row.
  var isEmpty: Bool {
    guard let count = figures.firstIndex(of: .count) else { return rows.isEmpty }
    return rows.allSatisfy { $0.figures[count] == .int(0) }
  }

  /// Sorts the rows by columns of the output, and keeps the first ones.
  ///
  /// - Throws: A usage failure if a key is not a column of the output.
  mutating func arrange(_ options: GroupingOptions) throws {
    let keys = try RowSortKey.list(options.sort, of: headers)
    if !keys.isEmpty {
      rows = rows.map { (RowSortKey.values(keys, of: values($0)), $0) }
        .sorted { RowSortKey.precedes(keys, $0.0, $1.0) }.map(\.1)
    }
    if let limit = options.limit { rows = Array(rows.prefix(limit)) }
  }

  /// The titles of the columns of the output.
  private var headers: [String] {
    titles.map { Self.header($0.name, figures: figures) } + (columns.isEmpty ? [] : ["column"])
      + figures.map(\.name)
  }

  private func values(_ row: Row) -> [Value] {
    row.group + (row.column.map { [.string(columns[$0].title)] } ?? []) + row.figures
  }

  /// Writes the rows. In JSON, a single row without groups is one object, anything else an array.
  ///
  /// - Parameters:
  ///   - path: The file; nil or `-` for standard output.
  ///   - subject: The subject of a map.
  ///   - snapshot: The snapshot that the figures are of.
  func write(
    _ format: OutputFormat, to path: String?, subject: MapSubject, holding snapshot: Snapshot
  ) throws {
    if format.needsLocation, cells == nil {
      throw Failure(
        .usage,
        message: "the format \(format.rawValue) needs groups by location, as in --by hex(50km)")
    }
    let isSingle = columns.count < 2 && titles.isEmpty
    let target = try OutputTarget(path, format: format, holding: snapshot)
    let shape: OutputFormat = format == .json && isSingle ? .jsonl : format
    var style = Display(target.descriptor).style
    style.picture = subject
    style.picture.colour = figures.first?.name
    let writer = try RowWriter(
      shape, columns: outputColumns(format), style: style, with: OutputTarget.writers,
      to: target.sink)
    try writer.write(
      rows.indices.map { index in
        let isRepeated = index > 0 && rows[index - 1].group == rows[index].group
        return output(rows[index], format: format, isRepeated: isRepeated)
      })
    try writer.finish()
    for (column, histogram) in zip(columns, histograms) where format == .table {
      let kind = histogram.isLogarithmic ? ", logarithmic" : ""
      let name = PrintableText.escaped(column.title)
      target.sink.append("\n\(name) from \(histogram.span)\(kind)\n")
    }
    try target.finish()
  }

  /// The values of a row. For people, the values of a group are printed once, and numbers are
  /// rounded.
  private func output(_ row: Row, format: OutputFormat, isRepeated: Bool) -> [Value] {
    var group = row.group
    if let (index, grid) = cells, case .int(let code) = group[index] {
      group[index] = .string(grid.name(of: code))
    }
    let rest = row.column.map { [Value.string(columns[$0].title)] } ?? []
    guard format == .table else {
      return shape(of: row, format: format) + group + rest + row.figures
    }
    if isRepeated { group = group.map { _ in .null } }
    let bars = row.column.flatMap { column in
      histograms.isEmpty ? nil : [Value.string(histograms[column].sparkline(of: row.group))]
    }
    return group + rest + row.figures.map(Self.readable) + (bars ?? [])
  }

  /// The area of the row's cell, for the formats that need one.
  private func shape(of row: Row, format: OutputFormat) -> [Value] {
    guard format.needsLocation, let (index, grid) = cells else { return [] }
    guard case .int(let code) = row.group[index] else { return [.null] }
    return [.geometry(grid.polygon(of: code).bytes)]
  }

  /// The number rounded to three decimals: more are hard to read, and JSON has them all.
  private static func readable(_ value: Value) -> Value {
    guard case .double(let number) = value, abs(number) >= 1, abs(number) < 1e15 else {
      return value
    }
    return .double((number * 1000).rounded() / 1000)
  }

  private func outputColumns(_ format: OutputFormat) -> [OutputColumn] {
    let areNumbers = columns.allSatisfy(\.type.isNumeric)
    let types =
      titles.map(\.type) + (columns.isEmpty ? [] : [.string])
      + figures.map { columns.isEmpty ? .int : $0.type(areNumbers: areNumbers) }
    let shapes: [(String, ValueType)] = format.needsLocation ? [("geometry", .polygon)] : []
    let bars: [(String, ValueType)] =
      histograms.isEmpty || format != .table ? [] : [("spread", .string)]
    return (shapes + zip(headers, types) + bars).enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }

  /// The header of a group column: its name, with a prefix if another column of the output has the
  /// same name.
  static func header(_ name: String, figures: [Figure] = Figure.usual) -> String {
    name == "column" || figures.contains { $0.name == name } ? "by." + name : name
  }
}

/// A key that rows of output are sorted by.
struct RowSortKey {
  private let column: Int
  private let isAscending: Bool

  /// Parses the lists of `--sort`.
  ///
  /// - Throws: A usage failure if a key is not one of the headers.
  static func list(_ texts: [String], of headers: [String]) throws -> [RowSortKey] {
    try ColumnList.items(texts) { text in
      let ways = [("", true), (":asc", true), (":desc", false)]
      for (suffix, isAscending) in ways where text.hasSuffix(suffix) {
        if let column = headers.firstIndex(of: String(text.dropLast(suffix.count))) {
          return RowSortKey(column: column, isAscending: isAscending)
        }
      }
      return nil
    } unknown: { name in
      Failure(
        .usage,
        message: "--sort: the output has no column '\(name)'"
          + Hint.text(name.split(separator: ":").first.map(String.init) ?? name, among: headers)
          + "; it has \(Hint.list(headers))")
    }
  }

  /// The values of a row that the keys compare.
  static func values(_ keys: [RowSortKey], of row: [Value]) -> [Value] {
    keys.map { row[$0.column] }
  }

  /// Whether the values of the keys come before others.
  static func precedes(_ keys: [RowSortKey], _ values: [Value], _ others: [Value]) -> Bool {
    for (key, (value, other)) in zip(keys, zip(values, others)) {
      let order = Value.sortOrder(value, to: other)
      if order != .equal { return (order == .less) == key.isAscending }
    }
    return false
  }
}
