internal import CairnValues

/// Dates as the type inference knows them: `YYYY-MM-DD` or `YYYY/MM/DD`, alone or with a time and perhaps a zone as
/// `ISODate.read` has them, and what the user says of how they are written.
enum DateText {
  /// Beyond these seconds from 2001 a double does not tell microseconds apart: the years 1716 and
  /// 2286.
  private static let microsecondRange = 9e9

  /// Seconds since 2001-01-01T00:00:00Z; nil when the bytes spell no valid date.
  static func parse(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ reading: FieldReading
  ) -> Double? {
    read(text, count, reading)?.seconds
  }

  /// The date; nil when the bytes spell no valid one, or one that a double does not hold to the last digit.
  static func read(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ reading: FieldReading
  ) -> ReadDate? {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    if let format = reading.dateFormat, let date = format.read(bytes, zone: reading.timeZone) {
      return exact(date)
    }
    guard looksLikeDate(text, count), let date = ISODate.read(bytes, zone: reading.timeZone) else {
      return nil
    }
    return exact(date)
  }

  private static func exact(_ date: ReadDate) -> ReadDate? {
    guard date.fractionDigits > 3 else { return date }
    return date.fractionDigits <= 6 && date.seconds.magnitude < microsecondRange ? date : nil
  }

  /// Whether the text begins with a year of four digits.
  @inline(__always)
  private static func looksLikeDate(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count >= 10, text[4] == UInt8(ascii: "-") || text[4] == UInt8(ascii: "/") else {
      return false
    }
    return Digits.isDigit(text[0]) && Digits.isDigit(text[3])
  }
}

/// Moments as seconds or milliseconds since 1970-01-01T00:00:00Z.
enum EpochText {
  /// Seconds from 1970 to 2001.
  private static let reference: Int64 = 978_307_200

  /// Seconds since 2001-01-01T00:00:00Z; nil when the bytes spell no number, or none within reach.
  ///
  /// - Parameter places: decimals of a second that the number counts: 0 for seconds, 3 for milliseconds.
  static func parse(_ text: UnsafePointer<UInt8>, _ count: Int, places: Int) -> Double? {
    guard let number = DecimalText(text, count), number.significantDigits <= 19 else { return nil }
    var (mantissa, scale) = (number.mantissa, places - number.exponent)
    while scale < 0 {
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      (mantissa, scale) = (product, scale + 1)
    }
    guard scale <= 9, let magnitude = Int64(exactly: mantissa) else { return nil }
    let unit = Int64(Digits.powers[scale])
    let ticks = number.isNegative ? -magnitude : magnitude
    let (moved, overflow) = ticks.subtractingReportingOverflow(reference * unit)
    // Numerator and denominator are exact, so that the division rounds once.
    return overflow || moved.magnitude > 1 << 53 ? nil : Double(moved) / Double(unit)
  }
}
