import CairnGeometry
import CairnValues

// The functions of texts and dates, on batches of rows.
extension FormulaVector {
  /// Sets the rows to the results of a function of other vectors.
  func apply(_ function: FormulaFunction, to arguments: [FormulaVector]) {
    switch function {
    case .coalesce:
      select { row in arguments.first { !$0.isNull(row) } }
    case .choose:
      select { row in
        let isChosen = !arguments[0].isNull(row) && arguments[0].integers[row] != 0
        let choice = arguments[isChosen ? 1 : 2]
        return choice.isNull(row) ? nil : choice
      }
    case .concat:
      makeBytes { row, bytes in
        for argument in arguments where !argument.isNull(row) { bytes += argument.texts[row] }
        return true
      }
    case .length:
      for row in 0..<count {
        nulls[row] = arguments[0].isNull(row)
        if !nulls[row] { integers[row] = Int64(TextLength.characters(arguments[0].texts[row])) }
      }
    case .date, .year, .quarter, .month, .week, .day, .weekday, .hour, .minute, .second:
      applyToDates(function, arguments[0])
    default:
      makeBytes { row, bytes in
        guard !arguments.contains(where: { $0.isNull(row) }) else { return false }
        return TextFunctions.append(function, arguments, row: row, to: &bytes)
      }
    }
  }

  /// Copies each row from the vector that `source` returns for it; null for none.
  private func select(_ source: (_ row: Int) -> FormulaVector?) {
    if !FormulaVector.isComputable(type) { others = Array(repeating: .null, count: count) }
    if let type, type == .string || type.isGeometry {
      return makeBytes(of: type) { row, bytes in
        guard let found = source(row) else { return false }
        bytes += found.texts[row]
        return true
      }
    }
    for row in 0..<count {
      let found = source(row)
      nulls[row] = found == nil
      guard let found else { continue }
      switch type {
      case .bool, .int: integers[row] = found.integers[row]
      case .double, .date: doubles[row] = found.doubles[row]
      case .decimal128: decimals[row] = found.decimals[row]
      case .point: positions[row] = found.positions[row]
      default: others[row] = found.value(row)
      }
    }
  }

  private func applyToDates(_ function: FormulaFunction, _ dates: FormulaVector) {
    for row in 0..<count {
      // A date without a calendar day has no parts.
      nulls[row] = dates.isNull(row) || !(abs(dates.doubles[row]) < ISODate.maxSeconds)
      if nulls[row] { continue }
      let seconds = Int(dates.doubles[row].rounded(.down))
      if function == .date {
        doubles[row] = Double(ISODate.split(seconds).days) * 86_400
      } else {
        integers[row] = Int64(DatePart.value(function, seconds))
      }
    }
  }

  /// Replaces the matches of an expression in texts.
  func replace(_ pattern: TextPattern, in texts: FormulaVector, by replacements: FormulaVector) {
    makeBytes { row, bytes in
      guard !texts.isNull(row), !replacements.isNull(row) else { return false }
      let text = String(decoding: texts.texts[row], as: UTF8.self)
      let replacement = String(decoding: replacements.texts[row], as: UTF8.self)
      bytes += pattern.replacing(in: text, by: replacement).utf8
      return true
    }
  }
}

/// The parts of dates.
private enum DatePart {
  /// - Parameter seconds: Whole seconds since 2001 in UTC.
  static func value(_ function: FormulaFunction, _ seconds: Int) -> Int {
    let (days, second) = ISODate.split(seconds)
    let date = ISODate.civil(days: days)
    switch function {
    case .year: return date.year
    case .quarter: return (date.month + 2) / 3
    case .month: return date.month
    case .week: return week(days)
    case .day: return date.day
    case .weekday: return weekday(days)
    case .hour: return second / 3600
    case .minute: return second / 60 % 60
    default: return second % 60
    }
  }

  /// 1 for Monday. The first of January 2001 was one.
  private static func weekday(_ days: Int) -> Int {
    let rest = days % 7
    return (rest < 0 ? rest + 7 : rest) + 1
  }

  /// The week of ISO 8601, which belongs to the year of its Thursday.
  private static func week(_ days: Int) -> Int {
    let thursday = days - weekday(days) + 4
    let year = ISODate.civil(days: thursday).year
    let first = Int(ISODate.seconds(year: year, month: 1, day: 1) / 86_400)
    return (thursday - first) / 7 + 1
  }
}

/// The functions of one row's texts.
private enum TextFunctions {
  /// Appends the result; returns false if it is null.
  static func append(
    _ function: FormulaFunction, _ arguments: [FormulaVector], row: Int, to bytes: inout [UInt8]
  ) -> Bool {
    let text = arguments[0].texts[row]
    switch function {
    case .upper: appendCased(text, isUpper: true, to: &bytes)
    case .lower: appendCased(text, isUpper: false, to: &bytes)
    case .trim: appendTrimmed(text, to: &bytes)
    case .replace:
      appendReplaced(
        text, arguments[1].texts[row], by: arguments[2].texts[row], to: &bytes)
    case .split:
      return appendPart(
        text, separator: arguments[1].texts[row], number: arguments[2].integers[row], to: &bytes)
    default:
      appendCharacters(
        text, from: arguments[1].integers[row],
        count: arguments.count > 2 ? arguments[2].integers[row] : .max, to: &bytes)
    }
    return true
  }

  private static func appendCased(
    _ text: UnsafeRawBufferPointer, isUpper: Bool, to bytes: inout [UInt8]
  ) {
    guard text.isASCII else {
      let string = String(decoding: text, as: UTF8.self)
      bytes += (isUpper ? string.uppercased() : string.lowercased()).utf8
      return
    }
    let first = UInt8(ascii: isUpper ? "a" : "A")
    for byte in text { bytes.append(byte &- first < 26 ? byte ^ 0x20 : byte) }
  }

  private static func appendTrimmed(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    let string = String(decoding: text, as: UTF8.self)
    var rest = string.unicodeScalars[...]
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    bytes += String(rest).utf8
  }

  private static func appendReplaced(
    _ text: UnsafeRawBufferPointer, _ old: UnsafeRawBufferPointer,
    by new: UnsafeRawBufferPointer, to bytes: inout [UInt8]
  ) {
    var rest = text[...]
    while !old.isEmpty, let start = offset(of: old, in: rest) {
      bytes += rest[rest.startIndex..<start]
      bytes += new
      rest = rest[(start + old.count)...]
    }
    bytes += rest
  }

  private static func appendPart(
    _ text: UnsafeRawBufferPointer, separator: UnsafeRawBufferPointer, number: Int64,
    to bytes: inout [UInt8]
  ) -> Bool {
    var parts: [Slice<UnsafeRawBufferPointer>] = []
    var rest = text[...]
    while !separator.isEmpty, let start = offset(of: separator, in: rest) {
      parts.append(rest[rest.startIndex..<start])
      rest = rest[(start + separator.count)...]
    }
    parts.append(rest)
    let index = number > 0 ? Int(clamping: number) - 1 : parts.count + Int(clamping: number)
    guard number != 0, parts.indices.contains(index) else { return false }
    bytes += parts[index]
    return true
  }

  private static func appendCharacters(
    _ text: UnsafeRawBufferPointer, from start: Int64, count: Int64, to bytes: inout [UInt8]
  ) {
    let string = String(decoding: text, as: UTF8.self)
    let skipped = max(0, start - 1)
    // Characters in front of the first one count, as in SQL.
    let (end, overflow) = start.addingReportingOverflow(max(0, count))
    let wanted = overflow ? Int64.max : max(0, end - max(1, start))
    bytes += string.dropFirst(Int(clamping: skipped)).prefix(Int(clamping: wanted)).utf8
  }

  private static func offset(
    of part: UnsafeRawBufferPointer, in text: Slice<UnsafeRawBufferPointer>
  ) -> Int? {
    guard let first = part.first, part.count <= text.count else { return nil }
    for start in text.startIndex...(text.endIndex - part.count) where text[start] == first {
      if text[start..<(start + part.count)].elementsEqual(part) { return start }
    }
    return nil
  }
}

/// A regular expression of Swift, whose matches in a text are replaced.
// Sendable: the expression does not change once it is compiled.
struct TextPattern: @unchecked Sendable {
  private let regex: Regex<AnyRegexOutput>

  /// Returns nil for a text that is not a regular expression.
  init?(_ pattern: String) {
    guard let regex = try? Regex(pattern) else { return nil }
    self.regex = regex
  }

  /// Returns a text with every match replaced. `$1` in the replacement stands for the first group, `$0`
  /// for the match and `$$` for a dollar sign.
  func replacing(in text: String, by replacement: String) -> String {
    text.replacing(regex) { match in
      guard replacement.contains("$") else { return replacement }
      return Self.expanded(replacement, match.output)
    }
  }

  private static func expanded(_ replacement: String, _ groups: AnyRegexOutput) -> String {
    var result = ""
    var rest = replacement[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "$" {
        result += "$"
        rest.removeFirst()
      } else if let digit = rest.first?.wholeNumberValue {
        if groups.indices.contains(digit) { result += groups[digit].substring ?? "" }
        rest.removeFirst()
      } else {
        result += "$"
      }
    }
    return result + rest
  }
}
