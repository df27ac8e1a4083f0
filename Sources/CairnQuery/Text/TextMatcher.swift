/// The test that a string operator makes of a text, ready to be asked of many.
///
/// Texts come as UTF-8. Asking allocates nothing when the text is ASCII or nothing is folded.
package struct TextMatcher: Sendable {
  /// What is asked of the text.
  package enum Operation: Hashable, Sendable {
    case equals
    case beginsWith
    case endsWith
    case contains
    case like
  }

  let operation: Operation
  let folding: Folding
  /// The operand as folded units; of a pattern with wildcards among them.
  let units: [UInt32]
  /// The same of its bytes, for texts that are ASCII or not folded; nil: no such text matches.
  let bytes: [UInt8]
  let pattern: [UInt32]
  /// Whether a text of ASCII alone can match.
  let canMatchASCII: Bool

  /// A test against `operand`. An empty operand matches nothing, but for equality and `like`.
  package init(_ operation: Operation, _ operand: String, _ options: StringOptions) {
    self.operation = operation
    folding = Folding.of(options)
    let folding = folding
    if operation == .like {
      units = Wildcards.pattern(operand) { FoldedText.codePoints(of: $0, folding) }
      pattern = Wildcards.pattern(operand) { TextMatcher.byteUnits($0, folding) }
      bytes = []
      canMatchASCII = !pattern.contains { (0x80..<Wildcards.one).contains($0) }
    } else {
      units = FoldedText.codePoints(of: operand, folding)
      bytes = TextMatcher.byteUnits(operand, folding).map { UInt8(truncatingIfNeeded: $0) }
      pattern = []
      canMatchASCII = !units.contains { $0 >= 0x80 }
    }
  }

  /// A test against the operand of a predicate.
  package init(_ operation: MatchOperator, _ operand: String, _ options: StringOptions) {
    self.init(Operation(operation), operand, options)
  }

  /// Whether the text passes.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if operation != .like && operation != .equals && units.isEmpty { return false }
    if folding.options.isEmpty { return matchesBytes(text) }
    if text.isASCII { return canMatchASCII && matchesASCII(text) }
    return FoldedText.withUnits(of: text, folding) { matches($0) }
  }

  /// The operand's folded code points where they are ASCII, its bytes where nothing is folded.
  private static func byteUnits(_ text: String, _ folding: Folding) -> [UInt32] {
    folding.options.isEmpty
      ? text.utf8.map(UInt32.init) : FoldedText.codePoints(of: text, folding)
  }
}

extension TextMatcher.Operation {
  /// What the operator of a predicate asks.
  package init(_ operation: MatchOperator) {
    switch operation {
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .contains: self = .contains
    case .like: self = .like
    }
  }
}
