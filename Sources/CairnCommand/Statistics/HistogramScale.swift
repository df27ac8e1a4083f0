import CairnSystem
import CairnValues

/// The bins of a histogram: between round numbers, between the starts of calendar units for dates,
/// or logarithmic.
struct HistogramScale {
  /// The edges of the bins, one more than there are bins. The last bin includes its upper edge.
  let edges: [Double]
  let isLogarithmic: Bool
  /// Whether each bin is one whole number.
  let hasUnitBins: Bool
  private let isDate: Bool

  var count: Int { edges.count - 1 }

  /// Creates bins for numbers.
  ///
  /// - Parameters:
  ///   - binCount: The approximate number of bins.
  ///   - kind: Linear or logarithmic; nil to choose by how skewed the values are.
  ///   - areIntegers: Whether all values are whole numbers.
  init(
    minimum: Double, maximum: Double, average: Double, binCount: Int, kind: HistogramScaleKind?,
    areIntegers: Bool
  ) {
    isDate = false
    let isSkewed = minimum >= 0 && average > 0 && maximum / average > 20
    if kind != .log, areIntegers, maximum - minimum < Double(max(binCount, 2)) {
      (isLogarithmic, hasUnitBins) = (false, true)
      edges = Self.rising(Self.steps(minimum, maximum: maximum + 1, step: 1))
    } else if minimum >= 0, maximum > 0, kind == .log || kind == nil && isSkewed {
      (isLogarithmic, hasUnitBins) = (true, false)
      edges = Self.rising(
        Self.powers(minimum, maximum: maximum, binCount: binCount, areIntegers: areIntegers))
    } else {
      (isLogarithmic, hasUnitBins) = (false, false)
      // Divide first: the whole span may exceed the range of `Double`.
      let step = Self.roundStep(maximum / Double(binCount) - minimum / Double(binCount))
      edges = Self.rising(
        Self.steps(minimum, maximum: maximum, step: areIntegers ? max(1, step) : step))
    }
  }

  /// Creates bins for dates, in seconds since 2001.
  init(from minimum: Double, to maximum: Double, binCount: Int) {
    (isDate, isLogarithmic, hasUnitBins) = (true, false, false)
    guard max(abs(minimum), abs(maximum)) < ISODate.maxSeconds else {
      let step = Self.roundStep(maximum / Double(binCount) - minimum / Double(binCount))
      edges = Self.rising(Self.steps(minimum, maximum: maximum, step: step))
      return
    }
    edges = Self.rising(CalendarSteps(minimum, maximum: maximum, binCount: binCount).edges)
  }

  /// The edges that are finite and differ as doubles, at least two.
  private static func rising(_ edges: [Double]) -> [Double] {
    let limit = Double.greatestFiniteMagnitude
    var result: [Double] = []
    for edge in edges.map({ min(max($0, -limit), limit) }) {
      if let last = result.last, edge <= last { continue }
      result.append(edge)
    }
    guard result.count < 2 else { return result }
    let only = result.first ?? 0
    return only < limit ? [only, only.nextUp] : [only.nextDown, only]
  }

  /// The index of the bin of a value, which lies between the outer edges.
  func bin(of value: Double) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if value < edges[middle] { high = middle } else { low = middle }
    }
    return low
  }

  /// An edge as text.
  func label(_ edge: Int) -> String {
    isDate ? ISODate.format(edges[edge]) : Quantity.number(edges[edge])
  }

  /// The least number of the form 1, 2 or 5 times a power of ten that is at least `minimum`.
  private static func roundStep(_ minimum: Double) -> Double {
    guard minimum > 0 else { return 1 }
    guard minimum < 1e308 else { return 1e308 }
    let power = pow(10, floor(log10(minimum)))
    guard power > 0 else { return minimum }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= minimum * 0.999999 } ?? power * 10
  }

  private static func steps(_ minimum: Double, maximum: Double, step: Double) -> [Double] {
    let first = (minimum / step).rounded(.down)
    let last = max(first + 1, (maximum / step).rounded(.up))
    let parts = (1 / step).rounded()
    return stride(from: first, through: last, by: 1).map { index in
      step < 1 && abs(parts * step - 1) < 1e-9 ? index / parts : index * step
    }
  }

  /// 0, then powers of ten, with their double and fivefold between them if the number of bins
  /// allows it.
  private static func powers(
    _ minimum: Double, maximum: Double, binCount: Int, areIntegers: Bool
  ) -> [Double] {
    let low =
      minimum > 0 ? floor(log10(minimum)) : areIntegers ? 0 : min(0, floor(log10(maximum)) - 3)
    let decades = max(1, ceil(log10(maximum)) - low)
    let factors: [Double] =
      decades * 3 <= Double(binCount) ? [1, 2, 5] : decades * 2 <= Double(binCount) ? [1, 3] : [1]
    var edges = minimum > 0 ? [] : [0.0]
    let stride = max(1, Int((decades / Double(max(binCount, 12))).rounded(.up)))
    for decade in Swift.stride(from: 0, through: Int(decades) + stride - 1, by: stride) {
      let power = low + Double(decade)
      // Divide where that is exact, so that 0.3 does not become 0.30000000000000004.
      for factor in factors {
        edges.append(power < 0 ? factor / pow(10, -power) : factor * pow(10, power))
      }
    }
    while edges.count > 2, edges[1] <= minimum { edges.removeFirst() }
    while edges.count > 2, edges[edges.count - 2] >= maximum { edges.removeLast() }
    return edges
  }
}

/// The edges of the bins of dates: round years, months, days, hours, minutes or seconds.
struct CalendarSteps {
  /// The edges in seconds since 2001, ascending.
  let edges: [Double]

  private static let day = 86_400.0
  private static let seconds = [
    1.0, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200, day, 2 * day,
    7 * day, 14 * day,
  ]
  /// The steps in months, up to two million years, the longest range of dates.
  private static let months =
    [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200]
    + [1, 10, 100, 1000].flatMap { [12_000 * $0, 24_000 * $0, 60_000 * $0] }

  init(_ minimum: Double, maximum: Double, binCount: Int) {
    let span = (maximum - minimum) / Double(binCount)
    if let step = Self.seconds.first(where: { $0 >= span }) {
      let first = (minimum / step).rounded(.down)
      let last = max(first + 1, (maximum / step).rounded(.up))
      edges = stride(from: first, through: last, by: 1).map { $0 * step }
    } else {
      let step = Self.months.first { Double($0) * 30.44 * Self.day >= span } ?? 60_000_000
      edges = Self.edges(minimum, maximum: maximum, months: step)
    }
  }

  private static func edges(_ minimum: Double, maximum: Double, months step: Int) -> [Double] {
    let begin = ISODate.civil(seconds: minimum)
    var month = (begin.year * 12 + begin.month - 1)
    month -= (month % step + step) % step
    var edges: [Double] = []
    repeat {
      let (year, rest) = (Int((Double(month) / 12).rounded(.down)), (month % 12 + 12) % 12)
      edges.append(ISODate.seconds(year: year, month: rest + 1, day: 1))
      month += step
    } while edges.count < 2 || (edges.last ?? 0) < maximum
    return edges
  }
}
