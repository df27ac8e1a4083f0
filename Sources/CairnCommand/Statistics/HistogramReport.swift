import CairnIO
import CairnQuery
import CairnStorage
import CairnValues

/// The output of `stats --histogram`: bars for people, a row for each bin for programs.
struct HistogramReport {
  private let groupColumns: [ColumnSchema]
  private let parts: [(group: [Value], histogram: Histogram)]

  init(_ builder: HistogramBuilder, of columns: [ColumnSchema], by groupColumns: [ColumnSchema])
    throws
  {
    self.groupColumns = groupColumns
    if groupColumns.isEmpty {
      parts = try columns.map { ([], try builder.histogram(of: $0)) }
    } else {
      parts = try columns.flatMap { column in
        try GroupedHistograms(builder, of: column, by: groupColumns).histograms
      }
    }
  }

  /// Whether all the columns are null in every row.
  var isEmpty: Bool { parts.allSatisfy { $0.histogram.count == 0 } }

  /// Writes to a file, or to standard output for nil and `-`.
  ///
  /// - Parameter snapshot: The snapshot that the figures are of.
  func write(_ format: OutputFormat, to path: String?, holding snapshot: Snapshot) throws {
    let target = try OutputTarget(path, format: format, holding: snapshot)
    if format == .table {
      let width = Display(target.descriptor).style.screen.columns
      for (index, part) in parts.enumerated() {
        if index > 0 { target.sink.append("\n") }
        for line in HistogramChart(part.histogram, width: width).lines {
          target.sink.append(line + "\n")
        }
      }
    } else {
      let writer = try RowWriter(
        format, columns: columns, with: OutputTarget.writers, to: target.sink)
      try writer.write(
        parts.flatMap { part in
          part.histogram.bins.map { row(part.group, histogram: part.histogram, bin: $0) }
        })
      try writer.finish()
    }
    try target.finish()
  }

  private func row(_ group: [Value], histogram: Histogram, bin: Histogram.Bin) -> [Value] {
    group + [.string(histogram.column.title), bin.from, bin.to, .int(Int64(bin.count))]
  }

  private var columns: [OutputColumn] {
    let types = parts.map { $0.histogram.bins.first?.from.isNumber ?? false }
    let edge: ValueType = types.allSatisfy { $0 } ? .double : .string
    let all =
      groupColumns.map { (Statistics.header($0.title), $0.type) }
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

/// The histograms of one column, one for each group, all with the same bins so that they can be
/// compared.
struct GroupedHistograms {
  private let column: ColumnSchema
  private let scale: HistogramScale
  private let counts: [[Value]: [Int]]

  /// - Throws: A usage failure if the column holds neither numbers nor dates.
  init(_ builder: HistogramBuilder, of column: ColumnSchema, by groups: [ColumnSchema]) throws {
    guard column.collection == .none, column.type.isNumeric || column.type == .date else {
      throw Failure(
        .usage,
        message: "--histogram with --by needs numbers or dates, and '\(column.title)' is neither")
    }
    self.column = column
    scale =
      try builder.scale(of: column)
      ?? HistogramScale(
        minimum: 0, maximum: 1, average: 0, binCount: 1, kind: .linear, areIntegers: false)
    var counts: [[Value]: [Int]] = [:]
    let (table, scale) = (builder.execution.table, scale)
    builder.forEachValue(of: column) { key, value in
      let group = groups.map { table.value($0.position, at: key) }
      counts[group, default: Array(repeating: 0, count: scale.count)][scale.bin(of: value)] += 1
    }
    self.counts = counts
  }

  /// A sparkline with one character for each bin; empty for a group without values.
  func sparkline(of group: [Value]) -> String { HistogramChart.sparkline(counts[group] ?? []) }

  /// The range of the bins, in words.
  var span: String { "\(scale.label(0)) to \(scale.label(scale.count))" }

  var isLogarithmic: Bool { scale.isLogarithmic }

  /// The histograms, by ascending values of the groups.
  var histograms: [(group: [Value], histogram: Histogram)] {
    counts.sorted { Self.isBefore($0.key, other: $1.key) }
      .map { ($0, Histogram(column, scale: scale, counts: $1)) }
  }

  private static func isBefore(_ group: [Value], other: [Value]) -> Bool {
    for (value, otherValue) in zip(group, other) where value != otherValue {
      return Value.sortOrder(value, to: otherValue) == .less
    }
    return false
  }
}

/// A histogram as bars of block characters.
struct HistogramChart {
  private let histogram: Histogram
  private let width: Int

  private static let minBarWidth = 10

  /// - Parameter width: The columns of the terminal.
  init(_ histogram: Histogram, width: Int) {
    self.histogram = histogram
    self.width = width
  }

  /// A heading, then a line for each bin.
  var lines: [String] {
    let labels = histogram.bins.map(Self.label)
    let counts = histogram.bins.map { Quantity.grouped($0.count) }
    let firsts = labels.map { TextWidth.of($0.from) }.max() ?? 0
    let seconds = labels.map { TextWidth.of($0.to ?? "") }.max() ?? 0
    let countWidth = counts.map(\.count).max() ?? 0
    let labelWidth = firsts + (seconds > 0 ? 4 + seconds : 0)
    let barWidth = max(Self.minBarWidth, min(60, width - labelWidth - countWidth - 5))
    let maxCount = histogram.bins.map(\.count).max() ?? 0
    let rows = zip(zip(histogram.bins, labels), counts).map { bin, count -> String in
      let (bin, label) = bin
      let isText = histogram.bins.contains { $0.from.asDouble == nil }
      var line =
        isText ? Self.left(label.from, width: firsts) : Self.right(label.from, width: firsts)
      if let to = label.to { line += " to " + Self.right(to, width: seconds) }
      return line + "  " + Self.right(count, width: countWidth) + "  "
        + Self.bar(bin.count, maxCount: maxCount, barWidth: barWidth)
    }
    return [heading] + rows.map { String($0.reversed().drop { $0 == " " }.reversed()) } + rest
  }

  private var heading: String {
    let values = Quantity.counted(histogram.count, noun: "value")
    let name = PrintableText.escaped(histogram.column.title)
    return "\(name): \(values)\(histogram.isLogarithmic ? ", logarithmic" : "")"
  }

  /// A line with the number of values outside the bins, if there are any.
  private var rest: [String] {
    let others = histogram.count - histogram.bins.reduce(0) { $0 + $1.count }
    return others > 0 ? ["and \(Quantity.counted(others, noun: "other"))"] : []
  }

  private static func label(_ bin: Histogram.Bin) -> (from: String, to: String?) {
    switch (bin.from, bin.to) {
    case (.double(let from), .double(let to)) where from != to:
      (Quantity.number(from), Quantity.number(to))
    case (.date(let from), .date(let to)) where from != to:
      (ISODate.format(from), ISODate.format(to))
    case (.double(let value), _): (Quantity.number(value), nil)
    default: (TextWidth.cut(ValueText.text(bin.from), to: 40), nil)
    }
  }

  /// A bar with a resolution of an eighth of a character, so that small differences show. A count
  /// above zero always gets a visible bar.
  static func bar(_ count: Int, maxCount: Int, barWidth: Int) -> String {
    guard maxCount > 0, count > 0 else { return "" }
    let eighths = max(1, Int((Double(count) / Double(maxCount) * Double(barWidth * 8)).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  /// A line with one character for each bin, whose height shows the bin's count.
  static func sparkline(_ counts: [Int]) -> String {
    let maxCount = counts.max() ?? 0
    let heights = Array("▁▂▃▄▅▆▇█")
    return String(
      counts.map { count in
        count == 0 || maxCount == 0 ? " " : heights[min(7, (count * 8 - 1) / maxCount)]
      })
  }

  private static func right(_ text: String, width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.of(text))) + text
  }

  private static func left(_ text: String, width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }
}
