/// The manual page of a command, in the language of `mdoc`, made from what its `--help` says.
struct ManualPage {
  let text: String

  /// Wide enough that no line of the help is broken.
  static let columns = 10_000

  /// - Parameter command: nil: `cairn` itself.
  init(help: String, _ command: String?) {
    let help = HelpText(help)
    let name = "cairn" + (command.map { "-" + $0 } ?? "")
    var lines = [
      ".Dd \(CairnTool.date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(Self.escaped(Self.phrase(help.abstract)))", ".Sh SYNOPSIS",
      ".Nm \(command.map { "cairn \($0)" } ?? "cairn")",
    ]
    lines += Self.synopsis(help.usage, command)
    lines.append(".Sh DESCRIPTION")
    lines += Self.filled(help.abstract)
    for paragraph in help.discussion { lines += [".Pp"] + Self.filled(paragraph) }
    lines += Self.list("COMMANDS", help.commands) { [".It Cm \($0)"] }
    lines += Self.list("ARGUMENTS", help.arguments) { [".It " + Self.term($0)] }
    lines += Self.list("OPTIONS", help.options) { [".It " + Self.term($0)] }
    lines += Self.exitStatus
    if !help.examples.isEmpty {
      lines += [".Sh EXAMPLES", ".Bd -literal"] + help.examples.map(Self.escaped) + [".Ed"]
    }
    lines += Self.related(command)
    text = lines.joined(separator: "\n") + "\n"
  }

  /// `Write the rows that fit.` as it stands behind a name: `write the rows that fit`.
  private static func phrase(_ sentence: String) -> String {
    let rest = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return rest.prefix(1).lowercased() + rest.dropFirst()
  }

  /// `[<options>] <store> <file> ...`
  private static func synopsis(_ usage: String, _ command: String?) -> [String] {
    let own = (command.map { "cairn \($0)" } ?? "cairn") + " "
    guard usage.hasPrefix(own) else { return [] }
    return usage.dropFirst(own.count).split(separator: " ").map { word in
      let name = word.filter { !"<>[]".contains($0) }
      if word == "..." { return ".Ar ..." }
      if name.hasPrefix("--") { return ".Fl \(name.dropFirst())" }
      return word.hasPrefix("[") ? ".Op Ar \(name)" : ".Ar \(name)"
    }
  }

  /// `-h, --help` and `--near <lat,lon>` in the words of mdoc.
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
    _ title: String, _ entries: [HelpText.Entry], _ head: (String) -> [String]
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let items = entries.flatMap { head($0.term) + filled($0.meaning) }
    return [".Sh \(title)", ".Bl -tag -width Ds"] + items + [".El"]
  }

  private static let exitStatus = [
    ".Sh EXIT STATUS", ".Bl -tag -width Ds", ".It 0", "Done.",
    ".It 64", "Usage: an option, a predicate, an unknown class or column.",
    ".It 65", "Bad data: what a file holds, an invalid polygon.",
    ".It 66", "No input: a file that is not there.",
    ".It 74", "I/O: disk full, a locked or damaged store.",
    ".It 1", "Anything else.", ".El",
  ]

  private static func related(_ command: String?) -> [String] {
    let names = command == nil ? CairnTool.names.map { "cairn-\($0)" }.sorted() : ["cairn"]
    let last = names.count - 1
    return [".Sh SEE ALSO"] + names.enumerated().map { ".Xr \($1) 1" + ($0 < last ? " ," : "") }
  }

  /// Lines of text that are not too long, with every sentence on a new one.
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

  /// A line of text that begins with no macro and holds no escape.
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
