import CairnStorage

/// Codes of a chunk within a range: the one kernel that every comparison of integers, decimals and
/// single dictionary entries becomes. Codes wrap around, so the range may too.
struct CodeRange: Equatable {
  var low: UInt64
  /// Codes beyond `low` that still match.
  var span: UInt64

  /// Keeps the selected rows whose code is in the range, or is not when `inverted`.
  func narrow(
    _ selection: inout Selection, _ chunk: Chunk, inverted: Bool, _ nulls: NullRule,
    _ workspace: Workspace
  ) {
    let bytes = workspace.bytes
    let codes = chunk.codes
    switch chunk.width {
    case 0:
      let all: UInt64 = contains(0) != inverted ? ~0 : 0
      selection.keep(nulls) { _, _ in all }
    case 1: narrow(&selection, codes.assumingMemoryBound(to: UInt8.self), inverted, nulls, bytes)
    case 2: narrow(&selection, codes.assumingMemoryBound(to: UInt16.self), inverted, nulls, bytes)
    case 4: narrow(&selection, codes.assumingMemoryBound(to: UInt32.self), inverted, nulls, bytes)
    default: narrow(&selection, codes.assumingMemoryBound(to: UInt64.self), inverted, nulls, bytes)
    }
  }

  /// Whether a code is in the range.
  func contains(_ code: UInt64) -> Bool { code &- low <= span }

  @inline(__always)
  private func narrow<Code: FixedWidthInteger & UnsignedInteger>(
    _ selection: inout Selection, _ codes: UnsafePointer<Code>, _ inverted: Bool,
    _ nulls: NullRule, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    let low = Code(truncatingIfNeeded: low)
    let span = Code(truncatingIfNeeded: span)
    let flip: UInt64 = inverted ? ~0 : 0
    selection.keep(nulls) { word, selected in
      let rows = codes + word << 6
      if selected.isSparse {
        return selected.keepingEach { (rows[$0] &- low <= span) != inverted }
      }
      for row in 0..<64 { bytes[row] = rows[row] &- low <= span ? 1 : 0 }
      return packed(bytes) ^ flip
    }
  }
}

extension UInt64 {
  /// Few enough bits that testing them one by one beats testing 64 rows at once.
  @inline(__always)
  var isSparse: Bool {
    // Clearing the lowest bit four times is cheaper than counting them without a popcount instruction.
    var rest = self & (self &- 1)
    rest &= rest &- 1
    rest &= rest &- 1
    return rest & (rest &- 1) == 0
  }

  /// The bits whose place passes the test.
  @inline(__always)
  func keepingEach(_ test: (Int) -> Bool) -> UInt64 {
    var bits = self
    var kept: UInt64 = 0
    while bits != 0 {
      let place = bits.trailingZeroBitCount
      if test(place) { kept |= 1 << UInt64(place) }
      bits &= bits &- 1
    }
    return kept
  }
}
