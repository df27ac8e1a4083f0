extension UnsafeRawBufferPointer {
  /// Whether no byte has its highest bit set.
  @inlinable @inline(__always)
  package var isASCII: Bool {
    var index = 0
    var seen: UInt64 = 0
    while index + 8 <= count {
      seen |= loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
    }
    while index < count {
      seen |= UInt64(self[index])
      index += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}
