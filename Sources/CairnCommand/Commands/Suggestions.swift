import CairnRequest

/// Improves the error messages of the argument parser.
enum ParserMessage {
  /// The message with a suggestion of what was probably meant.
  ///
  /// - Parameter arguments: The command line.
  static func withSuggestion(_ message: String, arguments: [String]) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let better = unknownOption(lines[0], arguments: arguments) {
      lines[0] = better
    } else if let hint = missing(lines[0], arguments: arguments) {
      lines.insert(hint, at: 1)
    } else if let hint = quotes(lines[0], message: message) {
      lines.insert(hint, at: 1)
    } else if let (hint, index) = value(lines) {
      lines.insert(hint, at: index)
    }
    return lines.joined(separator: "\n")
  }

  /// The advice for an option that the command does not have; nil if the parser's own message is
  /// enough.
  private static func unknownOption(_ line: String, arguments: [String]) -> String? {
    guard line.hasPrefix("Error: Unknown option '"), let option = words(line[...]).first else {
      return nil
    }
    let name = option.drop { $0 == "-" }.lowercased()
    guard let command = arguments.first.flatMap(CairnTool.command) else {
      return name == "v" ? "Error: Unknown option '\(option)'. Did you mean '--version'?" : nil
    }
    let advice =
      OptionSynonyms.advice(on: name, OptionTable(command)) ?? commandsWithOption(of: name)
    return advice.map { "Error: Unknown option '\(option)'. \($0)" }
  }

  /// A sentence that names the commands with this option; nil if no command has it.
  private static func commandsWithOption(of name: String) -> String? {
    let commandsWithOption = CairnTool.names.filter { command in
      CairnTool.command(named: command).map { OptionTable($0)[name] != nil } ?? false
    }
    return commandsWithOption.isEmpty ? nil : "It is an option of \(Hint.list(commandsWithOption))."
  }

  /// The advice for a missing argument or value.
  private static func missing(_ line: String, arguments: [String]) -> String? {
    if line.hasPrefix("Error: Missing value for '--sort"),
      let index = arguments.firstIndex(of: "--sort"), index + 1 < arguments.count,
      arguments[index + 1].hasPrefix("-"), !arguments[index + 1].hasPrefix("--")
    {
      return "For descending order, write \(arguments[index + 1].dropFirst()):desc."
    }
    guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return nil }
    if line.hasPrefix("Error: Missing expected argument '<class>'") {
      return "'cairn schema \(arguments[1])' lists the classes."
    }
    guard line.hasPrefix("Error: Missing expected argument '<file> ...'"),
      DataFile.isData(arguments[1]), System.exists(arguments[1])
    else { return nil }
    return
      "The store comes first, then the files, as in 'cairn import world.cairn \(arguments[1])'."
  }

  /// The suggestion for a value that is not one of the allowed ones; the parser's message lists
  /// these after the value, or on lines of their own.
  private static func value(_ lines: [String]) -> (hint: String, index: Int)? {
    let quoted = words(lines[0][...])
    guard lines[0].hasPrefix("Error: The value '"), let wrong = quoted.first,
      let list = lines[0].firstRange(of: "Please provide one of")
    else { return nil }
    let listed = lines.filter { $0.hasPrefix("  - ") }.map { String($0.dropFirst(4)) }
    let values = listed.isEmpty ? words(lines[0][list.upperBound...]) : listed
    let nearest = Hint.nearest(wrong.lowercased(), among: values)
    return nearest.map { ("Did you mean '\($0)'?", 1 + listed.count) }
  }

  /// The quoted words of a line.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The advice for an unquoted condition, which the shell splits into words.
  private static func quotes(_ line: String, message: String) -> String? {
    guard line.contains("nexpected argument"), message.contains("[<predicate>]") else { return nil }
    return "A condition is one argument; put it in quotes, as in \"population > 1000\"."
  }
}

/// Option names of other tools, and options of other tools that are arguments here.
enum OptionSynonyms {
  /// The advice for a name (without dashes) that is not an option of the command; nil for an
  /// unknown name.
  static func advice(on name: String, _ table: OptionTable) -> String? {
    let options = table.entries.map(\.name)
    let longer = options.filter { name.count > 1 && $0.hasPrefix(name) }
    let suggestion =
      (longer.count == 1 ? longer.first : nil) ?? suggestion(by: name, among: options)
    if let suggestion { return "Did you mean '--\(suggestion)'?" }
    return argument(name, positionals: table.positionals)
  }

  private static func suggestion(by name: String, among options: [String]) -> String? {
    synonyms.first { options.contains($0.key) && $0.value.contains(name) }?.key
  }

  /// The other names of each option; the first option that fits is suggested.
  private static let synonyms: KeyValuePairs<String, Set<String>> = [
    "output": ["o", "out", "to", "save", "outfile", "output-file", "dest", "destination"],
    "format": ["f", "fmt", "as", "output-format", "input-format", "of", "type", "t"],
    "sort": ["s", "order", "order-by", "orderby", "sort-by", "sortby", "desc"],
    "select": ["columns", "column", "cols", "col", "fields", "field", "properties", "only", "c"],
    "limit": ["n", "l", "top", "first", "head", "max", "count", "rows", "number"],
    "offset": ["skip", "start", "from"],
    "distinct": ["unique", "uniq"],
    "datetime": ["date", "time", "when", "during", "between", "period", "interval"],
    "bbox": ["box", "bounds", "bounding-box", "extent", "rect", "spat", "b"],
    "within": ["polygon", "inside", "area", "region", "intersects", "geojson", "wkt", "clip"],
    "radius": ["distance", "dist", "buffer", "range", "r"],
    "near": ["at", "around", "center", "centre", "nearest", "point", "close-to", "from-point"],
    "crs": ["srid", "epsg", "srs", "proj", "projection", "t_srs", "s_srs", "a_srs"],
    "class": ["name", "table", "into", "as-class"],
    "layer": ["layers", "sublayer", "layername"],
    "by": ["group", "group-by", "groupby"],
    "of": ["column", "columns", "col", "sum", "field", "fields", "select"],
    "delimiter": ["sep", "separator", "d", "delim"],
    "lat": ["latitude", "lat-col", "lat-column"],
    "lon": ["longitude", "lng", "long", "lon-col", "lon-column"],
    "key": ["id", "primary-key", "pk", "unique"],
    "encoding": ["charset", "enc"],
    "on-error": ["skip-errors", "ignore-errors", "keep-going", "force"],
    "on-conflict": ["replace", "update", "upsert", "overwrite"],
    "dry-run": ["n", "preview", "check", "pretend"],
    "quiet": ["q", "silent"],
    "progress": ["v", "verbose"],
    "explain": ["plan", "analyze"],
    "histogram": ["hist", "distribution"],
    "bins": ["buckets", "bars"],
    "version": ["v", "V"],
  ]

  /// The advice for a name that is a positional argument here.
  private static func argument(_ name: String, positionals: [String]) -> String? {
    switch name {
    case "class", "table", "layer", "name", "c", "from":
      guard positionals.contains("class") else { return nil }
      return "The class needs no option: it follows the store, as in 'world.cairn cities'."
    case "where", "filter", "predicate", "query", "condition", "w", "q", "sql":
      guard positionals.contains("predicate") else { return nil }
      return
        "A condition needs no option: it follows the class, in quotes, as in \"population > 1000\"."
    case "store", "database", "db":
      return "The store needs no option: it comes first, as in 'world.cairn'."
    case "file", "input", "i", "in", "files":
      guard positionals.contains("file") else { return nil }
      return "Files need no option: they follow the store, as in 'world.cairn cities.csv'."
    default: return nil
    }
  }
}
