extension [UInt8] {
  /// Appends an unsigned number of 7 bits a byte (ULEB128).
  mutating func appendVarint(_ number: UInt64) {
    var left = number
    while left >= 0x80 {
      append(UInt8(truncatingIfNeeded: left) | 0x80)
      left >>= 7
    }
    append(UInt8(left))
  }

  /// Appends a signed number of 7 bits a byte, in zigzag order.
  mutating func appendZigzag(_ number: Int64) {
    appendVarint(UInt64(bitPattern: number << 1 ^ number >> 63))
  }
}
