import CairnValues

/// Totals of a collection's values. Nulls and NaN are left out.
package struct ValueTotals {
  private var numbers = 0
  private var integers = Int128Sum()
  private var doubles = 0.0
  private var decimals = Decimal128(Int64(0))
  private var least = Value.null
  private var greatest = Value.null

  /// Creates empty totals.
  package init() {}

  /// Adds a value.
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
    if least.isNull || Value.sortOrder(value, to: least) == .less { least = value }
    if greatest.isNull || Value.sortOrder(value, to: greatest) == .greater { greatest = value }
  }

  /// The aggregate of the values, as a value for a property of that type. Without values the sum is
  /// 0, and the other aggregates are null.
  func value(_ function: AggregateFunction, type: ValueType?) -> Value {
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

  /// The sum of all numbers in decimal arithmetic.
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
  /// The summary of values of a property of that type.
  package static func summary(of values: some Sequence<Value>, _ type: ValueType) -> Summary {
    var totals = ValueTotals()
    var count = 0
    for value in values {
      totals.add(value)
      if !value.isNull { count += 1 }
    }
    var summary = Summary(count: count)
    if type.isRanked || type == .mixed {
      summary.minimum = totals.value(.min, type: type)
      summary.maximum = totals.value(.max, type: type)
    }
    if type.isSummable || type == .mixed {
      summary.sum = totals.value(.sum, type: type)
      summary.average = totals.value(.avg, type: type)
    }
    return summary
  }
}

/// The summary of one column's values over the rows that are not null.
package struct Summary: Sendable, Equatable {
  /// The number of values that are not null.
  package var count = 0
  /// The sum; 0 without values. For integers it is exact, as a decimal if it does not fit in 64
  /// bits. Null if values of the type cannot be added.
  package var sum = Value.null
  /// The least value; null without values, or if the type has no minimum.
  package var minimum = Value.null
  /// The greatest value; null without values, or if the type has no maximum.
  package var maximum = Value.null
  /// The mean; a double for integers. Null without values, or if values of the type cannot be
  /// added.
  package var average = Value.null
  /// The sample standard deviation as a double; null unless it was requested, and with fewer than
  /// two values.
  package var deviation = Value.null
  /// The requested percentiles, in the requested order: doubles or dates, null without values.
  package var percentiles: [Value] = []
  /// The number of different values; nil unless it was requested.
  package var distinctCount: Int?
  /// The keys of the rows with a value, in rising order; empty unless they were requested.
  package var keys: [Int] = []
}

extension ValueType {
  /// Whether values of the type can be added.
  package var isSummable: Bool { isNumeric }
  /// Whether the type has a minimum and a maximum.
  package var isRanked: Bool { isNumeric || self == .date || self == .string }
}
