/// Two coordinates in one text: `48.1372, 11.5755`, `48°08′14″N 11°34′32″E`, `(48.1; 11.5)`.
struct PairText: Equatable {
  let first: AngleText
  let second: AngleText

  private static let separators: Set<Character> = [",", ";", "/", "|", " ", "\t"]
  private static let brackets: [(Character, Character)] = [("(", ")"), ("[", "]")]

  /// Nil where there is not exactly one way to read the text.
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
      // Between digits it is the decimal comma of a number.
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

  /// Latitude and longitude; nil where nothing says which is which.
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

  /// Whether a text is a pair, each part with the letter that tells its axis.
  static func isMarked(_ text: String) -> Bool { PairText(text)?.first.axis != nil }

  /// Whether a text is a pair of coordinates on the earth, written with decimals, in whatever order.
  static func isPair(_ text: String) -> Bool {
    guard let pair = PairText(text), text.contains(".") || pair.first.axis != nil else {
      return false
    }
    let (one, other) = (pair.first.value.magnitude, pair.second.value.magnitude)
    return min(one, other) <= 90 && max(one, other) <= 360
  }
}

extension String {
  /// Without spaces at both ends.
  fileprivate var trimmingSpaces: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
    var rest = self[...]
    while let first = rest.first, isSpace(first) { rest.removeFirst() }
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest)
  }
}
