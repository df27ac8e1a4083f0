import CairnSystem
import CairnValues

// Comparisons, and the operators between conditions.
extension FormulaVector {
  /// Sets the rows to the result of an operator. Null is neither less nor greater than anything and
  /// equals only null; as a condition it is false.
  func decide(_ operation: FormulaOperator, _ left: FormulaVector, _ right: FormulaVector) {
    type = .bool
    switch operation {
    case .and: set { left.isTrue($0) && right.isTrue($0) }
    case .or: set { left.isTrue($0) || right.isTrue($0) }
    default:
      guard let comparison = operation.comparison else { return }
      compare(comparison, left, right)
    }
  }

  /// Sets the rows to the opposite of a condition.
  func negate(_ condition: FormulaVector) {
    type = .bool
    set { !condition.isTrue($0) }
  }

  private func isTrue(_ row: Int) -> Bool { !isNull(row) && integers[row] != 0 }

  private func set(_ holds: (_ row: Int) -> Bool) {
    for row in 0..<count {
      nulls[row] = false
      integers[row] = holds(row) ? 1 : 0
    }
  }

  private func compare(
    _ comparison: ComparisonOperator, _ left: FormulaVector, _ right: FormulaVector
  ) {
    switch left.type ?? right.type {
    case .bool, .int:
      set(comparison, left, right) { comparison.holds(left.integers[$0], right.integers[$0]) }
    case .double, .date:
      set(comparison, left, right) { comparison.holds(left.doubles[$0], right.doubles[$0]) }
    case .decimal128:
      set(comparison, left, right) { comparison.holds(left.decimals[$0], right.decimals[$0]) }
    case .string:
      set(comparison, left, right) { row in
        let order = left.texts[row].order(to: right.texts[row])
        return comparison.holds(order, 0)
      }
    default:
      set(comparison, left, right) { row in
        let isEqual = left.value(row).equals(right.value(row))
        return comparison == .equal ? isEqual : comparison == .notEqual && !isEqual
      }
    }
  }

  /// - Parameter holds: Whether the comparison holds in a row without nulls.
  private func set(
    _ comparison: ComparisonOperator, _ left: FormulaVector, _ right: FormulaVector,
    _ holds: (_ row: Int) -> Bool
  ) {
    set { row in
      let (isNull, isOtherNull) = (left.isNull(row), right.isNull(row))
      guard isNull || isOtherNull else { return holds(row) }
      switch comparison {
      case .equal, .lessOrEqual, .greaterOrEqual: return isNull && isOtherNull
      case .notEqual: return isNull != isOtherNull
      case .less, .greater: return false
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A negative number if these bytes come before others, 0 if they are the same.
  fileprivate func order(to other: UnsafeRawBufferPointer) -> Int {
    let shared = Swift.min(count, other.count)
    if shared > 0, let a = baseAddress, let b = other.baseAddress {
      let order = memcmp(a, b, shared)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}

extension ComparisonOperator {
  fileprivate func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}
