/// The manual page of a command in the `mdoc` language, made from its `--help` text.
struct ManualPage {
  let text: String

  /// A terminal width at which no line of the help is wrapped.
  static let columns = 10_000

  /// - Parameter command: The name of the command; nil for `cairn` itself.
  init(help: String, _ command: String?) {
    let help = HelpText(help)
    let name = "cairn" + (command.map { "-" + $0 } ?? "")
    var lines = [
      ".Dd \(CairnTool.date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(Self.escaped(Self.phrase(help.abstract)))", ".Sh SYNOPSIS",
      ".Nm \(command.map { "cairn \($0)" } ?? "cairn")",
    ]
    lines += Self.synopsis(help.usage, command: command)
    lines.append(".Sh DESCRIPTION")
    lines += Self.filled(help.abstract)
    for paragraph in help.discussion { lines += [".Pp"] + Self.filled(paragraph) }
    lines += Self.list("COMMANDS", entries: help.commands) { [".It Cm \($0)"] }
    lines += Self.list("ARGUMENTS", entries: help.arguments) { [".It " + Self.term($0)] }
    lines += Self.list("OPTIONS", entries: help.options) { [".It " + Self.term($0)] }
    lines += Self.exitStatus
    if !help.examples.isEmpty {
      lines += [".Sh EXAMPLES", ".Bd -literal"] + help.examples.map(Self.escaped) + [".Ed"]
    }
    lines += Self.related(command)
    text = lines.joined(separator: "\n") + "\n"
  }

  /// A sentence as a phrase after a name: `Print the rows.` becomes `print the rows`.
  private static func phrase(_ sentence: String) -> String {
    let rest = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// `[<options>] <store> <file> ...`
  private static func synopsis(_ usage: String, command: String?) -> [String] {
    let own = (command.map { "cairn \($0)" } ?? "cairn") + " "
    guard usage.hasPrefix(own) else { return [] }
    return usage.dropFirst(own.count).split(separator: " ").map { word in
      let name = word.filter { !"<>[]".contains($0) }
      if word == "..." { return ".Ar ..." }
      if name.hasPrefix("--") { return ".Fl \(name.dropFirst())" }
      return word.hasPrefix("[") ? ".Op Ar \(name)" : ".Ar \(name)"
    }
  }

  /// A term such as `-h, --help` or `--near <lat,lon>` as mdoc macros.
  private static func term(_ term: String) -> String {
    term.split(separator: " ").map { part in
      let name = part.filter { !"<>".contains($0) }
      let isLast = !name.hasSuffix(",")
      let bare = isLast ? name[...] : name.dropLast()
      let macro = bare.hasPrefix("-") ? "Fl \(escaped(String(bare.dropFirst())))" : "Ar \"\(bare)\""
      return macro + (isLast ? "" : " ,")
    }.joined(separator: " ")
  }

  private static func list(
    _ title: String, entries: [HelpText.Entry], head: (String) -> [String]
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let items = entries.flatMap { head($0.term) + filled($0.meaning) }
    return [".Sh \(title)", ".Bl -tag -width Ds"] + items + [".El"]
  }

  private static let exitStatus = [
    ".Sh EXIT STATUS", ".Bl -tag -width Ds", ".It 0", "Success.",
    ".It 64", "Usage: a wrong option or predicate, or an unknown class or column.",
    ".It 65", "Bad data: invalid content of a file, or an invalid polygon.",
    ".It 66", "No input: a file does not exist.",
    ".It 74", "I/O: a full disk, or a locked or damaged store.",
    ".It 1", "Any other failure.", ".El",
  ]

  private static func related(_ command: String?) -> [String] {
    let names = command == nil ? CairnTool.names.map { "cairn-\($0)" }.sorted() : ["cairn"]
    let last = names.count - 1
    return [".Sh SEE ALSO"] + names.enumerated().map { ".Xr \($1) 1" + ($0 < last ? " ," : "") }
  }

  /// The text in lines of limited length; every sentence begins a new line.
  private static func filled(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in escaped(text).split(separator: " ") {
      let isNew = line.hasSuffix(".") || line.hasSuffix("?")
      if !line.isEmpty, isNew || line.count + word.count + 1 > lineLength {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : $0 }
  }

  private static let lineLength = 72

  /// A line of text in which nothing reads as a macro or an escape.
  private static func escaped(_ text: String) -> String {
    let text = text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      default: result.append(character)
      }
    }
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}

/// The parts of a help text, as the argument parser prints it on a terminal of unlimited width.
struct HelpText {
  /// One sentence.
  private(set) var abstract = ""
  /// The discussion, by paragraphs.
  private(set) var discussion: [String] = []
  /// The example command lines.
  private(set) var examples: [String] = []
  private(set) var usage = ""
  private(set) var arguments: [Entry] = []
  private(set) var options: [Entry] = []
  private(set) var commands: [Entry] = []

  /// A term and its meaning.
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

  /// Adds a line of two columns: a command, or an option with its other name and its value, and the
  /// meaning. A long term has a line to itself; its meaning follows on the next lines, indented
  /// further.
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
