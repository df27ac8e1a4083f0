import CairnValues

extension PairCondition {
  /// The condition as a function of two values.
  ///
  /// - Parameter isMixed: Whether either value is mixed, so that flags and numbers can be equal.
  func test(isMixed: Bool) -> @Sendable (Value, Value) -> Bool {
    switch self {
    case .compare(let comparison, let options):
      if options.isEmpty { return { comparison.holdsInRow($0, and: $1, isMixed: isMixed) } }
      return { comparison.holdsInRow($0, and: $1, options: options) }
    case .match(let match, let options):
      return { match.holdsInRow($0, operand: $1, options: options) }
    }
  }
}

extension ComparisonOperator {
  /// Whether two values of one row compare as `==` or `!=` with case or marks folded.
  func holdsInRow(_ a: Value, and b: Value, options: StringOptions) -> Bool {
    guard case .string(let text) = a, case .string(let other) = b else {
      return holdsInRow(a, and: b)
    }
    let equal = TextMatcher(.equals, operand: other, options: options).matches(utf8: text)
    return self == .equal ? equal : self == .notEqual ? !equal : false
  }
}

extension MatchOperator {
  /// Whether two values of one row match by `BEGINSWITH` or the like.
  func holdsInRow(_ value: Value, operand: Value, options: StringOptions) -> Bool {
    if operand.isNull { return self == .like && value.isNull }
    if case .data(let bytes) = value, case .data(let part) = operand {
      return !part.isEmpty && BytesTest(self, part: part)?.passes(bytes) ?? false
    }
    guard case .string(let text) = value, case .string(let part) = operand else { return false }
    if part.isEmpty, self != .like { return false }
    guard let operation = TextMatcher.Operation(self) else { return false }
    return TextMatcher(operation, operand: part, options: options).matches(utf8: text)
  }
}

extension TextMatcher {
  /// Whether the text matches.
  fileprivate func matches(utf8 text: String) -> Bool { text.utf8.withBytes(matches) }
}

extension ComparisonOperator {
  /// Whether two values of one row compare this way. If either is mixed, flags and numbers can be
  /// equal.
  func holdsInRow(_ a: Value, and b: Value, isMixed: Bool) -> Bool {
    // A collection within a mixed value equals nothing.
    if isMixed, a == .link(.nowhere) { return self == .notEqual }
    guard isMixed, !isOrder, let counterparts = b.flagCounterparts else {
      return holdsInRow(a, and: b)
    }
    return (a.equals(b) || counterparts.contains { a.equals($0) }) == (self == .equal)
  }
}
