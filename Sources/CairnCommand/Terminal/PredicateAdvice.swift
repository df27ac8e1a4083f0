import CairnQuery
import CairnValues

/// Adds to messages about predicates the option that does what a predicate cannot.
enum PredicateAdvice {
  /// The message of an error, with advice after its first line.
  static func text(of error: PredicateError) -> String {
    if isBareName(error) { return bareName(error.text) }
    guard let advice = advice(on: error) else { return error.description }
    let lines = error.description.split(separator: "\n", maxSplits: 1)
    return lines.dropFirst().reduce("\(lines.first ?? "") \(advice)") { $0 + "\n" + $1 }
  }

  /// Whether the predicate is only a property, because the shell took `> 1000` as a redirection.
  private static func isBareName(_ error: PredicateError) -> Bool {
    error.kind == .syntax && error.offset == error.text.utf8.count && isName(error.text)
  }

  private static func bareName(_ name: String) -> String {
    let name = PrintableText.escaped(name)
    return
      "'\(name)' is only half a condition; the shell reads an unquoted < or > as a redirection "
      + "(> creates a file): put the condition in quotes, as in \"\(name) > 1000\""
  }

  private static func advice(on error: PredicateError) -> String? {
    guard let offset = error.offset else { return nil }
    let text = error.text
    if text.trimmingSpaces().isEmpty || text == "*" { return "Leave it out to select all rows." }
    switch error.kind {
    case .unsupported: return option(for: word(of: text, at: offset))
    case .unknownProperty: return areaAdvice(word(of: text, at: offset))
    case .typeMismatch:
      return quotedNumber(text, at: offset).map { "Write numbers without quotes: \($0)." }
    case .syntax: return spelling(text, at: offset)
    default: return nil
    }
  }

  /// The option that replaces a clause of another query language.
  private static func option(for clause: String) -> String? {
    switch clause {
    case "LIMIT": "Use --limit 10."
    case "OFFSET": "Use --offset 10."
    case "SORT", "ORDER": "Use --sort name or --sort name:desc."
    case "DISTINCT": "Use --distinct name."
    case "GROUP": "Use cairn stats with --by name."
    case "LOWER", "UPPER", "TOLOWER", "TOUPPER": "Use ==[c] to ignore case."
    default: nil
    }
  }

  /// The options for conditions on the location.
  private static func areaAdvice(_ name: String) -> String? {
    let names = ["LAT", "LON", "LNG", "LONG", "LATITUDE", "LONGITUDE", "X", "Y", "DISTANCE"]
    return names.contains(name)
      ? "Use --near LATITUDE,LONGITUDE --radius 50km or --bbox WEST,SOUTH,EAST,NORTH." : nil
  }

  private static func spelling(_ text: String, at offset: Int) -> String? {
    if ["SELECT", "WHERE"].contains(word(of: text, at: 0)) {
      return "A predicate is only the condition, as in \"population > 1000\"."
    }
    let rest = String(decoding: Array(text.utf8.dropFirst(offset)), as: UTF8.self)
    switch rest.first {
    case "‘", "’", "“", "”", "„", "«", "´": return "Use straight quotes: 'Paris'."
    case "~":
      return "MATCHES takes a regular expression; in LIKE, * matches any text and ? one character."
    case ",", "_": return separator(rest)
    default:
      let isInBrackets = text.utf8.prefix(offset).last == UInt8(ascii: "[")
      return isInBrackets && rest.contains("]")
        ? "Write lists in braces: {'FR', 'DE'}." : nil
    }
  }

  /// The advice for a comma or an underscore among digits; nil for anything else.
  private static func separator(_ rest: String) -> String? {
    let digits = rest.dropFirst().prefix { $0.isNumber }
    if digits.isEmpty { return nil }
    return digits.count == 3
      ? "Write digits without separators: 1000."
      : "Use a decimal point: 4.5."
  }

  /// The quoted number at an offset; nil if there is something else.
  private static func quotedNumber(_ text: String, at offset: Int) -> Substring? {
    let rest = Substring(decoding: Array(text.utf8.dropFirst(offset)), as: UTF8.self)
    guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
    let content = rest.dropFirst().prefix { $0 != quote }
    return NumberText.parse(content) == nil ? nil : content
  }

  /// The word at a byte offset, in capitals.
  private static func word(of text: String, at offset: Int) -> String {
    let letters = text.utf8.dropFirst(offset).prefix { (65...90).contains($0 & 0xDF) }
    return String(decoding: Array(letters), as: UTF8.self).uppercased()
  }

  /// Whether the text is a single word, such as the name of a property.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || "'\"()<>=!&|".contains($0) }
  }

  // MARK: Patterns of SQL

  /// The note on `LIKE '%berg'`, in which `%` is an ordinary character, unlike in `ILIKE`; nil for a
  /// condition without such a pattern.
  static func note(on predicate: Predicate) -> String? {
    guard let pattern = pattern(in: predicate.root) else { return nil }
    let own = pattern.replacing("%", with: "*")
    return "Note: in LIKE '\(pattern)' % is an ordinary character; use * for any text and ? "
      + "for one character, as in LIKE '\(own)'."
  }

  private static func pattern(in node: PredicateNode) -> String? {
    switch node {
    case .and(let parts), .or(let parts): parts.lazy.compactMap(pattern).first
    case .not(let part): pattern(in: part)
    case .match(_, .like, .value(.string(let text)), _):
      text.hasPrefix("%") || text.hasSuffix("%")
        ? text.contains { $0 == "*" || $0 == "?" } ? nil : text : nil
    default: nil
    }
  }
}
