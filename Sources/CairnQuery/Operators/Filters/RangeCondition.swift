import CairnStorage

/// A condition on a numeric column: closed ranges, optionally inverted, and the result for null.
struct RangeCondition<Number: SteppedNumber>: Sendable {
  /// The ranges, sorted and disjoint.
  var ranges: [Bounds<Number>]
  /// Whether the values outside all ranges match instead.
  var inverted = false
  var nullsMatch = false

  /// Creates a condition, joining overlapping ranges.
  init(_ ranges: [Bounds<Number>], inverted: Bool = false, nullsMatch: Bool = false) {
    self.inverted = inverted
    self.nullsMatch = nullsMatch
    self.ranges = []
    for range in ranges.sorted(by: { $0.low < $1.low }) where !range.isEmpty {
      if let last = self.ranges.last, range.low <= last.high {
        self.ranges[self.ranges.count - 1].high = max(last.high, range.high)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// The zone-map result.
  ///
  /// The bounds are those of the values that are neither null nor NaN.
  func zoneMapResult(minimum: Number, maximum: Number, hasNaN: Bool, hasNulls: Bool)
    -> ZoneMapResult
  {
    let values = valueResult(minimum, maximum: maximum, hasNaN: hasNaN)
    if !hasNulls { return values }
    switch values {
    case .none: return nullsMatch ? .some : .none
    case .all: return nullsMatch ? .all : .some
    case .some: return .some
    }
  }

  private func valueResult(_ minimum: Number, maximum: Number, hasNaN: Bool) -> ZoneMapResult {
    var zoneMapResult = ZoneMapResult.none
    for range in ranges where range.low <= maximum && range.high >= minimum {
      zoneMapResult = range.low <= minimum && range.high >= maximum && !hasNaN ? .all : .some
      break
    }
    return inverted ? zoneMapResult.negated : zoneMapResult
  }

  /// Whether the value is in one of the ranges.
  func isInRange(_ value: Number) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) >> 1
      if ranges[middle].high < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].low <= value
  }
}

extension Bounds<Int64> {
  /// The range in the chunk's codes; nil if the range contains none of them.
  func codes(_ chunk: Chunk) -> CodeRange? {
    if chunk.width == 8 {
      return CodeRange(
        low: UInt64(bitPattern: low &- chunk.frame), span: UInt64(bitPattern: high &- low))
    }
    let top = chunk.frame &+ (1 << Int64(chunk.width * 8) &- 1)
    let from = max(low, chunk.frame)
    let to = min(high, top)
    guard from <= to else { return nil }
    return CodeRange(
      low: UInt64(bitPattern: from &- chunk.frame), span: UInt64(bitPattern: to &- from))
  }
}

extension RangeCondition {
  /// The ranges of a comparison. Without bounds, the constant is NaN or not a number.
  init(_ comparison: ComparisonOperator, bounds: ConstantBounds<Number>?) {
    let isUnequal = comparison == .notEqual
    let bounds = bounds?.bounds(comparison.relation)
    self.init(bounds.map { [$0] } ?? [], inverted: isUnequal, nullsMatch: isUnequal)
  }
}
