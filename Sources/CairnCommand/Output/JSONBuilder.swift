import CairnValues

/// Small JSON texts with structure: the writers of rows know only flat ones.
enum JSONBuilder {
  /// `{"a":1,"b":[…]}`; the values are JSON already.
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }

  /// The values, which are JSON already, in brackets, one a line.
  static func array(_ values: [String], indent: String = "") -> String {
    guard !values.isEmpty else { return "[]" }
    let lines = values.map { "\n" + indent + "  " + $0 }
    return "[" + lines.joined(separator: ",") + "\n" + indent + "]"
  }

  /// A text in quotes, or `null`.
  static func string(_ text: String?) -> String { text.map { string($0) } ?? "null" }

  /// A text in quotes; what is unsafe on a terminal is an escape of JSON, which reads back as the same text.
  static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where PrintableText.isUnsafe(scalar): quoted += escape(scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ code: UInt32) -> String {
    let digits = String(code, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
