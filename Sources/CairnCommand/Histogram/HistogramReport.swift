import CairnFormats
import CairnQuery
import CairnStorage
import CairnValues

/// What `stats --histogram` writes: bars for people, a row for each bin for programs.
struct HistogramReport {
  private let groupColumns: [ColumnSchema]
  private let parts: [(group: [Value], histogram: Histogram)]

  init(_ maker: HistogramMaker, of columns: [ColumnSchema], by groupColumns: [ColumnSchema]) throws
  {
    self.groupColumns = groupColumns
    if groupColumns.isEmpty {
      parts = try columns.map { ([], try maker.histogram(of: $0)) }
    } else {
      parts = try columns.flatMap { column in
        try GroupedHistograms(maker, of: column, by: groupColumns).histograms
      }
    }
  }

  /// Whether no row has a value in any of the columns.
  var isEmpty: Bool { parts.allSatisfy { $0.histogram.count == 0 } }

  /// Writes to standard output.
  func write(_ format: StatsFormatOption) throws {
    let target = try OutputTarget(nil)
    if format == .table {
      let width = Display(target.descriptor).style.screen.columns
      for (index, part) in parts.enumerated() {
        if index > 0 { target.sink.append("\n") }
        for line in HistogramChart(part.histogram, width: width).lines {
          target.sink.append(line + "\n")
        }
      }
    } else {
      let writer = try RowWriter(format.format, columns: columns, to: target.sink)
      for part in parts {
        for bin in part.histogram.bins { try writer.write(row(part.group, part.histogram, bin)) }
      }
      try writer.finish()
    }
    try target.finish()
  }

  private func row(_ group: [Value], _ histogram: Histogram, _ bin: Histogram.Bin) -> [Value] {
    group + [.string(histogram.column.name), bin.from, bin.to, .int(Int64(bin.count))]
  }

  private var columns: [OutputColumn] {
    let types = parts.map { $0.histogram.bins.first?.from.isNumber ?? false }
    let edge: ValueType = types.allSatisfy { $0 } ? .double : .string
    let all =
      groupColumns.map { (Statistics.header($0.name), $0.type) }
      + [("column", .string), ("from", edge), ("to", edge), ("count", .int)]
    return all.enumerated().map { index, column in
      OutputColumn(name: column.0, type: column.1, source: .given(index))
    }
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double, .float, .decimal: true
    default: false
    }
  }
}

/// The histograms of one column group by group, all with the same bins, so that they can be compared.
struct GroupedHistograms {
  private let column: ColumnSchema
  private let scale: HistogramScale
  private let counts: [[Value]: [Int]]

  /// - Throws: a usage failure where the column is neither numbers nor dates.
  init(_ maker: HistogramMaker, of column: ColumnSchema, by groups: [ColumnSchema]) throws {
    guard column.collection == .none, column.type.isNumeric || column.type == .date else {
      throw Failure(
        .usage, "--histogram with --by is for numbers and dates, and '\(column.name)' is neither")
    }
    self.column = column
    scale =
      try maker.scale(of: column)
      ?? HistogramScale(
        least: 0, greatest: 1, average: 0, wanted: 1, shape: .linear, areWhole: false)
    var counts: [[Value]: [Int]] = [:]
    let (table, scale) = (maker.execution.table, scale)
    maker.forEachValue(of: column) { key, value in
      let group = groups.map { table.value($0.position, at: key) }
      counts[group, default: Array(repeating: 0, count: scale.count)][scale.bin(of: value)] += 1
    }
    self.counts = counts
  }

  /// A bar a bin; empty for a group without values.
  func sparkline(of group: [Value]) -> String { HistogramChart.sparkline(counts[group] ?? []) }

  /// What the bars span.
  var span: String { "\(scale.label(0)) to \(scale.label(scale.count))" }

  var isLogarithmic: Bool { scale.isLogarithmic }

  /// Whole histograms, by rising values of the groups.
  var histograms: [(group: [Value], histogram: Histogram)] {
    counts.sorted { Self.isBefore($0.key, $1.key) }
      .map { ($0, Histogram(column, scale, $1)) }
  }

  private static func isBefore(_ group: [Value], _ other: [Value]) -> Bool {
    for (value, otherValue) in zip(group, other) where value != otherValue {
      return Value.sortOrder(value, otherValue) == .less
    }
    return false
  }
}
