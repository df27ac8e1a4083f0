import CairnStorage

/// Values of a numeric column that match: closed ranges, perhaps turned around, and what null does.
struct RangeCondition<Number: Stepping>: Sendable {
  /// Rising, apart from each other.
  var ranges: [Bounds<Number>]
  /// Values in no range match instead.
  var inverted = false
  var nullsMatch = false

  /// The same with overlapping ranges joined.
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

  /// What bounds of the values that are neither null nor NaN say.
  func verdict(minimum: Number, maximum: Number, hasNaN: Bool, hasNulls: Bool) -> Verdict {
    let values = valueVerdict(minimum, maximum, hasNaN)
    if !hasNulls { return values }
    switch values {
    case .none: return nullsMatch ? .some : .none
    case .all: return nullsMatch ? .all : .some
    case .some: return .some
    }
  }

  private func valueVerdict(_ minimum: Number, _ maximum: Number, _ hasNaN: Bool) -> Verdict {
    var verdict = Verdict.none
    for range in ranges where range.low <= maximum && range.high >= minimum {
      verdict = range.low <= minimum && range.high >= maximum && !hasNaN ? .all : .some
      break
    }
    return inverted ? verdict.negated : verdict
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
  /// The range in the chunk's codes; nil when no code of it is in the range.
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
