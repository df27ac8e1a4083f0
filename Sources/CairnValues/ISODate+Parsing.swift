/// The result of reading a date.
package struct ParsedDate: Sendable, Equatable {
  /// Seconds since 2001-01-01T00:00:00Z.
  package let seconds: Double
  /// Whether the text has a time of day and no time zone, so that `seconds` depends on the reader's
  /// zone.
  package let isLocal: Bool
  /// The number of digits in the fraction of a second, up to the last that is not zero.
  package let fractionDigits: Int

  /// Creates a result.
  package init(seconds: Double, isLocal: Bool, fractionDigits: Int) {
    self.seconds = seconds
    self.isLocal = isLocal
    self.fractionDigits = fractionDigits
  }
}

extension ISODate {
  /// Parses a date; returns nil if the text is not one.
  ///
  /// A date is `YYYY-MM-DD` or `YYYY/MM/DD`, optionally followed by `T` or a blank,
  /// `HH:MM[:SS[.fraction]]`, and a zone of `Z`, `UTC`, `GMT` or `±HH[[:]MM]`, which a blank may
  /// precede. A day without a time begins at midnight UTC. Years outside of 0…9999 have a sign and
  /// six digits.
  ///
  /// - Parameter zone: the time zone of times without one.
  package static func read(_ text: UnsafeRawBufferPointer, zone: TimeZoneRules = .utc)
    -> ParsedDate?
  {
    var reader = DateReader(text)
    return reader.read(zone)
  }

  /// Parses a date, in UTC unless it has a zone; returns nil if the text is not a date.
  package static func parse(_ text: UnsafeRawBufferPointer) -> Double? { read(text)?.seconds }

  /// Parses a date, in UTC unless it has a zone; returns nil if the text is not a date.
  package static func parse(_ text: some StringProtocol) -> Double? {
    var copy = String(text)
    return copy.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }

  /// The double nearest to whole seconds and the digits of a decimal fraction.
  static func combine(_ seconds: Int, fraction: UnsafeRawBufferPointer) -> Double {
    if fraction.isEmpty { return Double(seconds) }
    var scaled = seconds.magnitude
    var power = 1.0
    for byte in fraction {
      power *= 10
      // Numerator and denominator are exact up to here, so that the division rounds once.
      guard power <= 1e9, scaled < (1 << 53) / 10 else {
        return combineExactly(seconds, fraction: fraction)
      }
      let digit = UInt(byte - UInt8(ascii: "0"))
      scaled = seconds < 0 ? scaled * 10 - digit : scaled * 10 + digit
    }
    return (seconds < 0 ? -1 : 1) * Double(scaled) / power
  }

  private static func combineExactly(_ seconds: Int, fraction: UnsafeRawBufferPointer) -> Double {
    var digits = Array(fraction)
    if seconds >= 0 || digits.allSatisfy({ $0 == UInt8(ascii: "0") }) {
      return Double("\(seconds).\(String(decoding: digits, as: UTF8.self))") ?? .nan
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    // -s + 0.f is -((s - 1) + (1 - 0.f)); 1 - 0.f subtracts every digit from 9 and the last from
    // 10.
    digits = digits.map { UInt8(ascii: "0") + (UInt8(ascii: "9") - $0) }
    digits[digits.count - 1] += 1
    return -(Double("\(-seconds - 1).\(String(decoding: digits, as: UTF8.self))") ?? .nan)
  }

  /// The number of digits up to the last that is not zero.
  static func significantDigits(_ fraction: UnsafeRawBufferPointer) -> Int {
    (fraction.lastIndex { $0 != UInt8(ascii: "0") } ?? -1) + 1
  }
}

/// Parses a date from bytes.
private struct DateReader {
  private let text: UnsafeRawBufferPointer
  private var position = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func read(_ zone: TimeZoneRules) -> ParsedDate? {
    guard let days = readDay() else { return nil }
    if position == text.count {
      return ParsedDate(seconds: Double(days * 86_400), isLocal: false, fractionDigits: 0)
    }
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: " ")) || take(UInt8(ascii: "t")),
      let time = readTime(), let digits = readFraction()
    else { return nil }
    let isLocal = position == text.count
    let local = days * 86_400 + time
    guard let offset = isLocal ? zone.offset(atLocal: local) : readZone(), position == text.count
    else { return nil }
    let fraction = UnsafeRawBufferPointer(rebasing: text[digits])
    return ParsedDate(
      seconds: ISODate.combine(local - offset, fraction: fraction), isLocal: isLocal,
      fractionDigits: ISODate.significantDigits(fraction))
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    guard text.count - position >= count else { return nil }
    var value = 0
    for byte in text[position..<(position + count)] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += count
    return value
  }

  private mutating func readYear() -> Int? {
    if take(UInt8(ascii: "+")) { return digits(6) }
    if take(UInt8(ascii: "-")) { return digits(6).map { -$0 } }
    return digits(4)
  }

  private mutating func readDay() -> Int? {
    guard let year = readYear(), position < text.count else { return nil }
    let separator = text[position]
    guard separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/"), take(separator),
      let month = digits(2), take(separator), let day = digits(2),
      1...12 ~= month, day >= 1, day <= ISODate.length(ofMonth: month, year: year)
    else { return nil }
    return ISODate.days(year: year, month: month, day: day)
  }

  private mutating func readTime() -> Int? {
    guard let hour = digits(2), take(UInt8(ascii: ":")), let minute = digits(2),
      hour < 24, minute < 60
    else { return nil }
    guard take(UInt8(ascii: ":")) else { return hour * 3600 + minute * 60 }
    guard let second = digits(2), second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// The range of the digits after the point; an empty range without a point, nil for a point
  /// without digits.
  private mutating func readFraction() -> Range<Int>? {
    guard take(UInt8(ascii: ".")) else { return position..<position }
    let start = position
    while position < text.count, text[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    return position > start ? start..<position : nil
  }

  /// The seconds ahead of UTC.
  private mutating func readZone() -> Int? {
    _ = take(UInt8(ascii: " "))
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) || takeName() { return 0 }
    let west = take(UInt8(ascii: "-"))
    guard west || take(UInt8(ascii: "+")), let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if position < text.count {
      _ = take(UInt8(ascii: ":"))
      guard let value = digits(2), value < 60 else { return nil }
      minutes = value
    }
    return (hours * 60 + minutes) * (west ? -60 : 60)
  }

  /// Consumes `UTC` or `GMT`, in any case.
  private mutating func takeName() -> Bool {
    let rest = text[position...].prefix(3).lazy.map { $0 | 0x20 }
    guard rest.elementsEqual("utc".utf8) || rest.elementsEqual("gmt".utf8) else { return false }
    position += 3
    return true
  }
}
