import CairnValues

/// The test of a string operator, prepared for many texts.
///
/// Texts are UTF-8. A test allocates nothing if the text is ASCII or nothing is folded.
package struct TextMatcher: Sendable {
  /// The kind of test.
  package enum Operation: Hashable, Sendable {
    case equals
    case beginsWith
    case endsWith
    case contains
    case like
  }

  let operation: Operation
  let folding: Folding
  /// The operand as folded units, or a pattern with wildcards among them.
  let units: [UInt32]
  /// The operand's bytes, for texts that are ASCII or not folded.
  let bytes: [UInt8]
  let pattern: [UInt32]
  /// Whether a text of ASCII only can match.
  let canMatchASCII: Bool

  /// Creates a test against `operand`. An empty operand matches nothing, except for equality and
  /// `like`.
  package init(_ operation: Operation, operand: String, options: StringOptions) {
    self.operation = operation
    folding = Folding.of(options)
    let folding = folding
    if operation == .like {
      units = Wildcards.pattern(operand) { FoldedText.codePoints(of: $0, folding) }
      pattern = Wildcards.pattern(operand) { TextMatcher.byteUnits($0, folding: folding) }
      bytes = []
      canMatchASCII = !pattern.contains { (0x80..<Wildcards.one).contains($0) }
    } else {
      units = FoldedText.codePoints(of: operand, folding)
      bytes = TextMatcher.byteUnits(operand, folding: folding).map { UInt8(truncatingIfNeeded: $0) }
      pattern = []
      canMatchASCII = !units.contains { $0 >= 0x80 }
    }
  }

  /// Whether the text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if operation != .like && operation != .equals && units.isEmpty { return false }
    if folding.options.isEmpty { return matchesBytes(text) }
    if text.isASCII { return canMatchASCII && matchesASCII(text) }
    return FoldedText.withUnits(of: text, folding) { matches($0) }
  }

  /// The operand's folded code points if they are ASCII, or its bytes if nothing is folded.
  private static func byteUnits(_ text: String, folding: Folding) -> [UInt32] {
    folding.options.isEmpty
      ? text.utf8.map(UInt32.init) : FoldedText.codePoints(of: text, folding)
  }
}

extension TextMatcher.Operation {
  /// The test of a predicate's operator; nil for a regular expression and a full-text search.
  package init?(_ operation: MatchOperator) {
    switch operation {
    case .beginsWith: self = .beginsWith
    case .endsWith: self = .endsWith
    case .contains: self = .contains
    case .like: self = .like
    case .matches, .search: return nil
    }
  }
}

extension TextMatcher {
  /// Tests a text byte by byte.
  func matchesBytes(_ text: UnsafeRawBufferPointer) -> Bool {
    matches(text) { $0 }
  }

  /// Tests a text of ASCII only, as lower case if case is ignored.
  func matchesASCII(_ text: UnsafeRawBufferPointer) -> Bool {
    guard folding.options.contains(.caseInsensitive) else { return matchesBytes(text) }
    return matches(text) { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
  }

  @inline(__always)
  private func matches(_ text: UnsafeRawBufferPointer, fold: (UInt8) -> UInt8) -> Bool {
    let text = text.assumingMemoryBound(to: UInt8.self)
    if operation == .like {
      return pattern.withUnsafeBufferPointer {
        Wildcards.matches(
          text, pattern: $0, fold: { UInt32(fold($0)) }, begins: { $0 & 0xC0 != 0x80 })
      }
    }
    return bytes.withUnsafeBufferPointer { part in
      TextMatcher.compare(operation, text: text, part: part, fold: fold)
    }
  }

  @inline(__always)
  static func compare<Unit: Equatable>(
    _ operation: Operation, text: UnsafeBufferPointer<Unit>, part: UnsafeBufferPointer<Unit>,
    fold: (Unit) -> Unit
  ) -> Bool {
    let spare = text.count - part.count
    guard spare >= 0 else { return false }
    switch operation {
    case .equals: return spare == 0 && occurs(part, in: text, at: 0, fold: fold)
    case .beginsWith: return occurs(part, in: text, at: 0, fold: fold)
    case .endsWith: return occurs(part, in: text, at: spare, fold: fold)
    case .contains:
      for start in 0...spare where occurs(part, in: text, at: start, fold: fold) { return true }
      return false
    case .like: return false
    }
  }

  @inline(__always)
  private static func occurs<Unit: Equatable>(
    _ part: UnsafeBufferPointer<Unit>, in text: UnsafeBufferPointer<Unit>, at start: Int,
    fold: (Unit) -> Unit
  ) -> Bool {
    for index in 0..<part.count where fold(text[start + index]) != part[index] { return false }
    return true
  }
}

extension TextMatcher {
  /// Tests a folded text.
  func matches(_ text: UnsafeBufferPointer<UInt32>) -> Bool {
    units.withUnsafeBufferPointer { part in
      if operation == .like {
        return Wildcards.matches(
          text, pattern: part, fold: { $0 & ~FoldedText.continuation },
          begins: { $0 & FoldedText.continuation == 0 })
      }
      return TextMatcher.compare(operation, text: text, part: part) {
        $0 & ~FoldedText.continuation
      }
    }
  }

  /// Tests one text against another, for an operand that changes from row to row.
  package static func matches(
    _ operation: Operation, text: UnsafeRawBufferPointer, operand: UnsafeRawBufferPointer,
    options: StringOptions
  ) -> Bool {
    TextMatcher(operation, operand: String(decoding: operand, as: UTF8.self), options: options)
      .matches(text)
  }
}

/// Counts the characters of UTF-8 in the same way as `String.count`.
enum TextLength {
  /// The number of characters. ASCII is counted without a `String`: there, a carriage return with a
  /// line feed is the only character of two bytes.
  static func characters(_ bytes: UnsafeRawBufferPointer) -> Int {
    var isPlain = true
    for byte in bytes where byte >= 0x80 || byte == UInt8(ascii: "\r") {
      isPlain = false
      break
    }
    return isPlain ? bytes.count : String(decoding: bytes, as: UTF8.self).count
  }
}
