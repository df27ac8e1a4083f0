/// Levels of the deprecated encoding BIT_PACKED, from the most significant bit on.
enum BitPackedLevels {
  /// Decodes `count` levels and returns the number of bytes that they take.
  ///
  /// - Parameter bitWidth: The number of bits of a level, at most 8.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, count: Int, bitWidth: Int,
    into target: UnsafeMutablePointer<UInt8>
  ) throws(ParquetError) -> Int {
    guard bitWidth >= 0, bitWidth <= 8 else {
      throw ParquetError("levels of \(bitWidth) bits are not possible; the most is 8")
    }
    let (bits, overflows) = count.multipliedReportingOverflow(by: bitWidth)
    let size = bits / 8 + (bits % 8 > 0 ? 1 : 0)
    guard count >= 0, !overflows, size <= bytes.count else { throw .truncated }
    let mask = UInt16(1) << UInt16(bitWidth) - 1
    for index in 0..<count where bitWidth > 0 {
      let bit = index * bitWidth
      let high = UInt16(bytes[bit >> 3]) << 8
      let low = bit >> 3 + 1 < size ? UInt16(bytes[bit >> 3 + 1]) : 0
      let shift = UInt16(16 - bitWidth - bit & 7)
      target[index] = UInt8(truncatingIfNeeded: (high | low) >> shift & mask)
    }
    if bitWidth == 0 { target.update(repeating: 0, count: count) }
    return size
  }
}
