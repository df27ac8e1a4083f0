import CairnValues

/// A test of a computed number. It uses ranges if they express the whole condition.
struct NumberTest: Sendable {
  private let whole: ValueTest
  private let integers: OneRange<Int64>?
  private let doubles: OneRange<Double>?
  /// The result for null.
  let null: Bool

  init(_ comparison: Comparison) {
    whole = comparison.test(isMixed: false)
    null = whole.holds(.null)
    guard case .values(.compare(let comparison, let constant, _)) = comparison,
      ConstantBounds<Double>(constant) != nil
    else {
      (integers, doubles) = (nil, nil)
      return
    }
    integers = OneRange(RangeCondition(comparison, bounds: ConstantBounds<Int64>(constant)))
    doubles = OneRange(RangeCondition(comparison, bounds: ConstantBounds<Double>(constant)))
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

/// A condition of at most one range, which tests a number without reading an array.
struct OneRange<Number: SteppedNumber>: Sendable {
  private let low: Number
  private let high: Number
  private let inverted: Bool

  /// Nil if the condition has several ranges.
  init?(_ condition: RangeCondition<Number>) {
    guard condition.ranges.count < 2 else { return nil }
    low = condition.ranges.first?.low ?? .greatest
    high = condition.ranges.first?.high ?? .least
    inverted = condition.inverted
  }

  @inline(__always)
  func holds(_ number: Number) -> Bool { (low <= number && number <= high) != inverted }
}

/// A test of a number of elements, with precomputed results for small numbers.
struct CountTest: Sendable {
  private let test: ValueTest
  /// A bit for every number below 64.
  private let small: UInt64

  init(_ test: ValueTest) {
    self.test = test
    var small: UInt64 = 0
    for count in 0..<64 where test.holds(.int(Int64(count))) { small |= 1 << UInt64(count) }
    self.small = small
  }

  @inline(__always)
  func holds(_ count: Int) -> Bool {
    count < 64 ? small &>> UInt64(count) & 1 != 0 : test.holds(.int(Int64(count)))
  }
}

/// Totals of a collection's numbers without a `Value` for each. The results are the same as those
/// of ``ValueTotals``.
protocol NumberTotals {
  associatedtype Number

  init()
  mutating func add(_ number: Number)
  /// Whether an aggregate of the numbers passes the test.
  func passes(_ test: NumberTest, function: AggregateFunction) -> Bool
}

struct IntegerCollectionTotals: NumberTotals {
  private var count = 0
  private var sum = Int128Sum()
  private var least = Int64.max
  private var greatest = Int64.min

  @inline(__always)
  init() {}

  @inline(__always)
  mutating func add(_ number: Int64) {
    count &+= 1
    sum += number
    least = min(least, number)
    greatest = max(greatest, number)
  }

  @inline(__always)
  func passes(_ test: NumberTest, function: AggregateFunction) -> Bool {
    switch function {
    case .sum:
      if let exact = sum.exact { return test.holds(exact) }
      return test.holds(sum.value)
    case .avg: return count == 0 ? test.null : test.holds(sum.double / Double(count))
    case .min: return count == 0 ? test.null : test.holds(least)
    case .max: return count == 0 ? test.null : test.holds(greatest)
    }
  }
}

/// Totals of doubles, and of floats as doubles. NaN is left out.
struct DoubleCollectionTotals: NumberTotals {
  private var totals = DoubleTotals()

  @inline(__always)
  init() {}

  @inline(__always)
  mutating func add(_ number: Double) { totals.add(number) }

  @inline(__always)
  func passes(_ test: NumberTest, function: AggregateFunction) -> Bool {
    if function == .sum { return test.holds(totals.sum) }
    if totals.count == 0 { return test.null }
    switch function {
    case .min: return test.holds(totals.minimum)
    case .max: return test.holds(totals.maximum)
    case .sum, .avg: return test.holds(totals.sum / Double(totals.count))
    }
  }
}
