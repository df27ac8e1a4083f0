extension TextMatcher {
  /// The test of a text that has been folded.
  func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
    units.withUnsafeBufferPointer { part in
      if operation == .like {
        return Wildcards.matches(
          text, part, fold: { $0 & ~FoldedText.continuation },
          begins: { $0 & FoldedText.continuation == 0 })
      }
      return TextMatcher.compare(operation, text, part) { $0 & ~FoldedText.continuation }
    }
  }

  /// Whether one text passes the test against another, with an operand that changes from row to row.
  package static func matches(
    _ operation: Operation, _ text: UnsafeRawBufferPointer, _ operand: UnsafeRawBufferPointer,
    _ options: StringOptions
  ) -> Bool {
    TextMatcher(operation, String(decoding: operand, as: UTF8.self), options).matches(text)
  }
}
