import CairnIO
import CairnValues

/// Prints messages for people to standard error. Data never goes here.
enum Console {
  /// Whether progress may be drawn: standard error is a terminal that can move its cursor.
  static var isInteractive: Bool {
    System.isTerminal(System.standardError) && System.environment("TERM") != "dumb"
  }

  private static var isColourful: Bool {
    isInteractive && (System.environment("NO_COLOR") ?? "").isEmpty
  }

  /// Prints a message of one or more lines. Control characters from data or arguments are escaped.
  static func printMessage(_ text: String) { draw(printable(text) + "\n") }

  private static func printable(_ text: String) -> String {
    PrintableText.escaped(text, keeping: ["\n"])
  }

  /// Prints text unchanged and without a line break, including the caller's control characters.
  static func draw(_ text: String) { System.write(text, to: System.standardError) }

  /// Prints an error message.
  static func printError(_ text: String) {
    let label = isColourful ? "\u{1B}[1;31mError:\u{1B}[0m" : "Error:"
    draw("\(label) \(printable(text))\n")
  }
}

/// The capabilities of the destination of data.
struct Display {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether the destination is a terminal with colours, and they are not disabled.
  private var isColourful: Bool {
    System.isTerminal(descriptor) && System.environment("TERM") != "dumb"
      && (System.environment("NO_COLOR") ?? "").isEmpty
  }

  /// The style of the output: tables fit a terminal and have any width elsewhere; maps without a
  /// terminal have the size of a usual one.
  var style: OutputStyle {
    var style = OutputStyle()
    let size = System.size(of: descriptor)
    style.width = size?.columns
    style.screen.columns = size?.columns ?? Self.variable("COLUMNS") ?? 80
    style.screen.rows = size?.rows ?? Self.variable("LINES") ?? 40
    style.screen.hasColour = isColourful
    return style
  }

  private static func variable(_ name: String) -> Int? {
    System.environment(name).flatMap { Int($0) }.flatMap { (10...1000).contains($0) ? $0 : nil }
  }
}
