import CairnStorage
import CairnValues

extension FilterBuilder {
  /// The filter of `property op constant`.
  func compare(
    _ column: Column, comparison: ComparisonOperator, value: Value, options: StringOptions
  ) -> Filter {
    if value.isNull {
      // `<= nil` and `>= nil` match nulls; the strict orderings match nothing.
      switch comparison {
      case .equal, .lessOrEqual, .greaterOrEqual: return NullFilter(column, isNull: true)
      case .notEqual: return NullFilter(column, isNull: false)
      case .less, .greater: return ConstantFilter(false)
      }
    }
    if !options.isEmpty, column.schema.type == .string, !comparison.isOrder,
      case .string(let text) = value
    {
      return folded(column, comparison: comparison, text: text, options: options)
    }
    switch column.schema.type {
    case .bool, .int: return integers(column, comparison: comparison, value: value)
    case .double: return doubles(column, comparison: comparison, value: value)
    case .float: return floats(column, comparison: comparison, value: value)
    case .date: return dates(column, comparison: comparison, value: value)
    case .string, .data, .objectId, .uuid, .geometry, .lineString, .polygon:
      return bytes(column, comparison: comparison, value: value)
    default: return values(column, comparison: comparison, value: value)
    }
  }

  private func integers(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    IntegerFilter(
      column, condition: RangeCondition(comparison, bounds: integerBounds(column, value: value)))
  }

  /// Flags compare with flags, numbers with numbers.
  private func integerBounds(_ column: Column, value: Value) -> ConstantBounds<Int64>? {
    guard column.schema.type == .bool else { return ConstantBounds<Int64>(value) }
    guard case .bool(let flag) = value else { return nil }
    return ConstantBounds<Int64>(flag ? 1 : 0 as Int64)
  }

  private func doubles(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    DoubleFilter(
      column, condition: RangeCondition(comparison, bounds: ConstantBounds<Double>(value)))
  }

  private func floats(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    FloatFilter(
      column,
      condition: RangeCondition(
        comparison, bounds: ConstantBounds<Double>(value).map { ConstantBounds<Float>($0) }))
  }

  private func dates(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    guard case .date(let seconds) = value else {
      return values(column, comparison: comparison, value: value)
    }
    return DoubleFilter(
      column,
      condition: RangeCondition(
        comparison, bounds: seconds.isNaN ? nil : ConstantBounds<Double>(seconds)))
  }

  private func bytes(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    guard let bytes = storedBytes(value, type: column.schema.type) else {
      return values(column, comparison: comparison, value: value)
    }
    let isUnequal = comparison == .notEqual
    return BytesFilter(
      column, test: .compare(comparison.relation, bytes), inverted: isUnequal,
      nullsMatch: isUnequal,
      description: description(column, comparison: comparison, value: value))
  }

  /// The constant in the column's stored form; nil if it has another type.
  func storedBytes(_ value: Value, type: ValueType) -> [UInt8]? {
    switch (value, type) {
    case (.string(let text), .string): Array(text.utf8)
    case (.data(let bytes), .data): bytes
    case (.geometry(let bytes), _) where type.isGeometry: bytes
    case (.objectId(let id), .objectId): id.withStoredBytes { Array($0) }
    case (.uuid(let id), .uuid): id.withStoredBytes { Array($0) }
    default: nil
    }
  }

  /// The filter of a type without a kernel: decimals, locations, and constants of another type.
  private func values(
    _ column: Column, comparison: ComparisonOperator, value: Value
  ) -> Filter {
    let type = column.schema.type
    return RowFilter(
      column, nullsMatch: comparison == .notEqual,
      description: description(column, comparison: comparison, value: value)
    ) { chunk, row in
      comparison.holds(chunk.value(at: row, type: type), constant: value)
    }
  }

  func description(_ column: Column, comparison: ComparisonOperator, value: Value) -> String {
    "\(column.schema.name) \(comparison.rawValue) \(value)"
  }

  /// The filter of `property IN {…}`.
  func isIn(
    _ column: Column, values: [Value], options: StringOptions
  ) -> Filter {
    var parts: [Filter] = []
    if values.contains(where: \.isNull) { parts.append(NullFilter(column, isNull: true)) }
    let present = values.filter { !$0.isNull }
    if options.isEmpty, let filter = membership(column, values: present) {
      parts.append(filter)
    } else {
      let (texts, others) = present.splittingTexts(options)
      if column.schema.type == .string, !texts.isEmpty {
        parts.append(folded(column, oneOf: texts, options: options))
      }
      for value in column.schema.type == .string ? others : present {
        parts.append(compare(column, comparison: .equal, value: value, options: options))
      }
    }
    return parts.count == 1 ? parts[0] : AnyFilter(parts)
  }

  /// The filter of `property IN[cd] {…}`.
  private func folded(
    _ column: Column, oneOf texts: [String], options: StringOptions
  ) -> Filter {
    if texts.count == 1 {
      return folded(column, comparison: .equal, text: texts[0], options: options)
    }
    return BytesFilter(
      column, test: .oneOfFolded(FoldedTextSet(texts, options: options)), inverted: false,
      nullsMatch: false,
      description: "\(column.schema.name) IN\(options.text) {\(texts.count) values}")
  }

  /// A single filter for all constants of a list; nil if the type has none.
  private func membership(_ column: Column, values: [Value]) -> Filter? {
    switch column.schema.type {
    case .bool, .int:
      return IntegerFilter(
        column, condition: RangeCondition(points(values.map { integerBounds(column, value: $0) })))
    case .double:
      return DoubleFilter(
        column, condition: RangeCondition(points(values.map { ConstantBounds<Double>($0) })))
    case .float:
      let bounds = values.map { ConstantBounds<Double>($0).map { ConstantBounds<Float>($0) } }
      return FloatFilter(column, condition: RangeCondition(points(bounds)))
    case .string, .data, .objectId, .uuid, .geometry, .lineString, .polygon:
      let all = values.compactMap { storedBytes($0, type: column.schema.type) }
      guard all.count == values.count else { return nil }
      return BytesFilter(
        column, test: .oneOf(all.sorted { $0.lexicographicallyPrecedes($1) }), inverted: false,
        nullsMatch: false, description: "\(column.schema.name) IN {\(values.count) values}")
    default: return nil
    }
  }

  private func points<Number: SteppedNumber>(_ bounds: [ConstantBounds<Number>?]) -> [Bounds<
    Number
  >] {
    bounds.compactMap { $0?.bounds(.equal) }
  }
}
