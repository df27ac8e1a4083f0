import CairnSystem
internal import CairnValues

/// Prepares text for maps, which show what a file contains.
enum XMLText {
  /// Returns the text with markup characters escaped, forbidden characters removed, and unsafe ones
  /// written as escapes.
  static func escaped(_ text: String) -> String {
    var scalars = PrintableText.escaped(text, keeping: ["\n", "\t"]).unicodeScalars
    scalars.removeAll { $0.value == 0xFFFE || $0.value == 0xFFFF }
    return Markup.escaped(String(scalars))
  }

  /// Returns the text truncated to a number of characters.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }
}
