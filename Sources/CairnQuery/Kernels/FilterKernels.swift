import CairnStorage

/// A range of a chunk's codes: the kernel behind every comparison of integers, decimals and single
/// dictionary entries. Codes wrap around, so the range can wrap as well.
struct CodeRange: Equatable {
  var low: UInt64
  /// The distance from `low` to the last matching code.
  var span: UInt64

  /// Keeps the selected rows whose code is in the range, or outside it if `inverted`.
  func refine(
    _ selection: inout Selection, chunk: Chunk, inverted: Bool, nulls: NullRule,
    scratch: ScratchBuffers
  ) {
    assert(selection.isWithin(chunk), "a row is outside of the chunk")
    let bytes = scratch.bytes
    let codes = chunk.codes
    switch chunk.width {
    case 0:
      let all: UInt64 = contains(0) != inverted ? ~0 : 0
      selection.keep(nulls) { _, _ in all }
    case 1:
      refine(
        &selection, codes: codes.assumingMemoryBound(to: UInt8.self), inverted: inverted,
        nulls: nulls, bytes: bytes)
    case 2:
      refine(
        &selection, codes: codes.assumingMemoryBound(to: UInt16.self), inverted: inverted,
        nulls: nulls, bytes: bytes)
    case 4:
      refine(
        &selection, codes: codes.assumingMemoryBound(to: UInt32.self), inverted: inverted,
        nulls: nulls, bytes: bytes)
    default:
      refine(
        &selection, codes: codes.assumingMemoryBound(to: UInt64.self), inverted: inverted,
        nulls: nulls, bytes: bytes)
    }
  }

  /// Whether a code is in the range.
  func contains(_ code: UInt64) -> Bool { code &- low <= span }

  @inline(__always)
  private func refine<Code: FixedWidthInteger & UnsignedInteger>(
    _ selection: inout Selection, codes: UnsafePointer<Code>, inverted: Bool,
    nulls: NullRule, bytes: UnsafeMutablePointer<UInt8>
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
  /// Whether the bits are so few that testing them one by one is faster than testing 64 rows at
  /// once.
  @inline(__always)
  var isSparse: Bool {
    // Clearing the lowest bit four times is cheaper than counting bits without a popcount
    // instruction.
    var rest = self & (self &- 1)
    rest &= rest &- 1
    rest &= rest &- 1
    return rest & (rest &- 1) == 0
  }

  /// The set bits whose index passes the test.
  @inline(__always)
  func keepingEach(_ test: (Int) -> Bool) -> UInt64 {
    var bits = self
    var kept: UInt64 = 0
    while bits != 0 {
      let index = bits.trailingZeroBitCount
      if test(index) { kept |= 1 << UInt64(index) }
      bits &= bits &- 1
    }
    return kept
  }
}

/// A closed range of floating-point values. It never contains NaN.
struct FloatRange<Number: BinaryFloatingPoint & Sendable>: Equatable, Sendable {
  var low: Number
  var high: Number

  /// Keeps the selected rows whose value is in the range, or outside it if `inverted`.
  @inline(__always)
  func refine(
    _ selection: inout Selection, values: UnsafePointer<Number>, inverted: Bool,
    nulls: NullRule, scratch: ScratchBuffers
  ) {
    let bytes = scratch.bytes
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

extension Selection {
  /// Keeps the selected rows whose code is marked 1 in the table.
  mutating func keep(
    _ chunk: Chunk, markedIn table: UnsafePointer<UInt8>, nulls: NullRule, scratch: ScratchBuffers
  ) {
    assert(isWithin(chunk), "a row is outside of the chunk")
    let bytes = scratch.bytes
    switch chunk.width {
    case 0:
      let all: UInt64 = table[0] != 0 ? ~0 : 0
      keep(nulls) { _, _ in all }
    case 1:
      keep(
        chunk.codes.assumingMemoryBound(to: UInt8.self), table: table, nulls: nulls, bytes: bytes)
    case 2:
      keep(
        chunk.codes.assumingMemoryBound(to: UInt16.self), table: table, nulls: nulls, bytes: bytes)
    default:
      keep(
        chunk.codes.assumingMemoryBound(to: UInt32.self), table: table, nulls: nulls, bytes: bytes)
    }
  }

  @inline(__always)
  private mutating func keep<Code: FixedWidthInteger & UnsignedInteger>(
    _ codes: UnsafePointer<Code>, table: UnsafePointer<UInt8>,
    nulls: NullRule, bytes: UnsafeMutablePointer<UInt8>
  ) {
    keep(nulls) { word, selected in
      let rows = codes + word << 6
      assert(
        (0..<64).allSatisfy { Int(rows[$0]) < ChunkShape.rows }, "a code is outside of the table")
      if selected.isSparse { return selected.keepingEach { table[Int(rows[$0])] != 0 } }
      for row in 0..<64 { bytes[row] = table[Int(rows[row])] }
      return packed(bytes)
    }
  }
}
