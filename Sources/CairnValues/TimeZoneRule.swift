/// The rule at the end of a file of the time zone database, in POSIX notation:
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule {
  /// Seconds ahead of UTC.
  private let standard: Int
  private let summer: Int
  /// The begin and the end of summer time, or nil in zones without summer time.
  private let span: (begin: Moment, end: Moment)?

  /// A time that recurs each year.
  private struct Moment {
    enum Day {
      /// The weekday, 0 for Sunday, in the week of the month; week 5 is the last one.
      case weekday(month: Int, week: Int, weekday: Int)
      /// From 1 to 365; 29 February does not count.
      case julian(Int)
      /// From 0 to 365.
      case ordinal(Int)
    }

    let day: Day
    /// Seconds from midnight.
    let time: Int
  }

  /// Returns nil if the text is not such a rule.
  init?(_ text: String) {
    var reader = RuleReader(text)
    guard reader.takeName(), let standard = reader.takeTime() else { return nil }
    self.standard = -standard
    if reader.isAtEnd {
      (summer, span) = (-standard, nil)
      return
    }
    guard reader.takeName() else { return nil }
    summer = reader.takeTime().map { -$0 } ?? 3600 - standard
    guard let begin = Self.moment(&reader), let end = Self.moment(&reader), reader.isAtEnd else {
      return nil
    }
    span = (begin, end)
  }

  private static func moment(_ reader: inout RuleReader) -> Moment? {
    guard reader.take(","), let day = day(&reader) else { return nil }
    guard reader.take("/") else { return Moment(day: day, time: 7200) }
    return reader.takeTime().map { Moment(day: day, time: $0) }
  }

  private static func day(_ reader: inout RuleReader) -> Moment.Day? {
    if reader.take("J") { return reader.takeNumber(1...365).map { .julian($0) } }
    guard reader.take("M") else { return reader.takeNumber(0...365).map { .ordinal($0) } }
    guard let month = reader.takeNumber(1...12), reader.take("."),
      let week = reader.takeNumber(1...5), reader.take("."), let weekday = reader.takeNumber(0...6)
    else { return nil }
    return .weekday(month: month, week: week, weekday: weekday)
  }

  /// The offset at a time in seconds since 2001.
  func offset(at seconds: Int) -> Int {
    guard let span else { return standard }
    let year = ISODate.civil(seconds: Double(seconds + standard)).year
    let begin = Self.seconds(span.begin, year: year) - standard
    let end = Self.seconds(span.end, year: year) - summer
    let isSummer =
      begin < end ? begin <= seconds && seconds < end : !(end <= seconds && seconds < begin)
    return isSummer ? summer : standard
  }

  /// The local time of a recurring time in a year, in seconds since 2001.
  private static func seconds(_ moment: Moment, year: Int) -> Int {
    days(moment.day, year: year) * 86_400 + moment.time
  }

  private static func days(_ day: Moment.Day, year: Int) -> Int {
    let start = ISODate.days(year: year, month: 1, day: 1)
    switch day {
    case .ordinal(let number): return start + number
    case .julian(let number):
      let isLeap = ISODate.length(ofMonth: 2, year: year) == 29
      return start + number - 1 + (isLeap && number > 59 ? 1 : 0)
    case .weekday(let month, let week, let weekday):
      let first = ISODate.days(year: year, month: month, day: 1)
      // 2001-01-01 was a Monday.
      let firstWeekday = ((first + 1) % 7 + 7) % 7
      var date = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      while date > ISODate.length(ofMonth: month, year: year) { date -= 7 }
      return first + date - 1
    }
  }
}

/// Parses such a rule.
private struct RuleReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: byte) else { return false }
    rest.removeFirst()
    return true
  }

  /// Consumes three letters or more, or anything in angle brackets.
  mutating func takeName() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  mutating func takeNumber(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard !digits.isEmpty, digits.count <= 4, let number = Int(Substring(digits)),
      range.contains(number)
    else { return nil }
    rest = rest[digits.endIndex...]
    return number
  }

  /// Reads `[+-]h[:mm[:ss]]` as seconds.
  mutating func takeTime() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var seconds = takeNumber(0...167).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(":") {
      guard let part = takeNumber(0...59) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }
}
