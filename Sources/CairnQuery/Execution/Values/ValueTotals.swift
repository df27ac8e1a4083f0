import CairnValues

/// Values of a collection added up and compared; nulls and NaN are left out.
package struct ValueTotals {
  private var numbers = 0
  private var integers = WideInteger()
  private var doubles = 0.0
  private var decimals = Decimal128(Int64(0))
  private var least = Value.null
  private var greatest = Value.null

  /// Nothing yet.
  package init() {}

  package mutating func add(_ value: Value) {
    if value.isNull || value.isNaN { return }
    switch value {
    case .int(let number): integers += number
    case .float(let number): doubles += Double(number)
    case .double(let number): doubles += number
    case .decimal(let number): decimals = decimals + number
    default: numbers -= 1
    }
    numbers += 1
    if least.isNull || Value.sortOrder(value, least) == .less { least = value }
    if greatest.isNull || Value.sortOrder(value, greatest) == .greater { greatest = value }
  }

  /// What they come to, as values of a property of that type: nothing adds up to 0, and has no least, greatest
  /// or average.
  func value(_ function: AggregateFunction, _ type: ValueType?) -> Value {
    switch function {
    case .min: return least
    case .max: return greatest
    case .sum: return sum(type)
    case .avg: return numbers == 0 ? .null : average(type)
    }
  }

  private func sum(_ type: ValueType?) -> Value {
    switch type {
    case .int: integers.value
    case .decimal128, .mixed: .decimal(decimal)
    default: .double(doubles)
    }
  }

  private func average(_ type: ValueType?) -> Value {
    switch type {
    case .int: .double(integers.double / Double(numbers))
    case .decimal128, .mixed: .decimal(decimal / Decimal128(Int64(numbers)))
    default: .double(doubles / Double(numbers))
    }
  }

  /// All numbers in decimal arithmetic.
  private var decimal: Decimal128 {
    let whole =
      switch integers.value {
      case .decimal(let number): number
      case .int(let number): Decimal128(number)
      default: Decimal128(Int64(0))
      }
    return doubles == 0 ? decimals + whole : decimals + whole + Decimal128(doubles)
  }
}

extension ValueTotals {
  /// What values of a property of that type come to.
  package static func summary(of values: some Sequence<Value>, _ type: ValueType) -> Summary {
    var totals = ValueTotals()
    var count = 0
    for value in values {
      totals.add(value)
      if !value.isNull { count += 1 }
    }
    var summary = Summary(count: count)
    if type.isRanked || type == .mixed {
      summary.minimum = totals.value(.min, type)
      summary.maximum = totals.value(.max, type)
    }
    if type.isSummable || type == .mixed {
      summary.sum = totals.value(.sum, type)
      summary.average = totals.value(.avg, type)
    }
    return summary
  }
}
