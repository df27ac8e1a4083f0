import CairnValues

/// Numbers of a collection added up and compared without values around them: what `ValueTotals` says of them.
protocol NumberTotals {
  associatedtype Number

  init()
  mutating func add(_ number: Number)
  /// What a condition says of a function of the numbers.
  func passes(_ test: NumberTest, _ function: AggregateFunction) -> Bool
}

struct IntegerCollectionTotals: NumberTotals {
  private var count = 0
  private var sum = WideInteger()
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
  func passes(_ test: NumberTest, _ function: AggregateFunction) -> Bool {
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

/// Doubles, and floats as doubles; NaN is left out.
struct DoubleCollectionTotals: NumberTotals {
  private var totals = DoubleTotals()

  @inline(__always)
  init() {}

  @inline(__always)
  mutating func add(_ number: Double) { totals.add(number) }

  @inline(__always)
  func passes(_ test: NumberTest, _ function: AggregateFunction) -> Bool {
    if function == .sum { return test.holds(totals.sum) }
    if totals.count == 0 { return test.null }
    switch function {
    case .min: return test.holds(totals.minimum)
    case .max: return test.holds(totals.maximum)
    case .sum, .avg: return test.holds(totals.sum / Double(totals.count))
    }
  }
}
