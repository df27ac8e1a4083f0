import CairnStorage
import CairnValues

extension FilterBuilder {
  /// `property BEGINSWITH constant` and its like. An empty or null operand matches nothing but for `LIKE`.
  func match(
    _ column: Column, _ match: MatchOperator, _ value: Value, _ options: StringOptions
  ) throws(QueryError) -> Filter {
    guard column.schema.type == .string || column.schema.type == .data else {
      throw mismatch(column, "has no text to look into")
    }
    if value.isNull {
      return match == .like ? NullFilter(column, isNull: true) : ConstantFilter(false)
    }
    guard let bytes = storedBytes(value, column.schema.type) else {
      throw mismatch(column, "cannot be held against \(value)")
    }
    if bytes.isEmpty, match != .like { return ConstantFilter(false) }
    return BytesFilter(
      column, try test(column, match, value, bytes, options), inverted: false, nullsMatch: false,
      words: "\(column.schema.name) \(match.rawValue)\(options.marks) \(value)")
  }

  private func test(
    _ column: Column, _ match: MatchOperator, _ value: Value, _ bytes: [UInt8],
    _ options: StringOptions
  ) throws(QueryError) -> BytesTest {
    switch match {
    case .beginsWith, .endsWith, .contains:
      if options.isEmpty, let test = BytesTest(match, bytes) { return test }
      fallthrough
    default:
      guard case .string(let text) = value else {
        throw mismatch(column, "is no text: [c], [d] and LIKE need one")
      }
      return .match(TextMatcher(match, text, options))
    }
  }

  /// `==` and `!=` with case or marks folded.
  func folded(
    _ column: Column, _ comparison: ComparisonOperator, _ text: String, _ options: StringOptions
  ) -> Filter {
    BytesFilter(
      column, .match(TextMatcher(.equals, text, options)), inverted: comparison == .notEqual,
      nullsMatch: comparison == .notEqual,
      words: "\(column.schema.name) \(comparison.rawValue)\(options.marks) '\(text)'")
  }

  /// `==` and `!=` of two properties with case or marks folded.
  func foldedPair(
    _ left: Column, _ comparison: ComparisonOperator, _ right: Column, _ options: StringOptions
  ) -> Filter {
    ValueFilter(
      [left, right],
      words: "\(left.schema.name) \(comparison.rawValue)\(options.marks) \(right.schema.name)"
    ) { values in
      FilterBuilder.foldedComparison(values[0], comparison, values[1], options)
    }
  }

  /// `==` and `!=` of two values of one row with case or marks folded.
  static func foldedComparison(
    _ value: Value, _ comparison: ComparisonOperator, _ other: Value, _ options: StringOptions
  ) -> Bool {
    guard case .string(let text) = value, case .string(let other) = other else {
      return comparison.holdsInRow(value, other)
    }
    let equal = TextMatcher(.equals, other, options).matches(utf8: text)
    return comparison == .equal ? equal : comparison == .notEqual ? !equal : false
  }

  /// `property BEGINSWITH property` and its like.
  func matchPair(
    _ left: Column, _ match: MatchOperator, _ right: Column, _ options: StringOptions
  ) throws(QueryError) -> Filter {
    ValueFilter(
      [left, right],
      words: "\(left.schema.name) \(match.rawValue)\(options.marks) \(right.schema.name)"
    ) { values in
      FilterBuilder.matches(values[0], match, values[1], options)
    }
  }

  /// `BEGINSWITH` and its like of two values of one row.
  static func matches(
    _ value: Value, _ match: MatchOperator, _ other: Value, _ options: StringOptions
  ) -> Bool {
    if other.isNull { return match == .like && value.isNull }
    if case .data(let bytes) = value, case .data(let part) = other {
      return !part.isEmpty && BytesTest(match, part)?.passes(bytes) ?? false
    }
    guard case .string(let text) = value, case .string(let other) = other else { return false }
    if other.isEmpty, match != .like { return false }
    return TextMatcher(match, other, options).matches(utf8: text)
  }
}

extension StringOptions {
  /// `[cd]` as it is written.
  var marks: String {
    let letters =
      (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension TextMatcher {
  /// Whether the text passes.
  fileprivate func matches(utf8 text: String) -> Bool { text.utf8.withBytes(matches) }
}

extension BytesTest {
  /// The test of an operator on bytes as they are; nil for `LIKE`.
  init?(_ match: MatchOperator, _ part: [UInt8]) {
    switch match {
    case .beginsWith: self = .hasPrefix(part)
    case .endsWith: self = .hasSuffix(part)
    case .contains: self = .contains(part)
    case .like: return nil
    }
  }

  fileprivate func passes(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { passes($0) } }
}
