import CairnValues

/// A place in a text, and how to show it.
struct TextPlace {
  /// Counted from 1.
  let line: Int
  /// In characters, counted from 1.
  let column: Int
  /// The line, or the part of a long one that lies about the place.
  let excerpt: String
  /// Blanks and a `^` that stands under the place when put below the excerpt.
  let caret: String

  /// How many characters of a line are shown before and behind the place.
  private static let reach = 60

  init(_ text: String, _ offset: Int) {
    let bytes = Array(text.utf8)
    let place = min(max(offset, 0), bytes.count)
    let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
    let before = String(decoding: bytes[start..<place], as: UTF8.self)
    let behind = String(decoding: bytes[place..<end], as: UTF8.self)
    column = before.count + 1
    let isCut = before.count > TextPlace.reach
    let shown = (isCut ? "…" : "") + TextPlace.printable(before.suffix(TextPlace.reach))
    let rest = behind.prefix(TextPlace.reach)
    excerpt = shown + TextPlace.printable(rest) + (rest.endIndex < behind.endIndex ? "…" : "")
    caret = String(shown.map { $0 == "\t" ? "\t" : " " }) + "^"
  }

  /// Without what could move a terminal's cursor; tabs stay, and stand in the line of the caret too.
  private static func printable(_ text: Substring) -> String {
    PrintableText.escaped(String(text), keeping: ["\t"])
  }
}
