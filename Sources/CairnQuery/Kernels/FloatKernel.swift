/// A closed range of floating-point values; NaN is in none.
struct FloatRange<Number: BinaryFloatingPoint & Sendable>: Equatable, Sendable {
  var low: Number
  var high: Number

  /// Keeps the selected rows whose value is in the range, or is not when `inverted`.
  @inline(__always)
  func narrow(
    _ selection: inout Selection, _ values: UnsafePointer<Number>, inverted: Bool,
    _ nulls: NullRule, _ workspace: Workspace
  ) {
    let bytes = workspace.bytes
    let low = low
    let high = high
    let flip: UInt64 = inverted ? ~0 : 0
    selection.keep(nulls) { word, selected in
      let rows = values + word << 6
      if selected.isSparse {
        return selected.keepingEach { (rows[$0] >= low && rows[$0] <= high) != inverted }
      }
      for row in 0..<64 {
        bytes[row] = (rows[row] >= low ? 1 : 0) & (rows[row] <= high ? 1 : 0)
      }
      return packed(bytes) ^ flip
    }
  }
}
