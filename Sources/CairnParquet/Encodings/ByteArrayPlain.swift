/// Byte arrays behind their lengths of 4 bytes: PLAIN.
enum ByteArrayPlain {
  /// Finds `count` values, as slices of `bytes`, and returns the number of bytes that they take.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, count: Int, into target: UnsafeMutablePointer<ByteSlice>
  ) throws(ParquetError) -> Int {
    guard bytes.count <= Int(UInt32.max) else { throw .tooLarge(bytes.count) }
    var offset = 0
    for index in 0..<count {
      guard bytes.count - offset >= 4 else { throw .truncated }
      let size = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset += 4
      guard Int(size) <= bytes.count - offset else { throw .truncated }
      target[index] = ByteSlice(start: UInt32(offset), count: size)
      offset += Int(size)
    }
    return offset
  }
}

extension ParquetError {
  /// The fault of values whose offsets have more than 32 bits.
  static func tooLarge(_ size: Int) -> ParquetError {
    ParquetError("a page of \(size) bytes is not supported")
  }
}
