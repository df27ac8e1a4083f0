import CairnFormats

/// What the place where data goes can show.
struct Display {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether it is a terminal that knows colours, and they are wanted.
  private var isColourful: Bool {
    System.isTerminal(descriptor) && System.environment("TERM") != "dumb"
      && (System.environment("NO_COLOR") ?? "").isEmpty
  }

  /// Tables fit a terminal and are as wide as they get elsewhere; maps are made for a terminal of usual size
  /// where there is none.
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
