import CairnValues

/// What a condition says of a number that was worked out: by ranges where these say it all.
struct NumberTest: Sendable {
  private let whole: ValueTest
  private let integers: OneRange<Int64>?
  private let doubles: OneRange<Double>?
  /// What it says of null.
  let null: Bool

  init(_ leaf: Leaf) {
    whole = leaf.test(isMixed: false)
    null = whole.holds(.null)
    guard case .compare(let comparison, let constant, _) = leaf, Cut<Double>(constant) != nil else {
      (integers, doubles) = (nil, nil)
      return
    }
    integers = OneRange(RangeCondition(comparison, Cut<Int64>(constant)))
    doubles = OneRange(RangeCondition(comparison, Cut<Double>(constant)))
  }

  @inline(__always)
  func holds(_ number: Int64) -> Bool {
    if let integers { return integers.holds(number) }
    return whole.holds(.int(number))
  }

  @inline(__always)
  func holds(_ number: Double) -> Bool {
    if let doubles { return doubles.holds(number) }
    return whole.holds(.double(number))
  }

  func holds(_ value: Value) -> Bool { whole.holds(value) }
}

/// A condition of one range or none, held against a number without a look into an array.
struct OneRange<Number: Stepping>: Sendable {
  private let low: Number
  private let high: Number
  private let inverted: Bool

  /// nil: the condition has several ranges.
  init?(_ condition: RangeCondition<Number>) {
    guard condition.ranges.count < 2 else { return nil }
    low = condition.ranges.first?.low ?? .greatest
    high = condition.ranges.first?.high ?? .least
    inverted = condition.inverted
  }

  @inline(__always)
  func holds(_ number: Number) -> Bool { (low <= number && number <= high) != inverted }
}
