/// A coordinate as people write it: `48.1372`, `48° 8' 14" N`, `N48°08.233′`, `48:08:14`.
struct AngleText: Equatable {
  /// The axis that a letter names.
  enum Axis { case latitude, longitude }

  /// The angle in degrees.
  let value: Double
  /// The axis that a letter names, or nil when there is no letter.
  let axis: Axis?

  /// Parses a text without surrounding spaces. Returns nil when its meaning is not certain.
  init?(_ text: String, hasDecimalCommas: Bool = false) {
    var scalars = Array(text.unicodeScalars)
    let letters = Self.takeLetter(&scalars)
    if letters.isWrong { return nil }
    axis = letters.letter.map { $0 == "N" || $0 == "S" ? .latitude : .longitude }
    var parser = AngleParser(scalars, hasDecimalCommas: hasDecimalCommas)
    let isSigned = parser.hasSign
    guard let magnitude = parser.parse(needsNoMark: letters.letter != nil), magnitude.isFinite
    else { return nil }
    if isSigned, letters.letter != nil { return nil }
    let isNegative = parser.isNegative || letters.letter == "S" || letters.letter == "W"
    value = isNegative ? -magnitude : magnitude
  }

  /// Removes a letter N, S, E or W from either end.
  private static func takeLetter(
    _ scalars: inout [Unicode.Scalar]
  ) -> (letter: Character?, isWrong: Bool) {
    func letter(_ scalar: Unicode.Scalar?) -> Character? {
      guard let scalar else { return nil }
      let upper = Character(scalar).uppercased()
      return ["N", "S", "E", "W"].contains(upper) ? Character(upper) : nil
    }
    let (first, last) = (letter(scalars.first), letter(scalars.last))
    if first != nil { scalars.removeFirst() }
    // A small `s` at the end may mean seconds.
    let isSecond =
      scalars.last == "s" && scalars.dropLast().last != "s"
      && scalars.contains { $0 == "m" || $0 == "d" }
    let usesLast = last != nil && !isSecond && !scalars.isEmpty
    if usesLast { scalars.removeLast() }
    return (first ?? (usesLast ? last : nil), first != nil && usesLast)
  }
}

/// Parses degrees, minutes and seconds.
private struct AngleParser {
  private let scalars: [Unicode.Scalar]
  private let point: Unicode.Scalar
  private var index = 0
  private(set) var hasSign = false
  private(set) var isNegative = false

  private static let marks: [Set<Unicode.Scalar>] = [
    ["°", "º", "˚", "d", "D", ":"], ["'", "’", "‘", "′", "´", "`", "ʹ", "m", "M", ":"],
    ["\"", "”", "“", "″", "ʺ", "s"],
  ]

  init(_ scalars: [Unicode.Scalar], hasDecimalCommas: Bool) {
    self.scalars = scalars
    point = hasDecimalCommas ? "," : "."
    skipSpace()
    if let sign = peek, sign == "+" || sign == "-" || sign == "−" {
      hasSign = true
      isNegative = sign != "+"
      index += 1
    }
  }

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// Parses the angle in degrees, without its sign.
  ///
  /// - Parameter needsNoMark: Whether a letter already shows that these are degrees.
  mutating func parse(needsNoMark: Bool) -> Double? {
    var parts: [(value: Double, isWhole: Bool)] = []
    var hasMark = needsNoMark
    while parts.count < 3 {
      skipSpace()
      guard let number = takeNumber() else { break }
      let part = parts.count
      parts.append(number)
      skipSpace()
      if part == 2, takeTwoMinuteMarks() {
        hasMark = true
      } else if let mark = peek, Self.marks[part].contains(mark) {
        takeMark(part)
        hasMark = true
      } else if part < 2, let mark = peek, Self.marks[part + 1].contains(mark) {
        return nil
      }
    }
    skipSpace()
    guard index == scalars.count, !parts.isEmpty, hasMark || parts.count == 1 else { return nil }
    guard parts.dropLast().allSatisfy(\.isWhole), parts.dropFirst().allSatisfy({ $0.value < 60 })
    else { return nil }
    if parts.count == 1 { return parts[0].value }
    let seconds =
      parts[0].value * 3600 + parts[1].value * 60 + (parts.count > 2 ? parts[2].value : 0)
    return seconds / 3600
  }

  /// Seconds may be marked with two minute marks.
  private mutating func takeTwoMinuteMarks() -> Bool {
    let quotes: Set<Unicode.Scalar> = ["'", "’", "′", "´"]
    guard index + 1 < scalars.count, quotes.contains(scalars[index]),
      quotes.contains(scalars[index + 1])
    else { return false }
    index += 2
    return true
  }

  /// Skips a mark; degrees may be spelled `deg`.
  private mutating func takeMark(_ part: Int) {
    let mark = scalars[index]
    index += 1
    if part == 0, mark == "d", index + 1 < scalars.count, scalars[index] == "e",
      scalars[index + 1] == "g"
    {
      index += 2
    }
  }

  private mutating func takeNumber() -> (value: Double, isWhole: Bool)? {
    var text = ""
    var hasPoint = false
    while let scalar = peek {
      if ("0"..."9").contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else if scalar == point, !hasPoint, !text.isEmpty {
        hasPoint = true
        text += "."
      } else {
        break
      }
      index += 1
    }
    if text.last == "." { return nil }
    return Double(text).map { ($0, !hasPoint) }
  }

  private mutating func skipSpace() {
    while let scalar = peek, scalar == " " || scalar == "\u{A0}" { index += 1 }
  }
}

/// Two coordinates in one text: `48.1372, 11.5755`, `48°08′14″N 11°34′32″E`, `(48.1; 11.5)`.
struct PairText: Equatable {
  let first: AngleText
  let second: AngleText

  private static let separators: Set<Character> = [",", ";", "/", "|", " ", "\t"]
  private static let brackets: [(Character, Character)] = [("(", ")"), ("[", "]")]

  /// Returns nil unless there is exactly one way to read the text.
  init?(_ text: String, hasDecimalCommas: Bool = false) {
    var text = text.trimmingSpaces
    for (open, close) in Self.brackets
    where text.first == open && text.last == close && text.count > 2 {
      text = String(text.dropFirst().dropLast()).trimmingSpaces
    }
    var found: (AngleText, AngleText)?
    for index in text.indices where Self.separators.contains(text[index]) {
      let left = String(text[..<index]).trimmingSpaces
      let right = String(text[text.index(after: index)...]).trimmingSpaces
      // A comma between digits is a decimal comma.
      if hasDecimalCommas, text[index] == ",",
        text[text.index(after: index)...].first?.isNumber == true
      {
        continue
      }
      guard let first = AngleText(left, hasDecimalCommas: hasDecimalCommas),
        let second = AngleText(right, hasDecimalCommas: hasDecimalCommas)
      else { continue }
      if let found, found != (first, second) { return nil }
      found = (first, second)
    }
    guard let found, (found.0.axis == nil) == (found.1.axis == nil) else { return nil }
    if let axis = found.0.axis, axis == found.1.axis { return nil }
    (first, second) = found
  }

  /// Returns latitude and longitude, or nil when nothing shows which is which.
  func ordered(_ order: PairOrder) -> (latitude: Double, longitude: Double)? {
    if let axis = first.axis {
      return axis == .latitude ? (first.value, second.value) : (second.value, first.value)
    }
    switch order {
    case .latitudeFirst: return (first.value, second.value)
    case .longitudeFirst: return (second.value, first.value)
    case .marked: return nil
    }
  }

  /// Whether a text is a pair in which each part has the letter of its axis.
  static func isMarked(_ text: String) -> Bool { PairText(text)?.first.axis != nil }

  /// Whether a text is a pair of coordinates on Earth with decimals, in either order.
  static func isPair(_ text: String) -> Bool {
    guard let pair = PairText(text), text.contains(".") || pair.first.axis != nil else {
      return false
    }
    let (one, other) = (pair.first.value.magnitude, pair.second.value.magnitude)
    return min(one, other) <= 90 && max(one, other) <= 360
  }
}

extension String {
  /// The string without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
    var rest = self[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Parses a coordinate as people write it.
package enum CoordinateField {
  /// Parses a number, which may have a plus sign and a bare point at the end.
  package static func number(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    guard count > 0 else { return nil }
    let hasPlus = text[0] == UInt8(ascii: "+")
    let digits = hasPlus ? text + 1 : text
    var length = hasPlus ? count - 1 : count
    if hasPlus, length > 0, digits[0] == UInt8(ascii: "-") { return nil }
    if length > 1, digits[length - 1] == UInt8(ascii: "."), Digits.isDigit(digits[length - 2]) {
      length -= 1
    }
    return DoubleText.parseNearest(digits, count: length)
  }

  /// Parses degrees, minutes and seconds. Returns nil for a text with neither letter nor mark; the
  /// caller has already tried that as a number.
  static func angle(
    _ text: String, axis: CoordinateAxis, hasDecimalCommas: Bool = false
  ) -> Double? {
    guard let angle = AngleText(text, hasDecimalCommas: hasDecimalCommas) else { return nil }
    let own: AngleText.Axis = axis.name == CoordinateAxis.latitude.name ? .latitude : .longitude
    guard angle.axis ?? own == own, angle.axis != nil || !text.allSatisfy(isNumeric) else {
      return nil
    }
    return angle.value
  }

  private static func isNumeric(_ character: Character) -> Bool {
    character.isASCII && (character.isNumber || ".,+-".contains(character))
  }
}
