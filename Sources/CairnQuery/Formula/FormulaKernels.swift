import CairnStorage
import CairnValues

/// The operations of formulas on batches of rows. They replace the values of the vector, and return
/// the first row whose integer overflows.
extension FormulaVector {
  /// Combines each row with that of another vector of the same type.
  func combine(_ operation: FormulaOperator, _ other: FormulaVector) -> Int? {
    assert(other.count == count, "the operands have different numbers of rows")
    for row in 0..<count where other.nulls[row] { nulls[row] = true }
    switch type {
    case .int: return combineIntegers(operation, other.integers)
    case .decimal128: combineDecimals(operation, other.decimals)
    default: combineDoubles(operation, other.doubles)
    }
    return nil
  }

  private func combineIntegers(
    _ operation: FormulaOperator, _ other: UnsafeMutablePointer<Int64>
  ) -> Int? {
    switch operation {
    case .add: updateIntegers { $0.addingReportingOverflow(other[$1]) }
    case .subtract: updateIntegers { $0.subtractingReportingOverflow(other[$1]) }
    default: updateIntegers { $0.multipliedReportingOverflow(by: other[$1]) }
    }
  }

  @inline(__always)
  private func updateIntegers(
    _ compute: (Int64, _ row: Int) -> (partialValue: Int64, overflow: Bool)
  ) -> Int? {
    var failed = count
    for row in 0..<count {
      let (result, overflow) = compute(integers[row], row)
      integers[row] = result
      if overflow && !nulls[row] { failed = min(failed, row) }
    }
    return failed < count ? failed : nil
  }

  private func combineDoubles(
    _ operation: FormulaOperator, _ other: UnsafeMutablePointer<Double>
  ) {
    let own = doubles
    switch operation {
    case .add: for row in 0..<count { own[row] += other[row] }
    case .subtract: for row in 0..<count { own[row] -= other[row] }
    case .multiply: for row in 0..<count { own[row] *= other[row] }
    default:
      for row in 0..<count {
        own[row] /= other[row]
        if other[row] == 0 { nulls[row] = true }
      }
    }
  }

  private func combineDecimals(
    _ operation: FormulaOperator, _ other: UnsafeMutablePointer<Decimal128>
  ) {
    let own = decimals
    for row in 0..<count where !nulls[row] {
      switch operation {
      case .add: own[row] += other[row]
      case .subtract: own[row] -= other[row]
      case .multiply: own[row] *= other[row]
      default:
        if other[row].isZero { nulls[row] = true } else { own[row] /= other[row] }
      }
    }
  }

  /// Changes the sign.
  func negate() -> Int? {
    switch type {
    case .int:
      return updateIntegers { number, _ in (0 as Int64).subtractingReportingOverflow(number) }
    case .decimal128: for row in 0..<count { decimals[row] = -decimals[row] }
    default: for row in 0..<count { doubles[row] = -doubles[row] }
    }
    return nil
  }

  /// Applies a function. Whole numbers are unchanged by every function but `abs`.
  func apply(_ function: FormulaFunction, digits: Int) -> Int? {
    if type == .int {
      guard function == .abs else { return nil }
      return updateIntegers { number, _ in
        number < 0 ? (0 as Int64).subtractingReportingOverflow(number) : (number, false)
      }
    }
    switch function {
    case .abs: for row in 0..<count { doubles[row] = Swift.abs(doubles[row]) }
    case .floor: for row in 0..<count { doubles[row].round(.down) }
    case .ceil: for row in 0..<count { doubles[row].round(.up) }
    default: for row in 0..<count { doubles[row] = doubles[row].rounded(toDecimals: digits) }
    }
    return nil
  }

  /// Joins the texts of two vectors.
  func join(_ left: FormulaVector, _ right: FormulaVector) {
    assert(left !== self && right !== self, "the texts would overwrite their operands")
    assert(
      left.count == count && right.count == count, "the operands have different numbers of rows")
    var size = 0
    for row in 0..<count {
      nulls[row] = left.nulls[row] || right.nulls[row]
      if !nulls[row] { size += left.texts[row].count + right.texts[row].count }
    }
    let heap = reserveHeap(size)
    var end = 0
    for row in 0..<count where !nulls[row] {
      let start = end
      append(left.texts[row], to: heap, end: &end)
      append(right.texts[row], to: heap, end: &end)
      texts[row] = UnsafeRawBufferPointer(rebasing: heap[start..<end])
    }
  }
}

private func append(
  _ bytes: UnsafeRawBufferPointer, to heap: UnsafeMutableRawBufferPointer, end: inout Int
) {
  assert(bytes.count <= heap.count - end, "the texts are larger than their memory")
  UnsafeMutableRawBufferPointer(rebasing: heap[end...]).copyMemory(from: bytes)
  end += bytes.count
}

extension Double {
  /// The nearest number of so many decimals; a half is rounded away from zero.
  fileprivate func rounded(toDecimals digits: Int) -> Double {
    guard digits > 0 else { return rounded() }
    let scale = Decimals.powers[digits]
    let scaled = self * scale
    // Greater numbers have no such decimals.
    guard Swift.abs(scaled) < 0x1p53 else { return self }
    return scaled.rounded() / scale
  }
}
