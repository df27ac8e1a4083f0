/// Reads one date in a given format.
struct FormatReader {
  private let text: UnsafeRawBufferPointer
  private var place = 0
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var dayOfYear: Int?
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var isAfternoon: Bool?
  private var hasTime = false
  private var fraction = 0..<0
  private var offset: Int?
  /// Seconds since 1970.
  private var epoch: Int?

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  mutating func read(_ items: [DateFormat.Item], _ zone: TimeZoneRules) -> ReadDate? {
    for item in items {
      switch item {
      case .space: while place < text.count, text[place] == 0x20 || text[place] == 9 { place += 1 }
      case .literal(let byte):
        guard take(byte) else { return nil }
      case .field(let letter):
        guard readField(letter) else { return nil }
      }
    }
    return place == text.count ? date(zone) : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < text.count, text[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func readField(_ letter: UInt8) -> Bool {
    switch Unicode.Scalar(letter) {
    case "Y":
      year = number(4...4, 0...9999)
      return year != nil
    case "y":
      year = number(2...2, 0...99).map { $0 + ($0 < 69 ? 2000 : 1900) }
      return year != nil
    case "m":
      month = number(1...2, 1...12)
      return month != nil
    case "b", "B":
      month = word(Self.months).map { $0 + 1 }
      return month != nil
    case "d", "e":
      _ = take(0x20)
      day = number(1...2, 1...31)
      return day != nil
    case "j":
      dayOfYear = number(1...3, 1...366)
      return dayOfYear != nil
    case "a", "A": return word(Self.weekdays) != nil
    case "s": return readEpoch()
    case "z", "Z": return readOffset()
    default: return readTimeField(letter)
    }
  }

  private mutating func readTimeField(_ letter: UInt8) -> Bool {
    hasTime = true
    switch Unicode.Scalar(letter) {
    case "H": return Self.set(&hour, number(1...2, 0...23))
    case "I": return Self.set(&hour, number(1...2, 1...12).map { $0 % 12 })
    case "M": return Self.set(&minute, number(1...2, 0...59))
    case "S": return Self.set(&second, number(1...2, 0...59))
    case "p":
      isAfternoon = word(["am", "pm"], shortest: 2).map { $0 == 1 }
      return isAfternoon != nil
    case "f":
      let start = place
      while place < text.count, Self.isDigit(text[place]) { place += 1 }
      fraction = start..<place
      return !fraction.isEmpty
    default: return false
    }
  }

  private static func set(_ part: inout Int, _ value: Int?) -> Bool {
    guard let value else { return false }
    part = value
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private mutating func number(_ lengths: ClosedRange<Int>, _ range: ClosedRange<Int>) -> Int? {
    var value = 0
    var length = 0
    while length < lengths.upperBound, place < text.count, Self.isDigit(text[place]) {
      value = value * 10 + Int(text[place] - UInt8(ascii: "0"))
      place += 1
      length += 1
    }
    return lengths.contains(length) && range.contains(value) ? value : nil
  }

  /// Passes one of some words, whole or its first letters, in any case; its index.
  private mutating func word(_ words: [String], shortest: Int = 3) -> Int? {
    let end = text[place...].firstIndex { ($0 | 0x20) &- UInt8(ascii: "a") >= 26 } ?? text.count
    let found = String(decoding: text[place..<end], as: UTF8.self).lowercased()
    for (index, word) in words.enumerated() where found == word || found == word.prefix(shortest) {
      place = end
      return index
    }
    return nil
  }

  private mutating func readEpoch() -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    guard let value = number(1...15, 0...Int.max) else { return false }
    epoch = isNegative ? -value : value
    return true
  }

  private mutating func readOffset() -> Bool {
    let end = text[place...].firstIndex { $0 == 0x20 || $0 == 9 } ?? text.count
    let word = String(decoding: text[place..<end], as: UTF8.self)
    guard let zone = TimeZoneRules(offset: word) else { return false }
    offset = zone.offset(at: 0)
    place = end
    return true
  }

  private func date(_ zone: TimeZoneRules) -> ReadDate? {
    let digits = UnsafeRawBufferPointer(rebasing: text[fraction])
    let significant = ISODate.significantDigits(digits)
    if let epoch {
      let seconds = ISODate.combine(epoch - 978_307_200, fraction: digits)
      return ReadDate(seconds: seconds, isLocal: false, fractionDigits: significant)
    }
    guard let year, let days = days(year) else { return nil }
    guard hasTime else {
      return ReadDate(seconds: Double(days * 86_400), isLocal: false, fractionDigits: 0)
    }
    let hours = hour + (isAfternoon == true ? 12 : 0)
    let local = days * 86_400 + hours * 3600 + minute * 60 + second
    let seconds = local - (offset ?? zone.offset(atLocal: local))
    return ReadDate(
      seconds: ISODate.combine(seconds, fraction: digits), isLocal: offset == nil,
      fractionDigits: significant)
  }

  private func days(_ year: Int) -> Int? {
    if let dayOfYear {
      let isLeap = ISODate.length(ofMonth: 2, year: year) == 29
      guard dayOfYear <= (isLeap ? 366 : 365) else { return nil }
      return ISODate.days(year: year, month: 1, day: 1) + dayOfYear - 1
    }
    guard let month, let day, day <= ISODate.length(ofMonth: month, year: year) else { return nil }
    return ISODate.days(year: year, month: month, day: day)
  }
}
