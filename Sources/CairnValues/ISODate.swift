/// Conversions between dates in ISO 8601 and seconds since 2001-01-01T00:00:00Z.
package enum ISODate {
  /// Days from 1970-01-01 to 2001-01-01.
  private static let referenceDay = 11_323

  /// The days from 2001-01-01 to a day of the proleptic Gregorian calendar.
  @inlinable
  static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 - 11_323
  }

  /// The absolute value that dates with a calendar stay below, in seconds since 2001: up to the year
  /// ±999999.
  package static let maxSeconds = 3.1e13

  /// The days since 2001 of a time in whole seconds since then, and the second of that day.
  package static func split(_ seconds: Int) -> (days: Int, second: Int) {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    return (days, seconds - days * 86_400)
  }

  /// The day of the Gregorian calendar that is `days` days after 2001-01-01.
  package static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
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

  /// The seconds since 2001 at which a day begins.
  package static func seconds(year: Int, month: Int, day: Int) -> Double {
    Double(days(year: year, month: month, day: day)) * 86_400
  }

  /// The year and the month of a time in seconds since 2001.
  package static func civil(seconds: Double) -> (year: Int, month: Int) {
    let date = civil(days: Int((seconds / 86_400).rounded(.down)))
    return (date.year, date.month)
  }

  /// The number of days of a month.
  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension ISODate {
  /// The form of a date as text.
  package enum Form: Sendable {
    /// `YYYY-MM-DD` at midnight UTC, otherwise `YYYY-MM-DDTHH:MM:SS[.fff]Z`.
    case shortest
    /// `YYYY-MM-DDTHH:MM:SS[.fff]Z`.
    case time
  }

  /// Formats a date in its shortest form.
  package static func format(_ seconds: Double) -> String { format(seconds, as: .shortest) }

  /// Formats a date.
  ///
  /// The fraction has as many digits as reading back the same date takes, in groups of three up to
  /// nine. A date beyond the year ±999999, and one that is not finite, is formatted as its seconds.
  package static func format(_ seconds: Double, as form: Form) -> String {
    guard abs(seconds) < maxSeconds else { return "\(seconds)" }
    return String(unsafeUninitializedCapacity: 40) { buffer in
      var writer = DateWriter(buffer)
      writer.write(seconds, as: form)
      return writer.count
    }
  }

  /// Whether a date is midnight UTC, or has no calendar day at all.
  package static func isDay(_ seconds: Double) -> Bool {
    let days = seconds / 86_400
    return days == days.rounded() || !(abs(seconds) < maxSeconds)
  }
}

/// Formats a date into bytes.
private struct DateWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func write(_ seconds: Double, as form: ISODate.Form) {
    let (whole, fraction, places) = DateWriter.split(seconds)
    let (days, time) = ISODate.split(whole)
    writeDay(days)
    if form == .shortest, time == 0, places == 0 { return }
    append(UInt8(ascii: "T"))
    append(time / 3600, digits: 2)
    append(UInt8(ascii: ":"))
    append(time / 60 % 60, digits: 2)
    append(UInt8(ascii: ":"))
    append(time % 60, digits: 2)
    if places > 0 {
      append(UInt8(ascii: "."))
      append(fraction, digits: places)
    }
    append(UInt8(ascii: "Z"))
  }

  /// Whole seconds (rounded down), and the fraction as an integer of 0, 3, 6 or 9 digits.
  private static func split(_ seconds: Double) -> (whole: Int, fraction: Int, places: Int) {
    let floor = seconds.rounded(.down)
    if floor == seconds { return (Int(floor), 0, 0) }
    for (places, scale) in [(3, 1e3), (6, 1e6)] {
      let scaled = (seconds * scale).rounded()
      if abs(scaled) < 0x1p53, scaled / scale == seconds {
        let (whole, rest) = Int(scaled).flooredDivision(by: Int(scale))
        return (whole, rest, places)
      }
    }
    let rest = Int(((seconds - floor) * 1e9).rounded())
    return rest == 1_000_000_000 ? (Int(floor) + 1, 0, 0) : (Int(floor), rest, 9)
  }

  private mutating func writeDay(_ days: Int) {
    let (year, month, day) = ISODate.civil(days: days)
    if 0...9999 ~= year {
      append(year, digits: 4)
    } else {
      append(UInt8(ascii: year < 0 ? "-" : "+"))
      append(abs(year), digits: 6)
    }
    append(UInt8(ascii: "-"))
    append(month, digits: 2)
    append(UInt8(ascii: "-"))
    append(day, digits: 2)
  }

  private mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  private mutating func append(_ number: Int, digits: Int) {
    assert(number >= 0 && count + digits <= buffer.count, "the buffer is too small")
    var rest = number
    for index in stride(from: count + digits - 1, through: count, by: -1) {
      buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
  }
}

extension Int {
  fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
