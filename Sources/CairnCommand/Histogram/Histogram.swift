import CairnQuery
import CairnStorage
import CairnValues

/// How often the values of a column lie in which part of their range, or which of them is how frequent.
struct Histogram {
  let column: ColumnSchema
  let bins: [Bin]
  /// Values that are not null.
  let count: Int
  let isLogarithmic: Bool

  struct Bin {
    /// The least value of the bin, and the first of the next one; where a bin is one value, that value twice.
    let from: Value
    let to: Value
    let count: Int
  }

  /// Values that are shown of a column that is not numbers.
  static let mostValues = 12

  init(column: ColumnSchema, bins: [Bin], count: Int) {
    self.column = column
    self.bins = bins
    self.count = count
    isLogarithmic = false
  }

  /// The bins of a scale, and how many values lie in each.
  init(_ column: ColumnSchema, _ scale: HistogramScale, _ counts: [Int]) {
    let isDate = column.type == .date
    self.column = column
    bins = counts.enumerated().map { index, count in
      let to = scale.isOfUnits ? index : index + 1
      return Bin(
        from: .edge(scale.edges[index], isDate: isDate),
        to: .edge(scale.edges[to], isDate: isDate), count: count)
    }
    count = counts.reduce(0, +)
    isLogarithmic = scale.isLogarithmic
  }
}

/// `--scale linear|log`
enum HistogramShape: String, CaseIterable {
  case linear
  case log
}

/// Makes the histograms of columns over the rows of a result.
struct HistogramMaker {
  let execution: Execution
  let wanted: Int
  let shape: HistogramShape?

  /// The histogram of a column.
  ///
  /// - Throws: a usage failure where the column's values cannot be put in bins.
  func histogram(of column: ColumnSchema) throws -> Histogram {
    guard let scale = try scale(of: column) else { return try frequencies(of: column) }
    var counts = [Int](repeating: 0, count: scale.count)
    forEachValue(of: column) { _, value in counts[scale.bin(of: value)] += 1 }
    return Histogram(column, scale, counts)
  }

  /// The bins of a column of numbers or dates; nil: it is neither, or all of it is null.
  func scale(of column: ColumnSchema) throws -> HistogramScale? {
    guard column.collection == .none, column.type.isNumeric || column.type == .date else {
      return nil
    }
    let summary = try execution.summary(of: column.name)
    guard let least = summary.minimum.asDouble, let greatest = summary.maximum.asDouble,
      least.isFinite, greatest.isFinite
    else { return nil }
    if column.type == .date {
      return HistogramScale(from: least, to: greatest, wanted: wanted)
    }
    return HistogramScale(
      least: least, greatest: greatest, average: summary.average.asDouble ?? 0, wanted: wanted,
      shape: shape, areWhole: column.type == .int)
  }

  /// Calls `visit` with the key and the value of every row that has one.
  func forEachValue(of column: ColumnSchema, _ visit: (Int, Double) -> Void) {
    let table = execution.table
    execution.forEachKey { key in
      if let value = table.value(column.position, at: key).asDouble, !value.isNaN {
        visit(key, value)
      }
      return true
    }
  }

  /// The commonest values, and how many others there are.
  private func frequencies(of column: ColumnSchema) throws -> Histogram {
    let kinds: [ValueType] = [.string, .bool, .int, .double, .float, .decimal128, .date]
    guard column.collection == .none, kinds.contains(column.type) else {
      throw Failure(
        .usage,
        "--histogram is for numbers, dates, texts and truth values, and '\(column.name)' is none")
    }
    let groups = try execution.groups(by: [column.name])
      .filter { !($0.values[0].isNull) }
    let common = groups.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .prefix(Histogram.mostValues).map(\.element)
    let bins = common.map { Histogram.Bin(from: $0.values[0], to: $0.values[0], count: $0.count) }
    return Histogram(column: column, bins: bins, count: groups.reduce(0) { $0 + $1.count })
  }
}

extension Value {
  /// Where a bin begins or ends.
  static func edge(_ number: Double, isDate: Bool) -> Value {
    isDate ? .date(number) : .double(number)
  }

  /// A number, or the seconds of a date.
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
