import CairnSystem

/// A command line for `sh`.
struct ShellLine {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Runs the command, and waits until it ends. Its output is that of this process.
  ///
  /// - Parameters:
  ///   - input: The text on its standard input, which it need not read.
  ///   - environment: Variables in addition to those of this process.
  /// - Returns: The exit code; 128 and the number of the signal if one ended it.
  func run(input: String, environment: [String: String]) throws -> Int32 {
    for (name, value) in environment { setenv(name, value, 1) }
    // The process ignores these signals, which the command would inherit.
    let ignored = [SIGPIPE, SIGXFSZ]
    for number in ignored { signal(number, SIG_DFL) }
    let file = popen(text, "w")
    for number in ignored { signal(number, SIG_IGN) }
    guard let file else {
      throw Failure(.io, message: "cannot run '\(text)': \(System.errorText())")
    }
    System.write(input, to: fileno(file))
    let status = pclose(file)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }
}
