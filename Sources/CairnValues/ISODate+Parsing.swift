extension ISODate {
  /// The date that the text gives; nil when it is not one.
  ///
  /// `YYYY-MM-DD`, or that with `T` or a blank and `HH:MM[:SS[.fraction]]` and `Z` or `±HH[[:]MM]`. Without
  /// a zone it is UTC. Years outside 0…9999 carry a sign and up to six digits.
  package static func parse(_ text: UnsafeRawBufferPointer) -> Double? {
    var reader = DateReader(text)
    return reader.read()
  }

  /// The date that the text gives; nil when it is not one.
  package static func parse(_ text: some StringProtocol) -> Double? {
    var copy = String(text)
    return copy.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }
}

/// Reads a date out of bytes.
private struct DateReader {
  private let text: UnsafeRawBufferPointer
  private var place = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func read() -> Double? {
    guard let days = readDay() else { return nil }
    if place == text.count { return Double(days * 86_400) }
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: " ")) || take(UInt8(ascii: "t")),
      let seconds = readTime()
    else { return nil }
    let fraction = readFraction()
    guard let fraction, let offset = readZone(), place == text.count else { return nil }
    return combine(days * 86_400 + seconds - offset, fraction)
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
    guard let year = readYear(), take(UInt8(ascii: "-")), let month = digits(2),
      take(UInt8(ascii: "-")), let day = digits(2),
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
    if place == text.count || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
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

  /// The double nearest to whole seconds and a decimal fraction.
  private func combine(_ seconds: Int, _ fraction: Range<Int>) -> Double {
    if fraction.isEmpty { return Double(seconds) }
    var scaled = seconds.magnitude
    var power = 1.0
    for byte in text[fraction] {
      power *= 10
      // Numerator and denominator are exact up to here, so that the division rounds once.
      guard power <= 1e9, scaled < (1 << 53) / 10 else { return combineExactly(seconds, fraction) }
      let digit = UInt(byte - UInt8(ascii: "0"))
      scaled = seconds < 0 ? scaled * 10 - digit : scaled * 10 + digit
    }
    return (seconds < 0 ? -1 : 1) * Double(scaled) / power
  }

  private func combineExactly(_ seconds: Int, _ fraction: Range<Int>) -> Double {
    var digits = Array(text[fraction])
    if seconds >= 0 || digits.allSatisfy({ $0 == UInt8(ascii: "0") }) {
      return Double("\(seconds).\(String(decoding: digits, as: UTF8.self))") ?? .nan
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    // -s + 0.f is -((s - 1) + (1 - 0.f)); 1 - 0.f takes every digit from 9 and the last from 10.
    digits = digits.map { UInt8(ascii: "0") + (UInt8(ascii: "9") - $0) }
    digits[digits.count - 1] += 1
    return -(Double("\(-seconds - 1).\(String(decoding: digits, as: UTF8.self))") ?? .nan)
  }
}
