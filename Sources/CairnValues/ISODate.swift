/// Dates as ISO 8601 writes them, to and from seconds since 2001-01-01T00:00:00Z.
package enum ISODate {
  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  /// Days from 2001-01-01 to a day of the Gregorian calendar, which is taken to have always held.
  @inlinable
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - 11_323
  }

  /// The day of the Gregorian calendar that lies so many days after 2001-01-01.
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468 + referenceDay
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Seconds since 2001 at which a day begins.
  package static func seconds(year: Int, month: Int, day: Int) -> Double {
    Double(days(year: year, month: month, day: day)) * 86_400
  }

  /// The year and the month of a moment in seconds since 2001.
  package static func civil(seconds: Double) -> (year: Int, month: Int) {
    let date = civil(days: Int((seconds / 86_400).rounded(.down)))
    return (date.year, date.month)
  }

  /// How many days a month has.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
