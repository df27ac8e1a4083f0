internal import CairnValues

/// Escapes text for XML and HTML.
enum XMLText {
  /// Returns the text with markup characters escaped, forbidden characters removed, and unsafe ones
  /// written as escapes.
  static func escaped(_ text: String) -> String {
    let text = PrintableText.escaped(text, keeping: ["\n", "\t"])
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the text truncated to a number of characters.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }
}
