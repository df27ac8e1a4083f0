import CairnValues

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bins of a histogram: at round numbers, at the beginnings of months and years for dates, or each a few times
/// the one before.
struct HistogramScale {
  /// One more than there are bins; the last bin holds its upper edge.
  let edges: [Double]
  let isLogarithmic: Bool
  /// Whether each bin is one whole number.
  let isOfUnits: Bool
  private let isDate: Bool

  var count: Int { edges.count - 1 }

  /// Bins over numbers.
  ///
  /// - Parameters:
  ///   - wanted: about how many.
  ///   - shape: nil: whichever shows more.
  ///   - areWhole: there is nothing between two whole numbers.
  init(
    least: Double, greatest: Double, average: Double, wanted: Int, shape: HistogramShape?,
    areWhole: Bool
  ) {
    isDate = false
    let isSkewed = least >= 0 && average > 0 && greatest / average > 20
    if shape != .log, areWhole, greatest - least < Double(max(wanted, 2)) {
      (isLogarithmic, isOfUnits) = (false, true)
      edges = Self.rising(Self.steps(least, greatest + 1, 1))
    } else if least >= 0, greatest > 0, shape == .log || shape == nil && isSkewed {
      (isLogarithmic, isOfUnits) = (true, false)
      edges = Self.rising(Self.powers(least, greatest, wanted, areWhole: areWhole))
    } else {
      (isLogarithmic, isOfUnits) = (false, false)
      // Divided first: the whole span may be beyond every double.
      let step = Self.roundStep(greatest / Double(wanted) - least / Double(wanted))
      edges = Self.rising(Self.steps(least, greatest, areWhole ? max(1, step) : step))
    }
  }

  /// Bins over dates, in seconds since 2001.
  init(from least: Double, to greatest: Double, wanted: Int) {
    (isDate, isLogarithmic, isOfUnits) = (true, false, false)
    guard max(abs(least), abs(greatest)) < CalendarSteps.reach else {
      let step = Self.roundStep(greatest / Double(wanted) - least / Double(wanted))
      edges = Self.rising(Self.steps(least, greatest, step))
      return
    }
    edges = Self.rising(CalendarSteps(least, greatest, wanted).edges)
  }

  /// The edges that differ as doubles and are finite; two at least.
  private static func rising(_ edges: [Double]) -> [Double] {
    let most = Double.greatestFiniteMagnitude
    var result: [Double] = []
    for edge in edges.map({ min(max($0, -most), most) }) {
      if let last = result.last, edge <= last { continue }
      result.append(edge)
    }
    guard result.count < 2 else { return result }
    let only = result.first ?? 0
    return only < most ? [only, only.nextUp] : [only.nextDown, only]
  }

  /// The bin of a value between the outer edges.
  func bin(of value: Double) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if value < edges[middle] { high = middle } else { low = middle }
    }
    return low
  }

  /// An edge in words.
  func label(_ edge: Int) -> String {
    isDate ? ISODate.format(edges[edge]) : Quantity.number(edges[edge])
  }

  /// 1, 2 or 5 times a power of ten, at least so much.
  private static func roundStep(_ least: Double) -> Double {
    guard least > 0 else { return 1 }
    guard least < 1e308 else { return 1e308 }
    let power = pow(10, floor(log10(least)))
    guard power > 0 else { return least }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999999 } ?? power * 10
  }

  private static func steps(_ least: Double, _ greatest: Double, _ step: Double) -> [Double] {
    let first = (least / step).rounded(.down)
    let last = max(first + 1, (greatest / step).rounded(.up))
    let parts = (1 / step).rounded()
    return stride(from: first, through: last, by: 1).map { index in
      step < 1 && abs(parts * step - 1) < 1e-9 ? index / parts : index * step
    }
  }

  /// 0, and then powers of ten, with 2 and 5 between where there is room.
  private static func powers(
    _ least: Double, _ greatest: Double, _ wanted: Int, areWhole: Bool
  ) -> [Double] {
    let low =
      least > 0 ? floor(log10(least)) : areWhole ? 0 : min(0, floor(log10(greatest)) - 3)
    let decades = max(1, ceil(log10(greatest)) - low)
    let factors: [Double] =
      decades * 3 <= Double(wanted) ? [1, 2, 5] : decades * 2 <= Double(wanted) ? [1, 3] : [1]
    var edges = least > 0 ? [] : [0.0]
    let stride = max(1, Int((decades / Double(max(wanted, 12))).rounded(.up)))
    for decade in Swift.stride(from: 0, through: Int(decades) + stride - 1, by: stride) {
      let power = low + Double(decade)
      // Divided where that is exact, so that 0.3 is not 0.30000000000000004.
      for factor in factors {
        edges.append(power < 0 ? factor / pow(10, -power) : factor * pow(10, power))
      }
    }
    while edges.count > 2, edges[1] <= least { edges.removeFirst() }
    while edges.count > 2, edges[edges.count - 2] >= greatest { edges.removeLast() }
    return edges
  }
}
