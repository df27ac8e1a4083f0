import CairnValues

/// A test of a single value. It defines the semantics that every other evaluation follows.
struct ValueTest: Sendable {
  private let test: @Sendable (Value) -> Bool

  private init(_ test: @escaping @Sendable (Value) -> Bool) { self.test = test }

  /// Whether the value passes. A null link on the path counts as null.
  func holds(_ value: Value) -> Bool { test(value) }

  /// A test composed of others.
  static func custom(_ test: @escaping @Sendable (Value) -> Bool) -> ValueTest { ValueTest(test) }

  /// A test with the same result for every value.
  static func constant(_ value: Bool) -> ValueTest { ValueTest { _ in value } }

  /// The test of `op constant`.
  static func compare(
    _ comparison: ComparisonOperator, constant: Value, options: StringOptions
  ) -> ValueTest {
    if constant.isNull {
      switch comparison {
      case .equal, .lessOrEqual, .greaterOrEqual: return ValueTest { $0.isNull }
      case .notEqual: return ValueTest { !$0.isNull }
      case .less, .greater: return ValueTest { _ in false }
      }
    }
    if case .link(.nowhere) = constant { return ValueTest { _ in comparison == .notEqual } }
    if case .string(let text) = constant, !options.isEmpty, !comparison.isOrder {
      let matcher = TextMatcher(.equals, operand: text, options: options)
      return ValueTest { value in
        guard case .string(let text) = value else { return comparison == .notEqual }
        return text.utf8.withBytes(matcher.matches) == (comparison == .equal)
      }
    }
    return ValueTest { comparison.holds($0, constant: constant) }
  }

  /// The test of `op constant` on a mixed value, where flags and numbers can be equal.
  static func compareMixed(
    _ comparison: ComparisonOperator, constant: Value, options: StringOptions
  ) -> ValueTest {
    guard !comparison.isOrder, let counterparts = constant.flagCounterparts else {
      return compare(comparison, constant: constant, options: options)
    }
    let isEqual = comparison == .equal
    return ValueTest { value in
      (value.equals(constant) || counterparts.contains { value.equals($0) }) == isEqual
    }
  }

  /// The test of `BETWEEN`, including both ends.
  static func between(_ low: Value, high: Value) -> ValueTest {
    if low.isNull || high.isNull { return ValueTest { _ in false } }
    return ValueTest {
      ComparisonOperator.greaterOrEqual.holds($0, constant: low)
        && ComparisonOperator.lessOrEqual.holds($0, constant: high)
    }
  }

  /// The test of equality with one of the values.
  static func isIn(_ values: [Value], options: StringOptions, isMixed: Bool) -> ValueTest {
    let (texts, others) = values.splittingTexts(options)
    let tests = others.map {
      isMixed
        ? compareMixed(.equal, constant: $0, options: options)
        : compare(.equal, constant: $0, options: options)
    }
    guard !texts.isEmpty else { return ValueTest { value in tests.contains { $0.holds(value) } } }
    let folded = FoldedTextSet(texts, options: options)
    return ValueTest { value in
      if case .string(let text) = value, text.utf8.withBytes(folded.contains) { return true }
      return tests.contains { $0.holds(value) }
    }
  }

  /// The test of `BEGINSWITH constant` and the like.
  static func match(
    _ match: MatchOperator, constant: Value, options: StringOptions
  ) -> ValueTest {
    switch constant {
    case .null: return ValueTest { match == .like && $0.isNull }
    case .string(let text):
      guard !text.isEmpty || match.takesPattern,
        let test = BytesTest(match, text: text, options: options)
      else { return ValueTest { _ in false } }
      return ValueTest { value in
        guard case .string(let text) = value else { return false }
        return text.utf8.withBytes(test.passes)
      }
    case .data(let part):
      guard !part.isEmpty, let test = BytesTest(match, part: part) else {
        return ValueTest { _ in false }
      }
      return ValueTest { value in
        guard case .data(let bytes) = value else { return false }
        return bytes.withUnsafeBytes(test.passes)
      }
    default: return ValueTest { _ in false }
    }
  }

  /// A test of the length of a text or of data. The length of other values is null.
  static func length(_ test: ValueTest) -> ValueTest {
    ValueTest { test.holds($0.length) }
  }

  /// The test of a location or a geometry against a shape.
  static func spatial(_ test: SpatialTest) -> ValueTest { ValueTest(test.holds) }
}

extension Value {
  /// The number of a text's characters, or of the bytes of data; null for other values.
  var length: Value {
    switch self {
    case .string(let text): .int(Int64(text.count))
    case .data(let bytes): .int(Int64(bytes.count))
    default: .null
    }
  }

  /// The values of the other kind that a flag, 0 or 1 equals in a mixed property; nil for other
  /// constants.
  var flagCounterparts: [Value]? {
    switch self {
    case .bool(let flag): [.int(flag ? 1 : 0)]
    case .int, .float, .double, .decimal:
      equals(.int(1)) ? [.bool(true)] : equals(.int(0)) ? [.bool(false)] : nil
    default: nil
    }
  }
}

/// The test that a condition applies to each value at the end of its path.
enum Comparison {
  case constant(Bool)
  case values(ValueCondition)
  /// A relation of a location or a geometry to a shape, or its distance from one.
  case spatial(SpatialTest)
  /// A test of the length of a text or of data.
  case length(ValueTest)

  /// The same test as a function of one value.
  func test(isMixed: Bool) -> ValueTest {
    switch self {
    case .constant(let value): .constant(value)
    case .values(let condition): condition.test(isMixed: isMixed)
    case .spatial(let test): .spatial(test)
    case .length(let test): .length(test)
    }
  }

  var isSpatial: Bool {
    if case .spatial = self { true } else { false }
  }
}

extension ValueCondition {
  /// The condition as a function of one value.
  ///
  /// - Parameter isMixed: Whether the value is mixed, so that flags and numbers can be equal.
  func test(isMixed: Bool) -> ValueTest {
    switch self {
    case .compare(let comparison, let value, let options):
      isMixed
        ? .compareMixed(comparison, constant: value, options: options)
        : .compare(comparison, constant: value, options: options)
    case .between(let low, let high): .between(low, high: high)
    case .isIn(let values, let options): .isIn(values, options: options, isMixed: isMixed)
    case .match(let match, let value, let options): .match(match, constant: value, options: options)
    }
  }
}

extension [Value] {
  /// The texts among the values, and the others. Without options that fold texts, all values are
  /// others.
  func splittingTexts(_ options: StringOptions) -> (texts: [String], others: [Value]) {
    if options.isEmpty { return ([], self) }
    var (texts, others): ([String], [Value]) = ([], [])
    for value in self {
      if case .string(let text) = value { texts.append(text) } else { others.append(value) }
    }
    return (texts, others)
  }
}

extension ComparisonOperator {
  /// Whether a stored value compares this way with a constant.
  func holds(_ value: Value, constant: Value) -> Bool {
    switch self {
    case .equal: return value.equals(constant)
    case .notEqual: return !value.equals(constant)
    default: return orders(value, and: constant)
    }
  }

  /// Whether two values of one row compare this way. Unlike with constants, NaN equals itself.
  func holdsInRow(_ a: Value, and b: Value) -> Bool {
    let equal = a.equals(b) || (a.isNaN && b.isNaN)
    switch self {
    case .equal: return equal
    case .notEqual: return !equal
    case .lessOrEqual, .greaterOrEqual: return (a.isNull && b.isNull) || orders(a, and: b)
    case .less, .greater: return orders(a, and: b)
    }
  }

  private func orders(_ a: Value, and b: Value) -> Bool {
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
