/// Text that is safe to show: none of its characters moves a terminal's cursor, changes its
/// colours, or reorders the text around it.
package enum PrintableText {
  /// Replaces unsafe characters by escapes, such as `\n` and `\u{1b}`.
  ///
  /// The unsafe characters are the control characters (C0, DEL and C1), the line separators U+2028
  /// and U+2029, and the embeddings, overrides and isolates of bidirectional text. A text without
  /// any of them is returned unchanged.
  ///
  /// - Parameter kept: characters that are not escaped, for a caller that lays out lines or
  ///   columns.
  package static func escaped(_ text: String, keeping kept: [Unicode.Scalar] = []) -> String {
    guard !isSafe(text.utf8) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if isUnsafe(scalar), !kept.contains(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Whether the character must not reach a terminal.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether UTF-8 bytes certainly contain no unsafe character. The test is cheap, and true of
  /// nearly every text.
  package static func isSafe(_ bytes: some Sequence<UInt8>) -> Bool {
    // 0xC2 begins the characters from U+0080 to U+00BF, 0xE2 those from U+2000 to U+2FFF.
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 && $0 != 0xE2 }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}

/// Strings of JSON (RFC 8259).
package enum JSONString {
  /// The text in quotes. Quotes, backslashes and the characters that `isEscaped` accepts are
  /// escaped.
  ///
  /// - Parameter isEscaped: must accept all control characters, and no character above U+FFFF.
  package static func quoted(
    _ text: String, escaping isEscaped: (Unicode.Scalar) -> Bool = { $0.value < 0x20 }
  ) -> String {
    let body = text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where isEscaped(scalar):
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(body)\""
  }
}
