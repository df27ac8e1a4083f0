/// A date as it was read.
package struct ReadDate: Sendable, Equatable {
  /// Seconds since 2001-01-01T00:00:00Z.
  package let seconds: Double
  /// It has a time of day and no zone, so that it is a moment only by the zone that the reader was given.
  package let isLocal: Bool
  /// Digits of the fraction of a second, up to the last that is not zero.
  package let fractionDigits: Int

  package init(seconds: Double, isLocal: Bool, fractionDigits: Int) {
    self.seconds = seconds
    self.isLocal = isLocal
    self.fractionDigits = fractionDigits
  }
}

extension ISODate {
  /// The date that the text gives; nil when it is not one.
  ///
  /// `YYYY-MM-DD` or `YYYY/MM/DD`, or that with `T` or a blank, `HH:MM[:SS[.fraction]]`, and `Z`, `UTC`, `GMT` or
  /// `±HH[[:]MM]`, before which a blank may stand. A day without a time begins at midnight UTC. Years outside 0…9999
  /// carry a sign and six digits.
  ///
  /// - Parameter zone: of times that say none.
  package static func read(_ text: UnsafeRawBufferPointer, zone: TimeZoneRules = .utc) -> ReadDate?
  {
    var reader = DateReader(text)
    return reader.read(zone)
  }

  /// The date that the text gives in UTC where it says no zone; nil when it is not one.
  package static func parse(_ text: UnsafeRawBufferPointer) -> Double? { read(text)?.seconds }

  /// The date that the text gives in UTC where it says no zone; nil when it is not one.
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
      guard power <= 1e9, scaled < (1 << 53) / 10 else { return combineExactly(seconds, fraction) }
      let digit = UInt(byte - UInt8(ascii: "0"))
      scaled = seconds < 0 ? scaled * 10 - digit : scaled * 10 + digit
    }
    return (seconds < 0 ? -1 : 1) * Double(scaled) / power
  }

  private static func combineExactly(_ seconds: Int, _ fraction: UnsafeRawBufferPointer) -> Double {
    var digits = Array(fraction)
    if seconds >= 0 || digits.allSatisfy({ $0 == UInt8(ascii: "0") }) {
      return Double("\(seconds).\(String(decoding: digits, as: UTF8.self))") ?? .nan
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    // -s + 0.f is -((s - 1) + (1 - 0.f)); 1 - 0.f takes every digit from 9 and the last from 10.
    digits = digits.map { UInt8(ascii: "0") + (UInt8(ascii: "9") - $0) }
    digits[digits.count - 1] += 1
    return -(Double("\(-seconds - 1).\(String(decoding: digits, as: UTF8.self))") ?? .nan)
  }

  /// Digits up to the last that is not zero.
  static func significantDigits(_ fraction: UnsafeRawBufferPointer) -> Int {
    (fraction.lastIndex { $0 != UInt8(ascii: "0") } ?? -1) + 1
  }
}

/// Reads a date out of bytes.
private struct DateReader {
  private let text: UnsafeRawBufferPointer
  private var place = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func read(_ zone: TimeZoneRules) -> ReadDate? {
    guard let days = readDay() else { return nil }
    if place == text.count {
      return ReadDate(seconds: Double(days * 86_400), isLocal: false, fractionDigits: 0)
    }
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: " ")) || take(UInt8(ascii: "t")),
      let time = readTime(), let digits = readFraction()
    else { return nil }
    let isLocal = place == text.count
    let local = days * 86_400 + time
    guard let offset = isLocal ? zone.offset(atLocal: local) : readZone(), place == text.count
    else { return nil }
    let fraction = UnsafeRawBufferPointer(rebasing: text[digits])
    return ReadDate(
      seconds: ISODate.combine(local - offset, fraction: fraction), isLocal: isLocal,
      fractionDigits: ISODate.significantDigits(fraction))
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    guard text.count - place >= count else { return nil }
    var value = 0
    for byte in text[place..<(place + count)] {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    place += count
    return value
  }

  private mutating func readYear() -> Int? {
    if take(UInt8(ascii: "+")) { return digits(6) }
    if take(UInt8(ascii: "-")) { return digits(6).map { -$0 } }
    return digits(4)
  }

  private mutating func readDay() -> Int? {
    guard let year = readYear(), place < text.count else { return nil }
    let separator = text[place]
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

  /// The digits behind the point: an empty range where there are none, nil for a bare point.
  private mutating func readFraction() -> Range<Int>? {
    guard take(UInt8(ascii: ".")) else { return place..<place }
    let start = place
    while place < text.count, text[place] &- UInt8(ascii: "0") < 10 { place += 1 }
    return place > start ? start..<place : nil
  }

  /// Seconds ahead of UTC.
  private mutating func readZone() -> Int? {
    _ = take(UInt8(ascii: " "))
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) || takeName() { return 0 }
    let west = take(UInt8(ascii: "-"))
    guard west || take(UInt8(ascii: "+")), let hours = digits(2), hours < 24 else { return nil }
    var minutes = 0
    if place < text.count {
      _ = take(UInt8(ascii: ":"))
      guard let value = digits(2), value < 60 else { return nil }
      minutes = value
    }
    return (hours * 60 + minutes) * (west ? -60 : 60)
  }

  /// Passes `UTC` or `GMT`, in any case.
  private mutating func takeName() -> Bool {
    let rest = text[place...].prefix(3).lazy.map { $0 | 0x20 }
    guard rest.elementsEqual("utc".utf8) || rest.elementsEqual("gmt".utf8) else { return false }
    place += 3
    return true
  }
}
