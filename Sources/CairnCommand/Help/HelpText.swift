/// The parts of a help text, as the argument parser lays it out when lines may be as long as they like.
struct HelpText {
  /// One sentence.
  private(set) var abstract = ""
  /// What is said besides, paragraph by paragraph.
  private(set) var discussion: [String] = []
  /// Command lines that work.
  private(set) var examples: [String] = []
  private(set) var usage = ""
  private(set) var arguments: [Entry] = []
  private(set) var options: [Entry] = []
  private(set) var commands: [Entry] = []

  /// A term and what it means.
  struct Entry {
    let term: String
    let meaning: String
  }

  init(_ text: String) {
    var section = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let name = Self.section(line) {
        section = name
        add(String(line.dropFirst(name.count + 1)), to: section)
      } else if Self.isTitle(line) {
        section = "OPTIONS"
      } else {
        add(line, to: section)
      }
    }
    discussion = discussion.filter { !$0.isEmpty }
  }

  private static let sections = [
    "OVERVIEW", "EXAMPLES", "USAGE", "ARGUMENTS", "OPTIONS", "SUBCOMMANDS",
  ]

  private static func section(_ line: String) -> String? {
    sections.first { line.hasPrefix($0 + ":") }
  }

  /// Whether the line is the title of a group of options.
  private static func isTitle(_ line: String) -> Bool {
    line.count > 1 && line.hasSuffix(":")
      && line.dropLast().allSatisfy { $0.isUppercase || $0 == " " }
      && !line.hasPrefix(" ")
  }

  private mutating func add(_ line: String, to section: String) {
    let words = String(line.trimmingSpaces())
    switch section {
    case "OVERVIEW" where abstract.isEmpty: abstract = words
    case "OVERVIEW": addToDiscussion(words)
    case "EXAMPLES": if !words.isEmpty { examples.append(words) }
    case "USAGE": if usage.isEmpty { usage = words }
    case "ARGUMENTS": Self.add(line, to: &arguments)
    case "OPTIONS": Self.add(line, to: &options)
    case "SUBCOMMANDS": Self.add(line, to: &commands)
    default: break
    }
  }

  private mutating func addToDiscussion(_ words: String) {
    if words.isEmpty || discussion.isEmpty {
      discussion.append(words)
    } else {
      let last = discussion[discussion.count - 1]
      discussion[discussion.count - 1] = last.isEmpty ? words : last + " " + words
    }
  }

  /// A line of two columns: a command, or an option with its other name and its value, and what it means. A long
  /// term has a line to itself, and what it means follows further in.
  private static func add(_ line: String, to entries: inout [Entry]) {
    let words = line.trimmingSpaces()
    guard !words.isEmpty, line.hasPrefix("  "), !words.hasPrefix("See '") else { return }
    if line.hasPrefix("     "), let last = entries.popLast() {
      let meaning = last.meaning.isEmpty ? String(words) : last.meaning + " " + words
      return entries.append(Entry(term: last.term, meaning: meaning))
    }
    let parts = words.split(separator: " ", omittingEmptySubsequences: true)
    let rest = parts.dropFirst().drop { $0.hasPrefix("-") || $0.hasPrefix("<") }
    entries.append(
      Entry(
        term: parts[..<rest.startIndex].joined(separator: " "),
        meaning: rest.joined(separator: " ")))
  }
}
