import ArgumentParser
import CairnIO

/// The options of a command, as the argument parser describes them.
///
/// The description is slow to make, so use it only for command lines that contain an error.
struct OptionTable {
  struct Entry {
    /// The name without its dashes.
    let name: String
    /// Whether a value follows.
    var takesValue = false
    /// Whether the values of repeated options form one list.
    var isList = false
  }

  /// All options and flags, including those for help and version.
  private(set) var entries: [Entry] = []
  /// The names of the positional arguments, in order.
  private(set) var positionals: [String] = []

  init(_ command: any ParsableCommand.Type) {
    _ = try? JSONCursor.read(Array(command._dumpHelp().utf8)) { cursor in
      try cursor.members { cursor, name in
        guard name == "command" else { return try cursor.skip() }
        try cursor.members { cursor, name in
          guard name == "arguments" else { return try cursor.skip() }
          try cursor.elements { try readArgument(&$0) }
        }
      }
    }
  }

  /// The option of that name (without dashes).
  subscript(name: String) -> Entry? { entries.first { $0.name == name } }

  private mutating func readArgument(_ cursor: inout JSONCursor) throws {
    var (kind, valueName, isRepeating) = ("", "", false)
    var names: [String] = []
    try cursor.members { cursor, name in
      switch name {
      case "kind": kind = try cursor.string()
      case "valueName": valueName = try cursor.string()
      case "isRepeating":
        isRepeating = cursor.peek() == UInt8(ascii: "t")
        try cursor.skip()
      case "names": try cursor.elements { names.append(try Self.name(&$0)) }
      default: try cursor.skip()
      }
    }
    if kind == "positional" { positionals.append(valueName) }
    entries += names.map { Entry(name: $0, takesValue: kind == "option", isList: isRepeating) }
  }

  private static func name(_ cursor: inout JSONCursor) throws -> String {
    var text = ""
    try cursor.members { cursor, name in
      if name == "name" { text = try cursor.string() } else { try cursor.skip() }
    }
    return text
  }
}

/// Rejects options that are given more than once, except for lists, which are joined.
///
/// The argument parser itself silently uses the last one.
enum RepeatedOptions {
  /// Throws if an option that is not a list is given twice.
  ///
  /// - Parameter words: A command line that `command` accepts, without the command's name.
  static func reject(in words: ArraySlice<String>, of command: any ParsableCommand.Type) throws {
    guard hasRepeatedWord(words) else { return }
    let table = OptionTable(command)
    var given: [String: String] = [:]
    var rest = words
    while let word = rest.popFirst(), word != "--" {
      guard let word = longForm(word) else { continue }
      let (name, attached) = split(word)
      guard let option = table[String(name)] else { continue }
      let value = option.takesValue ? attached ?? rest.popFirst() ?? "" : ""
      if !option.isList, let first = given.updateValue(value, forKey: option.name) {
        throw failure(option, first: first, second: value)
      }
    }
  }

  /// Whether an option may occur twice. A cheap test, because it runs for every command line.
  private static func hasRepeatedWord(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words {
      if word == "--" { return false }
      if let word = longForm(word), !names.insert(split(word).name).inserted { return true }
    }
    return false
  }

  /// The long names of the options that have a short one.
  private static let longNames = ["-n": "--limit", "-o": "--output"]

  /// A word that names an option, with its long name; nil for any other word.
  private static func longForm(_ word: String) -> String? {
    word.hasPrefix("--") ? word : longNames[word]
  }

  /// Splits `--limit=5` into `limit` and `5`.
  private static func split(_ word: String) -> (name: Substring, value: String?) {
    let text = word.dropFirst(2)
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    return (text[..<equals], String(text[text.index(after: equals)...]))
  }

  private static func failure(
    _ option: OptionTable.Entry, first: String, second: String
  ) -> Failure {
    guard option.takesValue else {
      return Failure(.usage, message: "--\(option.name) is given twice; give it once")
    }
    return Failure(
      .usage,
      message:
        "--\(option.name) is given twice, as '\(first)' and as '\(second)'; it takes one value")
  }
}
