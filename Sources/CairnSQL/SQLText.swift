/// Texts in quotes.
enum SQLText {
  /// A text in the quotes of a dialect.
  static func quoted(_ text: String, dialect: SQLDialect) -> String {
    if dialect.hasBackslashEscapes { return "'" + escaped(text) + "'" }
    // Spark reads a backslash in quotes as an escape and SedonaDB does not, so it is written as a code
    // point.
    guard dialect == .sedona, text.unicodeScalars.contains("\\") else { return doubled(text) }
    let parts = text.unicodeScalars.split(separator: "\\", omittingEmptySubsequences: false)
    return "concat(" + parts.map { doubled(String($0)) }.joined(separator: ", chr(92), ") + ")"
  }

  /// A text with two quotes for each one in it.
  private static func doubled(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { result += "'" }
      result.unicodeScalars.append(scalar)
    }
    return result + "'"
  }

  /// A text with escapes for quotes, backslashes, and the ends of lines, which BigQuery does not have
  /// in a text of one line.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Bytes in hexadecimal digits.
enum Hexadecimal {
  static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[2 * index] = digits[Int(byte >> 4)]
        buffer[2 * index + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }
}
