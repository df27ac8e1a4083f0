import CairnGeometry
import CairnValues

/// What a condition asks of one value, wherever that stands: the rules that every other way of asking it follows.
struct ValueTest: Sendable {
  private let test: @Sendable (Value) -> Bool

  private init(_ test: @escaping @Sendable (Value) -> Bool) { self.test = test }

  /// Whether the value passes; null stands for a link on the way that is null, too.
  func holds(_ value: Value) -> Bool { test(value) }

  /// A test that is put together from others.
  static func custom(_ test: @escaping @Sendable (Value) -> Bool) -> ValueTest { ValueTest(test) }

  /// The same of every value.
  static func constant(_ value: Bool) -> ValueTest { ValueTest { _ in value } }

  /// `op constant`.
  static func compare(
    _ comparison: ComparisonOperator, _ constant: Value, _ options: StringOptions
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
      let matcher = TextMatcher(.equals, text, options)
      return ValueTest { value in
        guard case .string(let text) = value else { return comparison == .notEqual }
        return text.utf8.withBytes(matcher.matches) == (comparison == .equal)
      }
    }
    return ValueTest { comparison.holds($0, constant) }
  }

  /// The same of a mixed value, where flags and numbers can be equal.
  static func compareMixed(
    _ comparison: ComparisonOperator, _ constant: Value, _ options: StringOptions
  ) -> ValueTest {
    guard !comparison.isOrder, let turned = constant.flagTurned else {
      return compare(comparison, constant, options)
    }
    let isEqual = comparison == .equal
    return ValueTest { value in
      (value.equals(constant) || turned.contains { value.equals($0) }) == isEqual
    }
  }

  /// Both ends included.
  static func between(_ low: Value, _ high: Value) -> ValueTest {
    if low.isNull || high.isNull { return ValueTest { _ in false } }
    return ValueTest {
      ComparisonOperator.greaterOrEqual.holds($0, low)
        && ComparisonOperator.lessOrEqual.holds($0, high)
    }
  }

  /// Equal to one of them.
  static func isIn(_ values: [Value], _ options: StringOptions, isMixed: Bool) -> ValueTest {
    let (texts, others) = values.splittingTexts(options)
    let tests = others.map {
      isMixed ? compareMixed(.equal, $0, options) : compare(.equal, $0, options)
    }
    guard !texts.isEmpty else { return ValueTest { value in tests.contains { $0.holds(value) } } }
    let folded = FoldedTexts(texts, options)
    return ValueTest { value in
      if case .string(let text) = value, text.utf8.withBytes(folded.contains) { return true }
      return tests.contains { $0.holds(value) }
    }
  }

  /// `BEGINSWITH constant` and its like.
  static func match(
    _ match: MatchOperator, _ constant: Value, _ options: StringOptions
  ) -> ValueTest {
    switch constant {
    case .null: return ValueTest { match == .like && $0.isNull }
    case .string(let text):
      if text.isEmpty, match != .like { return ValueTest { _ in false } }
      let matcher = TextMatcher(match, text, options)
      return ValueTest { value in
        guard case .string(let text) = value else { return false }
        return text.utf8.withBytes(matcher.matches)
      }
    case .data(let part):
      guard !part.isEmpty, let test = BytesTest(match, part) else {
        return ValueTest { _ in false }
      }
      return ValueTest { value in
        guard case .data(let bytes) = value else { return false }
        return bytes.withUnsafeBytes(test.passes)
      }
    default: return ValueTest { _ in false }
    }
  }

  /// The test of the length of a text or of data; null has none.
  static func length(_ test: ValueTest) -> ValueTest {
    ValueTest { test.holds($0.length) }
  }

  static func within(_ region: Region) -> ValueTest {
    ValueTest { value in
      guard case .point(let place) = value else { return false }
      return region.contains(longitude: place.longitude, latitude: place.latitude)
    }
  }
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

  /// What else a flag or a number 0 or 1 is equal to in a mixed property; nil for other constants.
  fileprivate var flagTurned: [Value]? {
    switch self {
    case .bool(let flag): [.int(flag ? 1 : 0)]
    case .int, .float, .double, .decimal:
      equals(.int(1)) ? [.bool(true)] : equals(.int(0)) ? [.bool(false)] : nil
    default: nil
    }
  }
}

extension ComparisonOperator {
  /// Whether two values of one row stand so, flags and numbers being equal where either is mixed.
  func holdsInRow(_ a: Value, _ b: Value, isMixed: Bool) -> Bool {
    // A collection within a mixed value, which equals nothing.
    if isMixed, a == .link(.nowhere) { return self == .notEqual }
    guard isMixed, !isOrder, let turned = b.flagTurned else { return holdsInRow(a, b) }
    return (a.equals(b) || turned.contains { a.equals($0) }) == (self == .equal)
  }
}
