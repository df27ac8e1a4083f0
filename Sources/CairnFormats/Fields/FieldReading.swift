package import CairnValues

/// How the texts of fields are read: which of them mean null, and how dates are written.
package struct FieldReading: Sendable {
  /// Texts that mean null.
  package var nulls = NullWords([])
  /// How dates are written; those in ISO 8601 are read besides.
  package var dateFormat: DateFormat?
  /// The zone of times that say none.
  package var timeZone = TimeZoneRules.utc

  package init() {}
}

/// Texts that mean null.
package struct NullWords: Sendable {
  private let words: [[UInt8]]
  /// Bit set: a word has that length.
  private let lengths: UInt64

  /// Whether no text means null.
  let isEmpty: Bool

  package init(_ words: [String]) {
    self.words = words.map { Array($0.utf8) }
    lengths = self.words.reduce(0) { $0 | 1 << UInt64(min(63, $1.count)) }
    isEmpty = words.isEmpty
  }

  /// Whether the text is one of them, byte by byte.
  @inline(__always)
  func contains(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    lengths >> UInt64(min(63, count)) & 1 != 0 && finds(text, count)
  }

  private func finds(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let text = UnsafeBufferPointer(start: text, count: count)
    return words.contains { $0.elementsEqual(text) }
  }

  /// Texts that programs write for a value that is missing, or that a number cannot be.
  static let suspects: Set = [
    "nan", "na", "n/a", "#n/a", "#na", "null", "nil", "none", "\\n", "-", "--", "inf", "+inf",
    "-inf", "infinity", "+infinity", "-infinity", "-nan", "?", ".", "#null!", "(null)", "<na>",
    "<null>", "missing",
  ]

  /// The text, where it is such a one.
  static func suspect(_ text: UnsafePointer<UInt8>, _ count: Int) -> String? {
    guard count <= 9, count > 0, !Digits.isDigit(text[0]) else { return nil }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return suspects.contains(word.lowercased()) ? word : nil
  }

  /// The advice for a refused value that may mean null.
  static func advice(_ text: String) -> String {
    suspects.contains(text.lowercased()) ? ": `--null \(shellText([text]))` makes it null" : ""
  }

  /// Texts as `--null` takes them in a shell.
  static func shellText(_ words: [String]) -> String {
    let text = words.joined(separator: ",")
    let isPlain = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/,-+.".contains($0))
    }
    return isPlain ? text : "'\(text)'"
  }
}

/// A word among values of another type, and its first position.
struct SuspectWord: Sendable, Equatable {
  let word: String
  let place: InputPlace

  /// Words of one column that are kept.
  static let kept = 4
}
