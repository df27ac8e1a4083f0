/// A format of dates in the notation of `strptime`, such as `%d.%m.%Y %H:%M`.
package struct DateFormat: Sendable {
  /// The letters that may follow `%`, and their meaning.
  package static let directives: [(letter: Character, meaning: String)] = [
    ("Y", "the year in four digits"), ("y", "the year in two: 69 to 99 are 1969 to 1999"),
    ("m", "the month as a number"),
    ("b", "the month as an English word, in full or its first three letters"),
    ("B", "the same"), ("d", "the day"), ("e", "the same"), ("j", "the day of the year"),
    ("H", "the hour of 24"), ("I", "the hour of 12"), ("p", "AM or PM"), ("M", "the minute"),
    ("S", "the second"), ("f", "the fraction of a second"),
    ("z", "the zone, as +0200, +02:00, +02, Z, UTC or GMT"), ("Z", "the same"),
    ("a", "the weekday, which is ignored"), ("A", "the same"),
    ("s", "seconds since 1970"), ("T", "%H:%M:%S"), ("F", "%Y-%m-%d"), ("D", "%m/%d/%y"),
    ("R", "%H:%M"), ("n", "blanks"), ("t", "blanks"), ("%", "a percent sign"),
  ]
  private static let shorthands: [Character: String] = [
    "T": "%H:%M:%S", "F": "%Y-%m-%d", "D": "%m/%d/%y", "R": "%H:%M",
  ]

  /// The reason why a text is not a date format.
  package struct FormatError: Error, CustomStringConvertible, Sendable {
    /// The reason, as a message.
    package let description: String
  }

  enum Item: Sendable, Equatable {
    case field(UInt8)
    case literal(UInt8)
    /// Any number of blanks, including none.
    case space
  }

  /// The format as it was given.
  package let text: String
  let items: [Item]

  /// Parses a format.
  ///
  /// - Throws: `FormatError` if a directive is unknown, or the format has no full date.
  package init(_ text: String) throws(FormatError) {
    self.text = text
    var items: [Item] = []
    try Self.add(text, to: &items)
    self.items = items
    let fields = Set(
      items.compactMap { item -> Character? in
        if case .field(let byte) = item { Character(Unicode.Scalar(byte)) } else { nil }
      })
    guard !fields.contains("s") else { return }
    let hasYear = fields.contains("Y") || fields.contains("y")
    let hasDay =
      fields.contains("j")
      || !fields.isDisjoint(with: ["m", "b", "B"]) && !fields.isDisjoint(with: ["d", "e"])
    guard hasYear, hasDay else {
      throw FormatError(description: "a date needs a year, a month and a day, as in %Y-%m-%d")
    }
    if fields.contains("I") != fields.contains("p") {
      throw FormatError(description: "%I, the hour of 12, and %p, AM or PM, go together")
    }
  }

  private static func add(_ text: String, to items: inout [Item]) throws(FormatError) {
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "%" {
        guard let letter = rest.popFirst(), directives.contains(where: { $0.letter == letter })
        else {
          let known = directives.map { "%\($0.letter)" }.joined(separator: " ")
          throw FormatError(description: "% must be followed by one of \(known)")
        }
        switch letter {
        case "%": items.append(.literal(UInt8(ascii: "%")))
        case "n", "t": items.append(.space)
        default:
          if let shorthand = shorthands[letter] {
            try add(shorthand, to: &items)
          } else if let byte = letter.asciiValue {
            items.append(.field(byte))
          }
        }
      } else if character == " " || character == "\t" {
        items.append(.space)
      } else {
        items += character.utf8.map { .literal($0) }
      }
    }
  }

  /// Reads a date; returns nil if the text does not match the format.
  ///
  /// - Parameter zone: the time zone of times without one.
  package func read(_ text: UnsafeRawBufferPointer, zone: TimeZoneRules = .utc) -> ParsedDate? {
    var reader = FormatReader(text)
    return reader.read(items, zone: zone)
  }
}

/// Reads one date in a given format.
struct FormatReader {
  private let text: UnsafeRawBufferPointer
  private var position = 0
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

  mutating func read(_ items: [DateFormat.Item], zone: TimeZoneRules) -> ParsedDate? {
    for item in items {
      switch item {
      case .space:
        while position < text.count, text[position] == 0x20 || text[position] == 9 { position += 1 }
      case .literal(let byte):
        guard take(byte) else { return nil }
      case .field(let letter):
        guard readField(letter) else { return nil }
      }
    }
    return position == text.count ? date(zone) : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func readField(_ letter: UInt8) -> Bool {
    switch Unicode.Scalar(letter) {
    case "Y":
      year = number(4...4, range: 0...9999)
      return year != nil
    case "y":
      year = number(2...2, range: 0...99).map { $0 + ($0 < 69 ? 2000 : 1900) }
      return year != nil
    case "m":
      month = number(1...2, range: 1...12)
      return month != nil
    case "b", "B":
      month = word(Self.months).map { $0 + 1 }
      return month != nil
    case "d", "e":
      _ = take(0x20)
      day = number(1...2, range: 1...31)
      return day != nil
    case "j":
      dayOfYear = number(1...3, range: 1...366)
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
    case "H": return Self.set(&hour, value: number(1...2, range: 0...23))
    case "I": return Self.set(&hour, value: number(1...2, range: 1...12).map { $0 % 12 })
    case "M": return Self.set(&minute, value: number(1...2, range: 0...59))
    case "S": return Self.set(&second, value: number(1...2, range: 0...59))
    case "p":
      isAfternoon = word(["am", "pm"], shortest: 2).map { $0 == 1 }
      return isAfternoon != nil
    case "f":
      let start = position
      while position < text.count, Self.isDigit(text[position]) { position += 1 }
      fraction = start..<position
      return !fraction.isEmpty
    default: return false
    }
  }

  private static func set(_ part: inout Int, value: Int?) -> Bool {
    guard let value else { return false }
    part = value
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private mutating func number(_ lengths: ClosedRange<Int>, range: ClosedRange<Int>) -> Int? {
    var value = 0
    var length = 0
    while length < lengths.upperBound, position < text.count, Self.isDigit(text[position]) {
      value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
      position += 1
      length += 1
    }
    return lengths.contains(length) && range.contains(value) ? value : nil
  }

  /// Consumes one of the given words, in full or abbreviated, in any case, and returns its index.
  private mutating func word(_ words: [String], shortest: Int = 3) -> Int? {
    let end = text[position...].firstIndex { ($0 | 0x20) &- UInt8(ascii: "a") >= 26 } ?? text.count
    let found = String(decoding: text[position..<end], as: UTF8.self).lowercased()
    for (index, word) in words.enumerated() where found == word || found == word.prefix(shortest) {
      position = end
      return index
    }
    return nil
  }

  private mutating func readEpoch() -> Bool {
    let isNegative = take(UInt8(ascii: "-"))
    guard let value = number(1...15, range: 0...Int.max) else { return false }
    epoch = isNegative ? -value : value
    return true
  }

  private mutating func readOffset() -> Bool {
    let end = text[position...].firstIndex { $0 == 0x20 || $0 == 9 } ?? text.count
    let word = String(decoding: text[position..<end], as: UTF8.self)
    guard let zone = TimeZoneRules(offset: word) else { return false }
    offset = zone.offset(at: 0)
    position = end
    return true
  }

  private func date(_ zone: TimeZoneRules) -> ParsedDate? {
    let digits = UnsafeRawBufferPointer(rebasing: text[fraction])
    let significant = ISODate.significantDigits(digits)
    if let epoch {
      let seconds = ISODate.combine(epoch - 978_307_200, fraction: digits)
      return ParsedDate(seconds: seconds, isLocal: false, fractionDigits: significant)
    }
    guard let year, let days = days(year) else { return nil }
    guard hasTime else {
      return ParsedDate(seconds: Double(days * 86_400), isLocal: false, fractionDigits: 0)
    }
    let hours = hour + (isAfternoon == true ? 12 : 0)
    let local = days * 86_400 + hours * 3600 + minute * 60 + second
    let seconds = local - (offset ?? zone.offset(atLocal: local))
    return ParsedDate(
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
