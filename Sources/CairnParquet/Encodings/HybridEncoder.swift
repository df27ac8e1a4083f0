import CairnSystem

/// A writer of Parquet's hybrid of run lengths and packed bits.
enum HybridEncoder {
  /// Appends indexes of a dictionary, without the length of their bytes.
  ///
  /// - Parameter bitWidth: The number of bits of a value, which every value fits in.
  static func append(
    _ values: UnsafeBufferPointer<UInt32>, bitWidth: Int, to output: inout [UInt8]
  ) {
    appendRuns(values, bitWidth: bitWidth, to: &output)
  }

  /// Appends levels, without the length of their bytes.
  ///
  /// - Parameter bitWidth: The number of bits of a level, which every level fits in.
  static func append(
    _ levels: UnsafeBufferPointer<UInt8>, bitWidth: Int, to output: inout [UInt8]
  ) {
    appendRuns(levels, bitWidth: bitWidth, to: &output)
  }

  /// Values that are equal become a run if they fill a group; groups of 8 others are packed.
  @inline(__always)
  private static func appendRuns<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, bitWidth: Int, to output: inout [UInt8]
  ) {
    assert(bitWidth >= 0 && bitWidth <= Number.bitWidth, "the width is not possible")
    var (packedStart, index) = (0, 0)
    while index < values.count {
      let length = runLength(values, at: index)
      // A packed run ends after a whole group, which the first of the equal values fill.
      let filling = -(index - packedStart) & 7
      if length >= 8 + filling {
        appendPacked(values, packedStart..<index + filling, bitWidth: bitWidth, to: &output)
        let count = length - filling
        output.appendVarint(UInt64(count) << 1)
        let value = UInt64(values[index])
        for byte in 0..<(bitWidth + 7) / 8 {
          output.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)))
        }
        packedStart = index + length
      }
      index += length
    }
    appendPacked(values, packedStart..<values.count, bitWidth: bitWidth, to: &output)
  }

  /// Returns the number of values from an index on that are equal to the one there.
  @inline(__always)
  private static func runLength<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, at start: Int
  ) -> Int {
    let value = values[start]
    var index = start + 1
    let step = 8 / MemoryLayout<Number>.size
    let word = UInt64(value) &* (UInt64.max / UInt64(Number.max))
    let bytes = UnsafeRawBufferPointer(values)
    while values.count - index >= step,
      bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: UInt64.self)
        == word
    { index += step }
    while index < values.count, values[index] == value { index += 1 }
    return index - start
  }

  @inline(__always)
  private static func appendPacked<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, _ range: Range<Int>, bitWidth: Int,
    to output: inout [UInt8]
  ) {
    guard !range.isEmpty else { return }
    let groups = (range.count + 7) / 8
    output.appendVarint(UInt64(groups) << 1 | 1)
    let size = groups * bitWidth
    let start = output.count
    output.appendZeros(size)
    output.withUnsafeMutableBytes { bytes in
      guard size > 0, let base = bytes.baseAddress else { return }
      let packed = BitPacking.pack(
        UnsafeBufferPointer(rebasing: values[range]), width: bitWidth, to: base + start)
      assert(packed <= size, "the values have more bits than their groups")
    }
  }
}
