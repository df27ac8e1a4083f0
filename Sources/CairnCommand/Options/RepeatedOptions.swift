import ArgumentParser

/// Options that are given more than once: those of lists add up, all others are refused.
///
/// The argument parser itself would let the last one count and say nothing.
enum RepeatedOptions {
  /// Fails where an option that is not a list is given twice.
  ///
  /// - Parameter words: a command line that `command` understands, behind the command's name.
  static func refuse(in words: ArraySlice<String>, of command: any ParsableCommand.Type) throws {
    guard hasRepeatedWord(words) else { return }
    let table = OptionTable(command)
    var given: [String: String] = [:]
    var rest = words
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("--") else { continue }
      let (name, attached) = split(word)
      guard let option = table[String(name)] else { continue }
      let value = option.takesValue ? attached ?? rest.popFirst() ?? "" : ""
      if !option.isList, let first = given.updateValue(value, forKey: option.name) {
        throw failure(option, first, value)
      }
    }
  }

  /// Whether an option may be there twice; cheap, as every command line is looked at.
  private static func hasRepeatedWord(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words where word.hasPrefix("--") {
      if word == "--" { return false }
      if !names.insert(split(word).name).inserted { return true }
    }
    return false
  }

  /// `--limit=5` as `limit` and `5`.
  private static func split(_ word: String) -> (name: Substring, value: String?) {
    let text = word.dropFirst(2)
    guard let equals = text.firstIndex(of: "=") else { return (text, nil) }
    return (text[..<equals], String(text[text.index(after: equals)...]))
  }

  private static func failure(
    _ option: OptionTable.Entry, _ first: String, _ second: String
  ) -> Failure {
    guard option.takesValue else {
      return Failure(.usage, "--\(option.name) is given twice; once is enough")
    }
    return Failure(
      .usage,
      "--\(option.name) is given twice, as '\(first)' and as '\(second)'; it takes one value")
  }
}
