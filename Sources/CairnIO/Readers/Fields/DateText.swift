import CairnSystem
internal import CairnValues

/// Dates that type inference recognizes: `YYYY-MM-DD` or `YYYY/MM/DD`, alone or with a time and an
/// optional zone as `ISODate.read` accepts them, and dates in formats that the user names.
package enum DateText {
  /// Beyond this many seconds from 2001 (before 1716 or after 2286) a double does not resolve
  /// microseconds.
  private static let microsecondRange = 9e9

  /// Returns the seconds since 2001-01-01T00:00:00Z, or nil when the bytes are not a valid date.
  package static func parse(
    _ text: UnsafePointer<UInt8>, count: Int, reading: FieldReading
  ) -> Double? {
    read(text, count: count, reading: reading)?.seconds
  }

  /// Returns the date, or nil when the bytes are not a valid one or a double cannot hold all its
  /// digits.
  static func read(
    _ text: UnsafePointer<UInt8>, count: Int, reading: FieldReading
  ) -> ParsedDate? {
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    for format in reading.dateFormats {
      if let date = format.read(bytes, zone: reading.timeZone) { return exact(date, bytes) }
    }
    guard looksLikeDate(text, count: count), let date = ISODate.read(bytes, zone: reading.timeZone)
    else {
      return nil
    }
    return exact(date, bytes)
  }

  private static func exact(_ date: ParsedDate, _ text: UnsafeRawBufferPointer) -> ParsedDate? {
    guard date.fractionDigits > 3 else { return date }
    if date.fractionDigits <= 6, date.seconds.magnitude < microsecondRange { return date }
    // Exports write as many digits as a double has.
    return ISODate.format(date.seconds).utf8.elementsEqual(text) ? date : nil
  }

  /// Whether the text begins with a year of four digits.
  @inline(__always)
  private static func looksLikeDate(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard count >= 10, text[4] == UInt8(ascii: "-") || text[4] == UInt8(ascii: "/") else {
      return false
    }
    return Digits.isDigit(text[0]) && Digits.isDigit(text[3])
  }
}

/// Instants as seconds or milliseconds since 1970-01-01T00:00:00Z.
package enum EpochText {
  /// Seconds from 1970 to 2001.
  private static let reference: Int64 = 978_307_200

  /// Returns the seconds since 2001-01-01T00:00:00Z, or nil when the bytes are not a number or the
  /// number is out of range.
  ///
  /// - Parameter places: The decimals of a second that the number counts: 0 for seconds, 3 for
  ///   milliseconds.
  package static func parse(_ text: UnsafePointer<UInt8>, count: Int, decimals: Int) -> Double? {
    guard let number = DecimalText(text, count: count), number.significantDigits <= 19 else {
      return nil
    }
    var (mantissa, scale) = (number.mantissa, decimals - number.exponent)
    while scale < 0 {
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      (mantissa, scale) = (product, scale + 1)
    }
    guard scale <= 9, let magnitude = Int64(exactly: mantissa) else { return nil }
    let unit = Int64(Digits.powers[scale])
    let ticks = number.isNegative ? -magnitude : magnitude
    let (moved, overflow) = ticks.subtractingReportingOverflow(reference * unit)
    // Numerator and denominator are exact, so the division rounds only once.
    return overflow || moved.magnitude > 1 << 53 ? nil : Double(moved) / Double(unit)
  }
}

/// `true` and `false`, in lower, title or upper case.
package enum BoolText {
  @inline(__always)
  package static func parse(_ text: UnsafePointer<UInt8>, count: Int) -> Bool? {
    if count == 4 {
      return matches(text, lower: "true", title: "True", upper: "TRUE", count: 4) ? true : nil
    }
    return count == 5 && matches(text, lower: "false", title: "False", upper: "FALSE", count: 5)
      ? false : nil
  }

  /// Parses the words that databases and people also use: `t`, `yes`, `y`, `on`, `1` and their
  /// opposites, in any case.
  package static func parseWord(_ text: UnsafePointer<UInt8>, count: Int) -> Bool? {
    guard 1...5 ~= count else { return nil }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return words[word.lowercased()]
  }

  private static let words = [
    "true": true, "t": true, "yes": true, "y": true, "on": true, "1": true, "false": false,
    "f": false, "no": false, "n": false, "off": false, "0": false,
  ]

  private static func matches(
    _ text: UnsafePointer<UInt8>, lower: StaticString, title: StaticString,
    upper: StaticString, count: Int
  ) -> Bool {
    memcmp(text, lower.utf8Start, count) == 0 || memcmp(text, title.utf8Start, count) == 0
      || memcmp(text, upper.utf8Start, count) == 0
  }
}
