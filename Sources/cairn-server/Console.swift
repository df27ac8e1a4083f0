import CairnSystem

/// Messages on standard error.
enum Console {
  /// Prints a line.
  static func printMessage(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Prints an error.
  static func printError(_ text: String) { printMessage("Error: \(text)") }
}
