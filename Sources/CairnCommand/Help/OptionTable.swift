import ArgumentParser

/// The options of a command, as the argument parser itself describes them.
///
/// The description is slow to make, so it is for command lines in which something is odd.
struct OptionTable {
  struct Entry {
    /// Without its dashes.
    let name: String
    /// Whether a value follows.
    var takesValue = false
    /// Whether several values add up to a list.
    var isList = false
  }

  /// All options and flags, those for help and version included.
  private(set) var entries: [Entry] = []
  /// The names of the arguments that are not options, in order.
  private(set) var positionals: [String] = []

  init(_ command: any ParsableCommand.Type) {
    var cursor = JSONCursor(Array(command._dumpHelp().utf8))
    try? cursor.members { cursor, name in
      guard name == "command" else { return try cursor.skip() }
      try cursor.members { cursor, name in
        guard name == "arguments" else { return try cursor.skip() }
        try cursor.elements { try readArgument(&$0) }
      }
    }
  }

  /// The option of that name, which has no dashes.
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
