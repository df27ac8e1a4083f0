extension NullWords {
  /// Texts that programs write for a missing value, or for one that a number cannot represent.
  static let suspects: Set = [
    "nan", "na", "n/a", "#n/a", "#na", "null", "nil", "none", "\\n", "-", "--", "inf", "+inf",
    "-inf", "infinity", "+infinity", "-infinity", "-nan", "?", ".", "#null!", "(null)", "<na>",
    "<null>", "missing",
  ]

  /// Returns the text if it is one of `suspects`.
  static func suspect(_ text: UnsafePointer<UInt8>, count: Int) -> String? {
    guard count <= 9, count > 0, !Digits.isDigit(text[0]) else { return nil }
    let word = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return suspects.contains(word.lowercased()) ? word : nil
  }

  /// Returns the advice for a rejected value that may mean null.
  package static func advice(_ text: String) -> ImportMessage {
    suspects.contains(text.lowercased()) ? "; \(option: .nulls, text) makes it null" : ""
  }
}
