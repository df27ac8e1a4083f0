import CairnQuery
import CairnStorage
import CairnValues

/// A figure of `stats`, which is a column of its output.
enum Figure: Equatable {
  case count
  case sum
  case minimum
  case maximum
  case average
  case deviation
  case distinct
  /// A percentile and the name it was given: `median` or `p90`.
  case percentile(Double, name: String)

  /// The figures without `--figures`.
  static let usual: [Figure] = [.count, .sum, .minimum, .maximum, .average]

  /// The names of all figures, with a few of the percentiles.
  static let names = [
    "count", "sum", "min", "max", "avg", "stddev", "distinct", "median", "p25", "p75", "p90", "p99",
  ]

  /// Parses a name; nil for an unknown one.
  init?(_ name: String) {
    switch name {
    case "count": self = .count
    case "sum": self = .sum
    case "min": self = .minimum
    case "max": self = .maximum
    case "avg": self = .average
    case "stddev": self = .deviation
    case "distinct": self = .distinct
    case "median": self = .percentile(50, name: name)
    default:
      guard name.hasPrefix("p"), let percent = NumberText.parse(name.dropFirst()),
        (0...100).contains(percent)
      else { return nil }
      self = .percentile(percent, name: name)
    }
  }

  /// Parses the lists of `--figures`.
  ///
  /// - Throws: A usage failure if a figure is unknown or given twice.
  static func list(_ texts: [String]) throws -> [Figure] {
    guard !texts.isEmpty else { return usual }
    let figures = try ColumnList.items(texts, resolve: Figure.init) { name in
      Failure(
        .usage,
        message: "--figures: '\(name)' is not a figure\(Hint.text(name, among: names)); "
          + "the figures are \(Hint.list(names)), and any other percentile")
    }
    for (index, figure) in figures.enumerated() where figures[..<index].contains(figure) {
      throw Failure(.usage, message: "--figures names '\(figure.name)' twice")
    }
    return figures
  }

  /// The title of the column.
  var name: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .minimum: "min"
    case .maximum: "max"
    case .average: "avg"
    case .deviation: "stddev"
    case .distinct: "distinct"
    case .percentile(_, let name): name
    }
  }

  /// The type of the column: a count, or a number if the summarised columns hold numbers.
  func type(areNumbers: Bool) -> ValueType {
    areNumbers || self == .count || self == .distinct ? .double : .string
  }
}

extension SummaryFigures {
  /// The figures that are computed only on request.
  init(_ figures: [Figure]) {
    self.init(
      percentiles: figures.compactMap { figure in
        if case .percentile(let percent, _) = figure { percent } else { nil }
      }, hasDeviation: figures.contains(.deviation), hasDistinctCount: figures.contains(.distinct))
  }
}

extension Summary {
  /// The values of the figures of a list.
  ///
  /// - Parameter figures: The figures with which the summary was requested.
  func values(of figures: [Figure]) -> [Value] {
    var nextPercentile = 0
    return figures.map { figure in
      switch figure {
      case .count: return .int(Int64(count))
      case .sum: return sum
      case .minimum: return minimum
      case .maximum: return maximum
      case .average: return average
      case .deviation: return deviation
      case .distinct: return distinctCount.map { .int(Int64($0)) } ?? .null
      case .percentile:
        defer { nextPercentile += 1 }
        return nextPercentile < percentiles.count ? percentiles[nextPercentile] : .null
      }
    }
  }
}
