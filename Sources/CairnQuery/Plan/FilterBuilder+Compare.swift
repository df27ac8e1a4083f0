import CairnStorage
import CairnValues

extension FilterBuilder {
  /// `property op constant`.
  func compare(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value, _ options: StringOptions
  ) throws(QueryError) -> Filter {
    if value.isNull {
      // `<= nil` and `>= nil` speak of nulls, the strict orders of nothing.
      switch comparison {
      case .equal, .lessOrEqual, .greaterOrEqual: return NullFilter(column, isNull: true)
      case .notEqual: return NullFilter(column, isNull: false)
      case .less, .greater: return ConstantFilter(false)
      }
    }
    if !options.isEmpty, column.schema.type == .string, !comparison.isOrder,
      case .string(let text) = value
    {
      return folded(column, comparison, text, options)
    }
    switch column.schema.type {
    case .bool, .int: return integers(column, comparison, value)
    case .double: return doubles(column, comparison, value)
    case .float: return floats(column, comparison, value)
    case .date: return dates(column, comparison, value)
    case .string, .data, .objectId, .uuid: return bytes(column, comparison, value)
    default: return values(column, comparison, value)
    }
  }

  private func integers(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    IntegerFilter(column, RangeCondition(comparison, integerCut(column, value)))
  }

  /// Flags compare with flags, numbers with numbers.
  private func integerCut(_ column: Column, _ value: Value) -> Cut<Int64>? {
    guard column.schema.type == .bool else { return Cut<Int64>(value) }
    guard case .bool(let flag) = value else { return nil }
    return Cut<Int64>(flag ? 1 : 0 as Int64)
  }

  private func doubles(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    DoubleFilter(column, RangeCondition(comparison, Cut<Double>(value)))
  }

  private func floats(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    FloatFilter(column, RangeCondition(comparison, Cut<Double>(value).map { Cut<Float>($0) }))
  }

  private func dates(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    guard case .date(let seconds) = value else { return values(column, comparison, value) }
    return DoubleFilter(
      column, RangeCondition(comparison, seconds.isNaN ? nil : Cut<Double>(seconds)))
  }

  private func bytes(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    guard let bytes = storedBytes(value, column.schema.type) else {
      return values(column, comparison, value)
    }
    let isUnequal = comparison == .notEqual
    return BytesFilter(
      column, .compare(comparison.relation, bytes), inverted: isUnequal, nullsMatch: isUnequal,
      words: words(column, comparison, value))
  }

  /// The constant as the column stores it; nil when it is of another type.
  func storedBytes(_ value: Value, _ type: ValueType) -> [UInt8]? {
    switch (value, type) {
    case (.string(let text), .string): Array(text.utf8)
    case (.data(let bytes), .data): bytes
    case (.objectId(let id), .objectId): id.withStoredBytes { Array($0) }
    case (.uuid(let id), .uuid): id.withStoredBytes { Array($0) }
    default: nil
    }
  }

  /// Any type, value by value.
  private func values(
    _ column: Column, _ comparison: ComparisonOperator, _ value: Value
  ) -> Filter {
    ValueFilter([column], words: words(column, comparison, value)) {
      comparison.holds($0[0], value)
    }
  }

  func words(_ column: Column, _ comparison: ComparisonOperator, _ value: Value) -> String {
    "\(column.schema.name) \(comparison.rawValue) \(value)"
  }

  /// `property op property`.
  func comparePair(
    _ left: Column, _ comparison: ComparisonOperator, _ right: Column, _ options: StringOptions
  ) throws(QueryError) -> Filter {
    if !options.isEmpty { return foldedPair(left, comparison, right, options) }
    return ValueFilter(
      [left, right], words: "\(left.schema.name) \(comparison.rawValue) \(right.schema.name)"
    ) {
      comparison.holdsInRow($0[0], $0[1])
    }
  }

  /// `property IN {…}`.
  func isIn(
    _ column: Column, _ values: [Value], _ options: StringOptions
  ) throws(QueryError) -> Filter {
    var parts: [Filter] = []
    if values.contains(where: \.isNull) { parts.append(NullFilter(column, isNull: true)) }
    let present = values.filter { !$0.isNull }
    if options.isEmpty, let filter = membership(column, present) {
      parts.append(filter)
    } else {
      let (texts, others) = present.splittingTexts(options)
      if column.schema.type == .string, !texts.isEmpty {
        parts.append(folded(column, oneOf: texts, options))
      }
      for value in column.schema.type == .string ? others : present {
        parts.append(try compare(column, .equal, value, options))
      }
    }
    return parts.count == 1 ? parts[0] : AnyFilter(parts)
  }

  /// `property IN[cd] {…}`.
  private func folded(
    _ column: Column, oneOf texts: [String], _ options: StringOptions
  ) -> Filter {
    if texts.count == 1 { return folded(column, .equal, texts[0], options) }
    return BytesFilter(
      column, .oneOfFolded(FoldedTexts(texts, options)), inverted: false, nullsMatch: false,
      words: "\(column.schema.name) IN\(options.marks) {\(texts.count) values}")
  }

  /// One filter for all constants of a list, where the type has one.
  private func membership(_ column: Column, _ values: [Value]) -> Filter? {
    switch column.schema.type {
    case .bool, .int:
      return IntegerFilter(column, RangeCondition(points(values.map { integerCut(column, $0) })))
    case .double:
      return DoubleFilter(column, RangeCondition(points(values.map { Cut<Double>($0) })))
    case .float:
      let cuts = values.map { Cut<Double>($0).map { Cut<Float>($0) } }
      return FloatFilter(column, RangeCondition(points(cuts)))
    case .string, .data, .objectId, .uuid:
      let all = values.compactMap { storedBytes($0, column.schema.type) }
      guard all.count == values.count else { return nil }
      return BytesFilter(
        column, .oneOf(all.sorted { $0.lexicographicallyPrecedes($1) }), inverted: false,
        nullsMatch: false, words: "\(column.schema.name) IN {\(values.count) values}")
    default: return nil
    }
  }

  private func points<Number: Stepping>(_ cuts: [Cut<Number>?]) -> [Bounds<Number>] {
    cuts.compactMap { $0?.bounds(.equal) }
  }
}

extension [Value] {
  /// The texts among the values and the others; no texts where no option folds them.
  func splittingTexts(_ options: StringOptions) -> (texts: [String], others: [Value]) {
    if options.isEmpty { return ([], self) }
    var (texts, others): ([String], [Value]) = ([], [])
    for value in self {
      if case .string(let text) = value { texts.append(text) } else { others.append(value) }
    }
    return (texts, others)
  }
}

extension RangeCondition {
  /// The ranges of a comparison; no cut: the constant is NaN, or no number.
  init(_ comparison: ComparisonOperator, _ cut: Cut<Number>?) {
    let isUnequal = comparison == .notEqual
    let bounds = cut?.bounds(comparison.relation)
    self.init(bounds.map { [$0] } ?? [], inverted: isUnequal, nullsMatch: isUnequal)
  }
}

extension ComparisonOperator {
  /// The relation that decides; for `!=` the one whose opposite does.
  var relation: Relation {
    switch self {
    case .equal, .notEqual: .equal
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }

  /// Whether a stored value stands so to a constant.
  func holds(_ value: Value, _ constant: Value) -> Bool {
    switch self {
    case .equal: return value.equals(constant)
    case .notEqual: return !value.equals(constant)
    default: return orders(value, constant)
    }
  }

  /// Whether two values of one row stand so: there, unlike with constants, NaN equals itself.
  func holdsInRow(_ a: Value, _ b: Value) -> Bool {
    let equal = a.equals(b) || (a.isNaN && b.isNaN)
    switch self {
    case .equal: return equal
    case .notEqual: return !equal
    default: return orders(a, b)
    }
  }

  private func orders(_ a: Value, _ b: Value) -> Bool {
    guard let order = a.order(to: b) else { return false }
    switch self {
    case .less: return order == .less
    case .lessOrEqual: return order != .greater
    case .greater: return order == .greater
    case .greaterOrEqual: return order != .less
    case .equal, .notEqual: return false
    }
  }
}
