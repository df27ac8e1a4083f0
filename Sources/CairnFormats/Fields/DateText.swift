internal import CairnValues

/// Dates as the type inference knows them: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SS` with up to six
/// decimals and a zone, `Z` or `±hh:mm`. A time without a zone is no certain moment, so it stays
/// text.
enum DateText {
  /// Beyond these seconds from 2001 a double does not tell microseconds apart: the years 1716 and
  /// 2286.
  private static let microsecondRange = 9e9

  /// Seconds since 2001-01-01T00:00:00Z; nil when the bytes spell no valid date.
  static func parse(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard count >= 10, matches(text, "0000-00-00"), let places = fractionPlaces(text, count),
      let value = ISODate.parse(UnsafeRawBufferPointer(start: text, count: count))
    else { return nil }
    return places <= 3 || value.magnitude < microsecondRange ? value : nil
  }

  /// Decimals of the seconds; nil when what stands behind the day is no time with a zone.
  private static func fractionPlaces(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    if count == 10 { return 0 }
    guard count >= 20, matches(text + 10, "T00:00:00") else { return nil }
    var places = 0
    if text[19] == UInt8(ascii: ".") {
      while 20 + places < count, Digits.isDigit(text[20 + places]) { places += 1 }
      guard (1...6).contains(places) else { return nil }
    }
    let zone = places == 0 ? 19 : 20 + places
    switch count - zone {
    case 1: return text[zone] == UInt8(ascii: "Z") ? places : nil
    case 6: return matches(text + zone, "+00:00") || matches(text + zone, "-00:00") ? places : nil
    default: return nil
    }
  }

  /// Whether the bytes look like the pattern, in which 0 stands for any digit.
  @inline(__always)
  private static func matches(_ text: UnsafePointer<UInt8>, _ pattern: StaticString) -> Bool {
    for index in 0..<pattern.utf8CodeUnitCount {
      let expected = pattern.utf8Start[index]
      let isGood =
        expected == UInt8(ascii: "0") ? Digits.isDigit(text[index]) : text[index] == expected
      if !isGood { return false }
    }
    return true
  }
}
