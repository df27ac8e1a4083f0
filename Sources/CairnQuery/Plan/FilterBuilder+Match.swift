import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of `property BEGINSWITH constant` and the like. An empty or null operand matches
  /// nothing, except for patterns.
  func match(
    _ column: Column, match: MatchOperator, value: Value, options: StringOptions
  ) throws(QueryError) -> Filter {
    guard column.schema.type == .string || column.schema.type == .data else {
      throw unbound
    }
    if value.isNull {
      return match == .like ? NullFilter(column, isNull: true) : ConstantFilter(false)
    }
    guard let bytes = storedBytes(value, type: column.schema.type) else {
      throw unbound
    }
    if bytes.isEmpty, !match.takesPattern { return ConstantFilter(false) }
    guard let test = test(match, value: value, bytes: bytes, options: options) else {
      throw unbound
    }
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

  /// The filter of `==` and `!=` on two properties with case or marks folded.
  func foldedPair(
    _ left: Column, comparison: ComparisonOperator, right: Column, options: StringOptions
  ) -> Filter {
    ValueFilter(
      [left, right],
      description: "\(left.schema.name) \(comparison.rawValue)\(options.text) \(right.schema.name)"
    ) { values in
      comparison.holdsInRow(values[0], and: values[1], options: options)
    }
  }

  /// The filter of `property BEGINSWITH property` and the like.
  func matchPair(
    _ left: Column, match: MatchOperator, right: Column, options: StringOptions
  ) throws(QueryError) -> Filter {
    ValueFilter(
      [left, right],
      description: "\(left.schema.name) \(match.rawValue)\(options.text) \(right.schema.name)"
    ) { values in
      match.holdsInRow(values[0], operand: values[1], options: options)
    }
  }
}
