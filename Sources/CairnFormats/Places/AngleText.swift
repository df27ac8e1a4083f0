/// One coordinate as people write it: `48.1372`, `48° 8' 14" N`, `N48°08.233′`, `48:08:14`.
struct AngleText: Equatable {
  enum Axis { case latitude, longitude }

  /// In degrees.
  let value: Double
  /// As a letter says; nil where there is none.
  let axis: Axis?

  /// Reads a text without spaces at its ends; nil where it is not certain.
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

  /// Takes a letter N, S, E or W off either end.
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
    // A small `s` at the end may stand for seconds.
    let isSecond =
      scalars.last == "s" && scalars.dropLast().last != "s"
      && scalars.contains { $0 == "m" || $0 == "d" }
    let usesLast = last != nil && !isSecond && !scalars.isEmpty
    if usesLast { scalars.removeLast() }
    return (first ?? (usesLast ? last : nil), first != nil && usesLast)
  }
}

/// Degrees, minutes and seconds.
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

  /// - Parameter needsNoMark: a letter says that these are degrees.
  mutating func parse(needsNoMark: Bool) -> Double? {
    var parts: [(value: Double, isWhole: Bool)] = []
    var hasMark = needsNoMark
    while parts.count < 3 {
      skipSpace()
      guard let number = takeNumber() else { break }
      let place = parts.count
      parts.append(number)
      skipSpace()
      if place == 2, takeTwoMinuteMarks() {
        hasMark = true
      } else if let mark = peek, Self.marks[place].contains(mark) {
        takeMark(place)
        hasMark = true
      } else if place < 2, let mark = peek, Self.marks[place + 1].contains(mark) {
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

  /// Seconds may have two marks of minutes.
  private mutating func takeTwoMinuteMarks() -> Bool {
    let quotes: Set<Unicode.Scalar> = ["'", "’", "′", "´"]
    guard index + 1 < scalars.count, quotes.contains(scalars[index]),
      quotes.contains(scalars[index + 1])
    else { return false }
    index += 2
    return true
  }

  /// Passes a mark; degrees may be spelled `deg`.
  private mutating func takeMark(_ place: Int) {
    let mark = scalars[index]
    index += 1
    if place == 0, mark == "d", index + 1 < scalars.count, scalars[index] == "e",
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
