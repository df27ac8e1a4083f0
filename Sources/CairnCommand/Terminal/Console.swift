#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is said to the person at the terminal, on standard error; data never goes here.
enum Console {
  /// Whether progress may be drawn: standard error is a terminal that can move its cursor.
  static var isInteractive: Bool {
    isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"
  }

  private static var isColourful: Bool {
    isInteractive && (environment("NO_COLOR") ?? "").isEmpty
  }

  /// One message line.
  static func say(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// One line about what went wrong.
  static func sayError(_ text: String) {
    let label = isColourful ? "\u{1B}[1;31mError:\u{1B}[0m" : "Error:"
    say("\(label) \(text)")
  }

  /// Text to a descriptor, whole unless that fails; there is nobody to tell when it does.
  static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count, let base = bytes.baseAddress {
        #if canImport(Darwin)
          let count = Darwin.write(descriptor, base + done, bytes.count - done)
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, base + done, bytes.count - done)
        #else
          let count = Glibc.write(descriptor, base + done, bytes.count - done)
        #endif
        if count > 0 { done += count } else if errno != EINTR { return }
      }
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
