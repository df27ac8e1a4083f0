import CairnValues

/// Moments at which a bin of dates may begin: round years, months, days, hours, minutes or seconds.
struct CalendarSteps {
  /// Dates further than these seconds from 2001 have no calendar.
  static let reach = 3.1e13

  /// Seconds since 2001, rising.
  let edges: [Double]

  private static let day = 86_400.0
  private static let seconds = [
    1.0, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200, day, 2 * day,
    7 * day, 14 * day,
  ]
  /// Months of a step.
  private static let months = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12_000]

  init(_ least: Double, _ greatest: Double, _ wanted: Int) {
    let span = (greatest - least) / Double(wanted)
    if let step = Self.seconds.first(where: { $0 >= span }) {
      let first = (least / step).rounded(.down)
      let last = max(first + 1, (greatest / step).rounded(.up))
      edges = stride(from: first, through: last, by: 1).map { $0 * step }
    } else {
      let step = Self.months.first { Double($0) * 30.44 * Self.day >= span } ?? 12_000
      edges = Self.edges(least, greatest, months: step)
    }
  }

  private static func edges(_ least: Double, _ greatest: Double, months step: Int) -> [Double] {
    let begin = ISODate.civil(seconds: least)
    var month = (begin.year * 12 + begin.month - 1)
    month -= (month % step + step) % step
    var edges: [Double] = []
    repeat {
      let (year, rest) = (Int((Double(month) / 12).rounded(.down)), (month % 12 + 12) % 12)
      edges.append(ISODate.seconds(year: year, month: rest + 1, day: 1))
      month += step
    } while edges.count < 2 || (edges.last ?? 0) < greatest
    return edges
  }
}
