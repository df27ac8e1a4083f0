import CairnQuery
import CairnStorage
import CairnValues

/// The distribution of a column's values: counts by parts of their range, or of the most frequent
/// values.
struct Histogram {
  let column: ColumnSchema
  let bins: [Bin]
  /// The number of values that are not null.
  let count: Int
  let isLogarithmic: Bool

  struct Bin {
    /// The lower edge of the bin. `to` is the lower edge of the next bin, or equal to `from` if the
    /// bin is a single value.
    let from: Value
    let to: Value
    let count: Int
  }

  /// The greatest number of values shown for a column that is not numeric.
  static let maxValues = 12

  init(column: ColumnSchema, bins: [Bin], count: Int) {
    self.column = column
    self.bins = bins
    self.count = count
    isLogarithmic = false
  }

  /// Creates a histogram from the bins of a scale and the number of values in each.
  init(_ column: ColumnSchema, scale: HistogramScale, counts: [Int]) {
    let isDate = column.type == .date
    self.column = column
    bins = counts.enumerated().map { index, count in
      let to = scale.hasUnitBins ? index : index + 1
      return Bin(
        from: .edge(scale.edges[index], isDate: isDate),
        to: .edge(scale.edges[to], isDate: isDate), count: count)
    }
    count = counts.reduce(0, +)
    isLogarithmic = scale.isLogarithmic
  }
}

/// The value of `--scale linear|log`.
enum HistogramScaleKind: String, CaseIterable {
  case linear
  case log
}

/// Computes the histograms of columns over the rows of a result.
struct HistogramBuilder {
  let execution: Execution
  let binCount: Int
  let kind: HistogramScaleKind?

  /// The histogram of a column.
  ///
  /// - Throws: A usage failure if the column's type cannot have a histogram.
  func histogram(of column: ColumnSchema) throws -> Histogram {
    guard let scale = try scale(of: column) else { return try frequencies(of: column) }
    var counts = [Int](repeating: 0, count: scale.count)
    forEachValue(of: column) { _, value in counts[scale.bin(of: value)] += 1 }
    return Histogram(column, scale: scale, counts: counts)
  }

  /// The bins of a column of numbers or dates; nil if it is neither, or if all its values are null.
  func scale(of column: ColumnSchema) throws -> HistogramScale? {
    guard column.collection == .none, column.type.isNumeric || column.type == .date else {
      return nil
    }
    let summary = try execution.summary(of: column.name)
    guard let minimum = summary.minimum.asDouble, let maximum = summary.maximum.asDouble,
      minimum.isFinite, maximum.isFinite
    else { return nil }
    if column.type == .date {
      return HistogramScale(from: minimum, to: maximum, binCount: binCount)
    }
    return HistogramScale(
      minimum: minimum, maximum: maximum, average: summary.average.asDouble ?? 0,
      binCount: binCount,
      kind: kind, areIntegers: column.type == .int)
  }

  /// Calls `visit` with the key and the value of every row that has a value.
  func forEachValue(of column: ColumnSchema, _ visit: (Int, Double) -> Void) {
    let table = execution.table
    execution.forEachKey { key in
      if let value = table.value(column.position, at: key).asDouble, !value.isNaN {
        visit(key, value)
      }
      return true
    }
  }

  /// The most frequent values, and the count of all values.
  private func frequencies(of column: ColumnSchema) throws -> Histogram {
    let kinds: [ValueType] = [.string, .bool, .int, .double, .float, .decimal128, .date]
    guard column.collection == .none, kinds.contains(column.type) else {
      throw Failure(
        .usage,
        message:
          "--histogram needs numbers, dates, texts or booleans, and '\(column.title)' holds none")
    }
    let groups = try execution.groups(by: [column.name])
      .filter { !($0.values[0].isNull) }
    let common = groups.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .prefix(Histogram.maxValues).map(\.element)
    let bins = common.map { Histogram.Bin(from: $0.values[0], to: $0.values[0], count: $0.count) }
    return Histogram(column: column, bins: bins, count: groups.reduce(0) { $0 + $1.count })
  }
}

extension Value {
  /// The edge of a bin as a value.
  static func edge(_ number: Double, isDate: Bool) -> Value {
    isDate ? .date(number) : .double(number)
  }

  /// A number, or a date in seconds since 2001; nil for any other value.
  var asDouble: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value), .date(let value): value
    case .float(let value): Double(value)
    case .decimal(let value): Double(value.description)
    default: nil
    }
  }
}
