import CairnValues

/// Reads a regular expression in the syntax of ICU, which `NSPredicate` uses.
///
/// A finite automaton cannot do references back and lookaround, so the parser rejects them.
struct PatternParser {
  /// The code points of the expression.
  let text: [Unicode.Scalar]
  /// The offset of the next code point.
  var index = 0
  /// The differences that are ignored from here to the end of the group.
  var options: StringOptions
  /// Whether `.` also matches the ends of lines.
  private var matchesLineEnds = false
  /// The number of enclosing groups and sets.
  private var depth = 0

  private static let maxDepth = 100
  private static let maxCount = 100_000

  /// Parses a regular expression.
  ///
  /// - Parameter options: The differences to ignore in all of the expression.
  static func parse(_ pattern: String, options: StringOptions) throws(PatternError) -> PatternNode {
    var parser = PatternParser(text: Array(pattern.unicodeScalars), options: options)
    let node = try parser.readAlternatives()
    if parser.peek() == ")" { throw parser.error("This parenthesis closes nothing") }
    return node
  }

  private init(text: [Unicode.Scalar], options: StringOptions) {
    self.text = text
    self.options = options
  }

  // MARK: Moving

  func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < text.count ? text[index + ahead] : nil
  }

  /// Passes a text if it comes next.
  mutating func skip(_ expected: String) -> Bool {
    let scalars = expected.unicodeScalars
    guard text[index...].starts(with: scalars) else { return false }
    index += scalars.count
    return true
  }

  /// An error at an offset, by default the current one.
  func error(_ message: String, at offset: Int? = nil) -> PatternError {
    PatternError(message: message, position: (offset ?? index) + 1)
  }

  /// Enters a group or a set, which `leave` ends.
  mutating func enter(at start: Int) throws(PatternError) {
    depth += 1
    if depth > PatternParser.maxDepth { throw error("It is nested too deeply", at: start) }
  }

  mutating func leave() { depth -= 1 }

  // MARK: Alternatives and sequences

  private mutating func readAlternatives() throws(PatternError) -> PatternNode {
    var alternatives = [try readSequence()]
    while skip("|") { alternatives.append(try readSequence()) }
    return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
  }

  private mutating func readSequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let next = peek(), next != "|", next != ")" {
      let start = index
      guard let part = try readAtom() else { continue }
      let repeated = try readRepetition(of: part, at: start)
      if case .literal(let units, let options) = repeated,
        case .literal(let before, options)? = parts.last
      {
        parts[parts.count - 1] = .literal(before + units, options)
      } else {
        parts.append(repeated)
      }
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// Reads one character, set, group or assertion; nil for flags and comments.
  private mutating func readAtom() throws(PatternError) -> PatternNode? {
    let start = index
    guard let next = peek() else { return nil }
    switch next {
    case "(": return try readGroup()
    case "[": return .set(try readSet())
    case "\\": return try readEscape()
    case "*", "+", "?":
      throw error("There is nothing that '\(next)' could repeat; \\\(next) is the character")
    case "{": throw error("There is nothing that '{' could repeat; \\{ is the character")
    default: break
    }
    index = start + 1
    switch next {
    case ".": return .set(matchesLineEnds ? .all : CodePointSet.lineEnds.inverted)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    default: return .literal([next.value], options)
    }
  }

  // MARK: Repetitions

  private mutating func readRepetition(
    of part: PatternNode, at start: Int
  ) throws(PatternError) -> PatternNode {
    guard let counts = try readCounts() else { return part }
    // A reluctant repetition matches the same whole texts.
    if !skip("?"), peek() == "+" {
      throw error("Possessive repetitions such as 'a*+' are not supported")
    }
    let next = index
    if try readCounts() != nil {
      throw error("A repetition cannot be repeated; put it in parentheses", at: next)
    }
    return .repetition(part, atLeast: counts.low, atMost: counts.high)
  }

  /// Reads `*`, `+`, `?` or `{2,5}`; nil if something else comes next.
  private mutating func readCounts() throws(PatternError) -> (low: Int, high: Int?)? {
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    let start = index
    guard skip("{") else { return nil }
    guard let low = try readCount() else { throw countError(start) }
    var high: Int? = low
    if skip(",") { high = try readCount() }
    guard skip("}") else { throw countError(start) }
    if let high, high < low {
      throw error("The repetition {\(low),\(high)} has its larger number first", at: start)
    }
    return (low, high)
  }

  private func countError(_ start: Int) -> PatternError {
    error("'{' begins a repetition such as {2,5}; \\{ is the character", at: start)
  }

  private mutating func readCount() throws(PatternError) -> Int? {
    let start = index
    var count = 0
    while let next = peek(), ("0"..."9").contains(next) {
      index += 1
      count = min(count * 10 + Int(next.value - 48), PatternParser.maxCount)
    }
    if count == PatternParser.maxCount { throw error("The number is too large", at: start) }
    return index == start ? nil : count
  }

  // MARK: Groups

  private mutating func readGroup() throws(PatternError) -> PatternNode? {
    let start = index
    index += 1
    let outer = (options, matchesLineEnds)
    if peek() == "?" {
      guard try readGroupKind(at: start) else { return nil }
    }
    try enter(at: start)
    let node = try readAlternatives()
    guard skip(")") else { throw error("The parenthesis is never closed", at: start) }
    leave()
    (options, matchesLineEnds) = outer
    // A sequence of one part, so that the group is not joined with the literal before it.
    if case .literal = node { return .sequence([node]) }
    return node
  }

  /// Reads what follows `(`. Returns false if that is all of it, as for `(?i)`.
  private mutating func readGroupKind(at start: Int) throws(PatternError) -> Bool {
    for (sign, name) in PatternParser.unsupportedGroups where skip(sign) {
      throw error("\(name) such as '(\(sign)…)' are not supported", at: start)
    }
    if skip("?#") {
      while let next = peek(), next != ")" { index += 1 }
      guard skip(")") else { throw error("The comment is never closed", at: start) }
      return false
    }
    if skip("?:") { return true }
    if skip("?<") {
      while let next = peek(), next.properties.isAlphabetic || ("0"..."9").contains(next) {
        index += 1
      }
      guard skip(">") else { throw error("The name of the group is never closed", at: start) }
      return true
    }
    index += 1
    return try readFlags(at: start)
  }

  private static let unsupportedGroups = [
    ("?=", "Lookaheads"), ("?!", "Lookaheads"), ("?<=", "Lookbehinds"), ("?<!", "Lookbehinds"),
    ("?>", "Atomic groups"), ("?P", "Groups"), ("?(", "Conditions"), ("?|", "Groups"),
    ("?R", "Recursions"),
  ]

  /// Reads `i`, `s` and `-` behind `(?`. Returns whether a group follows, as in `(?i:…)`.
  private mutating func readFlags(at start: Int) throws(PatternError) -> Bool {
    var isOn = true
    while let next = peek() {
      index += 1
      switch next {
      case ")": return false
      case ":": return true
      case "-": isOn = false
      case "i":
        if isOn { options.insert(.caseInsensitive) } else { options.remove(.caseInsensitive) }
      case "s": matchesLineEnds = isOn
      default:
        throw error(
          "The flag '\(next)' is not supported; there are i (ignore case) and s (. matches the "
            + "ends of lines)", at: index - 1)
      }
    }
    throw error("The parenthesis is never closed", at: start)
  }
}
