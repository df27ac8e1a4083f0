import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of `property BEGINSWITH constant` and the like. An empty or null operand matches
  /// nothing, except for patterns.
  func match(
    _ column: Column, match: MatchOperator, value: Value, options: StringOptions
  ) -> Filter {
    if value.isNull {
      return match == .like ? NullFilter(column, isNull: true) : ConstantFilter(false)
    }
    // A value of another type than the constant has no part that could match.
    guard let bytes = storedBytes(value, type: column.schema.type),
      !bytes.isEmpty || match.takesPattern,
      let test = test(match, value: value, bytes: bytes, options: options)
    else { return ConstantFilter(false) }
    let filter = BytesFilter(
      column, test: test, inverted: false, nullsMatch: false,
      description: "\(column.schema.name) \(match.rawValue)\(options.text) \(value)")
    guard case .search(let search) = test else { return filter }
    if search.isEmpty { return ConstantFilter(false) }
    guard let index = table.textIndex(column.schema.position) else { return filter }
    let indexed = TextFilter(filter, search: search, index: index)
    // The words of an index do not tell a null from a text without words.
    return search.included.isEmpty && column.schema.isNullable
      ? AllFilter([indexed, NullFilter(column, isNull: false)]) : indexed
  }

  private func test(
    _ match: MatchOperator, value: Value, bytes: [UInt8], options: StringOptions
  ) -> BytesTest? {
    guard case .string(let text) = value else {
      return options.isEmpty ? BytesTest(match, part: bytes) : nil
    }
    return BytesTest(match, text: text, options: options)
  }

  /// The filter of `==` and `!=` with case or marks folded.
  func folded(
    _ column: Column, comparison: ComparisonOperator, text: String, options: StringOptions
  ) -> Filter {
    BytesFilter(
      column, test: .match(TextMatcher(.equals, operand: text, options: options)),
      inverted: comparison == .notEqual,
      nullsMatch: comparison == .notEqual,
      description: "\(column.schema.name) \(comparison.rawValue)\(options.text) '\(text)'")
  }
}
