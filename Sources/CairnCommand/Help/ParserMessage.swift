/// What the argument parser says of a line that it does not understand.
enum ParserMessage {
  /// The message with what was probably meant.
  ///
  /// - Parameter arguments: the command line.
  static func hinting(_ message: String, _ arguments: [String]) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let better = unknownOption(lines[0], arguments) {
      lines[0] = better
    } else if let hint = missing(lines[0], arguments) {
      lines.insert(hint, at: 1)
    } else if let hint = quotes(lines[0], message) {
      lines.insert(hint, at: 1)
    } else if let (hint, place) = value(lines) {
      lines.insert(hint, at: place)
    }
    return lines.joined(separator: "\n")
  }

  /// The advice for an option that the command does not have; nil where the parser's own message is enough.
  private static func unknownOption(_ line: String, _ arguments: [String]) -> String? {
    guard line.hasPrefix("Error: Unknown option '"), let option = words(line[...]).first else {
      return nil
    }
    let name = option.drop { $0 == "-" }.lowercased()
    guard let command = arguments.first.flatMap(CairnTool.command) else {
      return name == "v" ? "Error: Unknown option '\(option)'. Did you mean '--version'?" : nil
    }
    let advice = OptionSynonyms.advice(on: name, OptionTable(command)) ?? owners(of: name)
    return advice.map { "Error: Unknown option '\(option)'. \($0)" }
  }

  /// The commands that have the option; nil: none has.
  private static func owners(of name: String) -> String? {
    let owners = CairnTool.names.filter { command in
      CairnTool.command(named: command).map { OptionTable($0)[name] != nil } ?? false
    }
    return owners.isEmpty ? nil : "It is an option of \(Hint.list(owners))."
  }

  /// The advice for a missing argument or value.
  private static func missing(_ line: String, _ arguments: [String]) -> String? {
    if line.hasPrefix("Error: Missing value for '--sort"),
      let place = arguments.firstIndex(of: "--sort"), place + 1 < arguments.count,
      arguments[place + 1].hasPrefix("-"), !arguments[place + 1].hasPrefix("--")
    {
      return "The greatest first is \(arguments[place + 1].dropFirst()):desc."
    }
    guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
    if line.hasPrefix("Error: Missing expected argument '<class>'") {
      return "'cairn schema \(arguments[1])' lists the classes."
    }
    guard line.hasPrefix("Error: Missing expected argument '<file> ...'"),
      Source.isData(arguments[1]), System.exists(arguments[1])
    else { return nil }
    return
      "The store comes first, then the files, as in 'cairn import world.cairn \(arguments[1])'."
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
