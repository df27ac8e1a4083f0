extension BitPacking {
  /// Packs numbers of at most `width` bits, and zeros behind the last one up to a whole byte. Returns the
  /// number of bytes.
  ///
  /// - Parameter target: Memory for as many bytes.
  @inline(__always)
  static func pack<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>, width: Int, to target: UnsafeMutableRawPointer
  ) -> Int {
    assert(width >= 0 && width <= 64, "the width is not possible")
    var (word, filled, size): (UInt64, Int, Int) = (0, 0, 0)
    for value in values {
      let value = UInt64(truncatingIfNeeded: value)
      assert(width == 64 || value >> UInt64(width) == 0, "the value has too many bits")
      word |= value &<< UInt64(filled)
      filled += width
      if filled >= 64 {
        target.storeBytes(of: word.littleEndian, toByteOffset: size, as: UInt64.self)
        size += 8
        filled -= 64
        // All bits went into the word if none are left.
        word = filled == 0 ? 0 : value >> UInt64(width - filled)
      }
    }
    while filled > 0 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: word), toByteOffset: size, as: UInt8.self)
      size += 1
      word >>= 8
      filled -= 8
    }
    return size
  }
}
