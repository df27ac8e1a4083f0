/// What the argument parser says of a line that it does not understand.
enum ParserMessage {
  /// The message with what was probably meant.
  static func hinting(_ message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let hint = quotes(lines[0], message) {
      lines.insert(hint, at: 1)
    } else if let (hint, place) = value(lines) {
      lines.insert(hint, at: place)
    }
    return lines.joined(separator: "\n")
  }

  /// What to say of a value that is none of a few, which stand behind it, or each on a line of its own.
  private static func value(_ lines: [String]) -> (hint: String, place: Int)? {
    let quoted = words(lines[0][...])
    guard lines[0].hasPrefix("Error: The value '"), let wrong = quoted.first,
      let list = lines[0].firstRange(of: "Please provide one of")
    else { return nil }
    let listed = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let values = listed.isEmpty ? words(lines[0][list.upperBound...]) : listed
    let nearest = Hint.nearest(wrong.lowercased(), among: values)
    return nearest.map { ("Did you mean '\($0)'?", 1 + listed.count) }
  }

  /// The words of a line that stand in quotes.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// A shell cuts a condition into words, unless it stands in quotes.
  private static func quotes(_ line: String, _ message: String) -> String? {
    guard line.contains("nexpected argument"), message.contains("[<predicate>]") else { return nil }
    return "A condition is one argument: put it in quotes, as in \"population > 1000\"."
  }
}
