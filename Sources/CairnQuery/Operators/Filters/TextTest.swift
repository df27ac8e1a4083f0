import CairnValues

/// A condition on texts that compares their bytes, without a string for each row.
struct TextTest: Sendable {
  private let test: BytesTest
  /// Whether the texts that the test rejects pass.
  private let isInverted: Bool
  private let takesNull: Bool

  /// Prepares a condition on texts; nil if it needs more than their bytes.
  ///
  /// - Parameter single: The same condition on one value.
  init?(_ condition: ValueCondition, single: ValueTest) {
    var isInverted = false
    switch condition {
    case .compare(let comparison, .string(let text), let options):
      guard options.isEmpty else { return nil }
      isInverted = comparison == .notEqual
      test = .compare(comparison.relation, Array(text.utf8))
    case .isIn(let values, let options):
      var texts: [[UInt8]] = []
      for case .string(let text) in values { texts.append(Array(text.utf8)) }
      guard options.isEmpty, texts.count == values.count else { return nil }
      texts.sort { a, b in
        a.withUnsafeBytes { a in b.withUnsafeBytes { b in byteOrder(a, and: b) < 0 } }
      }
      test = .oneOf(texts)
    case .match(let match, .string(let text), let options):
      guard !text.isEmpty || match.takesPattern,
        let found = BytesTest(match, text: text, options: options)
      else { return nil }
      test = found
    case .compare, .between, .match: return nil
    }
    self.isInverted = isInverted
    takesNull = single.holds(.null)
  }

  /// Whether a text passes; null is nil.
  func passes(_ text: UnsafeRawBufferPointer?) -> Bool {
    guard let text else { return takesNull }
    return test.passes(text) != isInverted
  }
}
