import CairnValues

/// A condition on numbers as ranges of them, which is tested in memory, without a value for each row.
struct RangesTest: Sendable {
  /// The ranges that the numbers must be in, or must not be in.
  private enum Ranges: Sendable {
    case ints([Bounds<Int64>])
    case doubles([Bounds<Double>])
  }

  /// The type of the numbers.
  let type: ValueType
  private let ranges: Ranges
  /// Whether the numbers that are in no range pass.
  private let isInverted: Bool
  private let takesNull: Bool

  /// The most ranges of `IN`, which are tested one after another.
  fileprivate static let mostRanges = 8

  /// Prepares a condition on the values of a column; nil if it is not one on numbers.
  ///
  /// - Parameter test: The same condition on one value.
  init?(_ condition: ValueCondition, test: ValueTest, type: ValueType) {
    switch type {
    case .int:
      guard let found: [Bounds<Int64>] = condition.ranges(ConstantBounds.init) else { return nil }
      ranges = .ints(found)
    case .double:
      guard let found: [Bounds<Double>] = condition.ranges(ConstantBounds.init) else { return nil }
      ranges = .doubles(found)
    case .date:
      let found: [Bounds<Double>]? = condition.ranges { value in
        guard case .date(let seconds) = value, !seconds.isNaN else { return nil }
        return ConstantBounds(seconds)
      }
      guard let found else { return nil }
      ranges = .doubles(found)
    default: return nil
    }
    self.type = type
    if case .compare(.notEqual, _, _) = condition { isInverted = true } else { isInverted = false }
    takesNull = test.holds(.null)
  }

  /// Keeps the rows that match.
  func refine(_ rows: UnsafeMutableBufferPointer<Bool>, _ numbers: RawNumbers) {
    switch ranges {
    case .ints(let ranges):
      refine(rows, numbers, ranges) { numbers.int($0) }
    case .doubles(let ranges):
      refine(rows, numbers, ranges) { numbers.double($0) }
    }
  }

  @inline(__always)
  private func refine<Number>(
    _ rows: UnsafeMutableBufferPointer<Bool>, _ numbers: RawNumbers, _ ranges: [Bounds<Number>],
    number: (Int) -> Number
  ) {
    let nullable = min(rows.count, numbers.nulls.count)
    if ranges.count == 1 {
      // Rows without nulls are tested in a loop without branches.
      let (low, high, inversion) = (ranges[0].low, ranges[0].high, UInt8(isInverted))
      let flags = UnsafeMutableRawBufferPointer(rows)
      for row in nullable..<rows.count {
        let value = number(row)
        flags[row] &= (UInt8(low <= value) & UInt8(value <= high)) ^ inversion
      }
    }
    for row in 0..<(ranges.count == 1 ? nullable : rows.count) where rows[row] {
      if row < nullable, numbers.isNull(row) {
        rows[row] = takesNull
      } else {
        let value = number(row)
        rows[row] = ranges.contains { $0.contains(value) } != isInverted
      }
    }
  }
}

extension ValueCondition {
  /// The ranges of the numbers that meet the condition, or that do not meet `!=`; nil if the condition
  /// compares with something else.
  ///
  /// - Parameter bounds: Returns the numbers next to a constant; nil if it has no order to them.
  fileprivate func ranges<Number: SteppedNumber>(
    _ bounds: (Value) -> ConstantBounds<Number>?
  ) -> [Bounds<Number>]? {
    switch self {
    case .compare(let comparison, let constant, _):
      return bounds(constant).map { [$0.bounds(comparison.relation)].compactMap(\.self) }
    case .between(let low, let high):
      guard let low = bounds(low), let high = bounds(high) else { return nil }
      guard let from = low.bounds(.greaterOrEqual), let to = high.bounds(.lessOrEqual),
        from.low <= to.high
      else { return [] }
      return [Bounds(low: from.low, high: to.high)]
    case .isIn(let values, _):
      let found = values.compactMap(bounds)
      guard found.count == values.count, values.count <= RangesTest.mostRanges else { return nil }
      return found.compactMap { $0.bounds(.equal) }
    case .match: return nil
    }
  }
}

extension UInt8 {
  /// 1 for true.
  @inline(__always)
  fileprivate init(_ flag: Bool) { self = flag ? 1 : 0 }
}
