/// What is said to the person at the terminal, on standard error; data never goes here.
enum Console {
  /// Whether progress may be drawn: standard error is a terminal that can move its cursor.
  static var isInteractive: Bool {
    System.isTerminal(System.standardError) && System.environment("TERM") != "dumb"
  }

  private static var isColourful: Bool {
    isInteractive && (System.environment("NO_COLOR") ?? "").isEmpty
  }

  /// One message line.
  static func say(_ text: String) { draw(text + "\n") }

  /// Text without a line's end.
  static func draw(_ text: String) { System.write(text, to: System.standardError) }

  /// One line about what went wrong.
  static func sayError(_ text: String) {
    let label = isColourful ? "\u{1B}[1;31mError:\u{1B}[0m" : "Error:"
    say("\(label) \(text)")
  }
}
