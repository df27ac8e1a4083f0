/// Escapes text for XML and HTML.
package enum Markup {
  /// Returns the text with the characters escaped that have a meaning in content and in attributes in
  /// double quotes. O(n).
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
