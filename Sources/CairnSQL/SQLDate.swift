import CairnValues

/// The conversion between the times of SQL, which are microseconds, and Cairn's dates, which are
/// seconds of double precision since 2001.
///
/// Microseconds are not exact as seconds, so equal dates are compared as microseconds: the compiler
/// looks for the microseconds that become the constant's date, or the first behind it.
public enum SQLDate {
  /// The microseconds from 1970 to 2001.
  private static let epoch: Int64 = 978_307_200_000_000

  /// Returns the date of a time in microseconds since 1970, in seconds since 2001. `Int64.min` and
  /// `Int64.max` are minus and plus infinity.
  ///
  /// Whoever reads times from an engine must convert them in this way, so that conditions that the
  /// engine decides agree with conditions on the dates.
  public static func seconds(microseconds: Int64) -> Double {
    if microseconds == .max { return .infinity }
    if microseconds == .min { return -.infinity }
    let (sum, overflow) = microseconds.subtractingReportingOverflow(epoch)
    return overflow ? (Double(microseconds) - Double(epoch)) / 1e6 : Double(sum) / 1e6
  }

  /// The times of the years 1 to 9998, which every dialect writes in the same way.
  static let commonTimes: Range<Int64> = -62_135_596_800_000_000..<253_370_764_800_000_000
  /// The days of the years 1 to 9998.
  static let commonDays = -719_162..<2_932_532

  /// The first time that PostgreSQL knows: the beginning of the Julian days.
  private static let firstTime: Int64 = -210_866_803_200_000_000

  /// Returns the first time whose date is not before a date; `Int64.max` if all finite times are
  /// before it.
  ///
  /// - Complexity: O(1): a binary search, because ``seconds(microseconds:)`` never falls.
  static func firstTime(notBefore seconds: Double) -> Int64 {
    if seconds == -.infinity { return .min }
    var (low, high) = (firstTime, Int64.max)
    while low < high {
      let middle = low + Int64((UInt64(bitPattern: high &- low)) / 2)
      if self.seconds(microseconds: middle) >= seconds { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the first time whose date is behind a date; nil if none is.
  static func firstTime(after seconds: Double) -> Int64? {
    seconds == .infinity ? nil : firstTime(notBefore: seconds.nextUp)
  }

  /// Returns the first day whose beginning is not before a date.
  static func firstDay(notBefore seconds: Double) -> Int {
    if seconds == -.infinity { return .min }
    let day = (seconds / 86400).rounded(.up) + Double(epoch / 86_400_000_000)
    // PostgreSQL's days begin with the Julian days and end in the year 5874897.
    return day < 2_145_000_000 ? max(Int(max(day, -2_440_588)), -2_440_588) : .max
  }

  /// Returns the first day whose beginning is behind a date; nil if none is.
  static func firstDay(after seconds: Double) -> Int? {
    seconds == .infinity ? nil : firstDay(notBefore: seconds.nextUp)
  }

  /// Returns the date of a day, in seconds since 2001.
  public static func seconds(days: Int) -> Double {
    if days == .max { return .infinity }
    if days == .min { return -.infinity }
    return Double(days) * 86400 - Double(epoch / 1_000_000)
  }
}

extension SQLDate {
  /// The text of a time as PostgreSQL and DuckDB read it, in UTC.
  static func text(microseconds: Int64, hasZone: Bool) -> String {
    if microseconds == .max { return "infinity" }
    if microseconds == .min { return "-infinity" }
    let day = floored(microseconds, by: 86_400_000_000)
    let second = day.remainder / 1_000_000
    let time = [second / 3600, second / 60 % 60, second % 60]
      .map { padded($0, digits: 2) }.joined(separator: ":")
    let fraction = padded(day.remainder % 1_000_000, digits: 6)
    let date = civil(day.quotient)
    return "\(date.text) \(time).\(fraction)\(hasZone ? "+00" : "")\(date.era)"
  }

  /// The text of a day as PostgreSQL and DuckDB read it.
  static func text(days: Int) -> String {
    if days == .max { return "infinity" }
    if days == .min { return "-infinity" }
    let date = civil(Int64(days))
    return date.text + date.era
  }

  /// A day of the Gregorian calendar. Years before 1 count back from 1 BC.
  private static func civil(_ days: Int64) -> (text: String, era: String) {
    let (year, month, day) = ISODate.civil(days: Int(days) - Int(epoch / 86_400_000_000))
    let shown = year > 0 ? year : 1 - year
    let text =
      "\(padded(Int64(shown), digits: 4))-\(padded(Int64(month), digits: 2))"
      + "-\(padded(Int64(day), digits: 2))"
    return (text, year > 0 ? "" : " BC")
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> (
    quotient: Int64, remainder: Int64
  ) {
    let remainder = ((value % divisor) + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
  }

  private static func padded(_ number: Int64, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
