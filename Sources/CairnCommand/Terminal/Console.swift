import CairnValues

/// What is said to the person at the terminal, on standard error; data never goes here.
enum Console {
  /// Whether progress may be drawn: standard error is a terminal that can move its cursor.
  static var isInteractive: Bool {
    System.isTerminal(System.standardError) && System.environment("TERM") != "dumb"
  }

  private static var isColourful: Bool {
    isInteractive && (System.environment("NO_COLOR") ?? "").isEmpty
  }

  /// A message of one line or several; nothing that comes from data or arguments can move the cursor.
  static func say(_ text: String) { draw(printable(text) + "\n") }

  private static func printable(_ text: String) -> String {
    PrintableText.escaped(text, keeping: ["\n"])
  }

  /// Text as it is, without a line's end: the caller's own control characters.
  static func draw(_ text: String) { System.write(text, to: System.standardError) }

  /// One line about what went wrong.
  static func sayError(_ text: String) {
    let label = isColourful ? "\u{1B}[1;31mError:\u{1B}[0m" : "Error:"
    draw("\(label) \(printable(text))\n")
  }
}
