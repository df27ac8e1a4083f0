import CairnValues

/// What a command ends with when it cannot do what was asked: an exit code and a sentence.
struct Failure: Error, CustomStringConvertible {
  enum Code: Int32 {
    /// Anything that has no code of its own.
    case other = 1
    /// Options, predicate, unknown class or column.
    case usage = 64
    /// The content of a file, an invalid polygon.
    case badData = 65
    /// A file that is not there.
    case noInput = 66
    /// I/O, disk full, locked or damaged store.
    case io = 74
  }

  let code: Code
  let description: String

  /// A failure of one sentence; names and values in it that hold line ends or control characters are escaped.
  init(_ code: Code, _ description: String) {
    self.init(code, lines: PrintableText.escaped(description))
  }

  /// A failure whose message has several lines, such as a predicate with a mark under the mistake.
  init(_ code: Code, lines: String) {
    self.code = code
    description = lines
  }
}
