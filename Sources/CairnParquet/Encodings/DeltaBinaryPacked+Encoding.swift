import CairnSystem

extension DeltaBinaryPacked {
  /// The number of values of a block.
  private static let blockSize = 128
  /// The number of miniblocks of a block.
  private static let miniblocks = 4

  /// Appends numbers. Those of 32 bits have differences of at most 32 bits, as readers expect.
  static func append<Number: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, to output: inout [UInt8]
  ) where Number.Magnitude: BitwiseCopyable {
    output.appendVarint(UInt64(blockSize))
    output.appendVarint(UInt64(miniblocks))
    output.appendVarint(UInt64(values.count))
    output.appendZigzag(Int64(values.first ?? 0))
    withUnsafeTemporaryAllocation(of: Number.Magnitude.self, capacity: blockSize) { differences in
      for start in stride(from: 1, to: values.count, by: blockSize) {
        let count = min(blockSize, values.count - start)
        let least = subtract(values, start..<start + count, into: differences)
        output.appendZigzag(Int64(least))
        appendBlock(
          UnsafeBufferPointer(differences), used: (count + group - 1) / group, to: &output)
      }
    }
  }

  /// Writes the differences from the least one, and zeros behind them. Returns the least.
  private static func subtract<Number: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, _ range: Range<Int>,
    into differences: UnsafeMutableBufferPointer<Number.Magnitude>
  ) -> Number {
    var least = Number.max
    for index in range { least = min(least, values[index] &- values[index - 1]) }
    differences.initialize(repeating: 0)
    for index in range {
      differences[index - range.lowerBound] = Number.Magnitude(
        truncatingIfNeeded: values[index] &- values[index - 1] &- least)
    }
    return least
  }

  /// Appends the widths and the packed differences of a block. Miniblocks behind those in use have the
  /// width 0.
  private static func appendBlock<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ differences: UnsafeBufferPointer<Number>, used: Int, to output: inout [UInt8]
  ) {
    let widths = output.count
    output.appendZeros(miniblocks)
    for index in 0..<used {
      let part = UnsafeBufferPointer(rebasing: differences[index * group..<(index + 1) * group])
      let width = Number.bitWidth - part.reduce(0, |).leadingZeroBitCount
      output[widths + index] = UInt8(width)
      let start = output.count
      output.appendZeros(group / 8 * width)
      output.withUnsafeMutableBytes { bytes in
        guard width > 0, let base = bytes.baseAddress else { return }
        _ = BitPacking.pack(part, width: width, to: base + start)
      }
    }
  }
}
