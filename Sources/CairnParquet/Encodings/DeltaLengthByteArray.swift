/// Byte arrays behind the lengths of all: DELTA_LENGTH_BYTE_ARRAY.
enum DeltaLengthByteArray {
  /// Finds `count` values, as slices of `bytes`, and returns the number of bytes that they take.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, count: Int, into target: UnsafeMutablePointer<ByteSlice>
  ) throws(ParquetError) -> Int {
    guard bytes.count <= Int(UInt32.max) else { throw .tooLarge(bytes.count) }
    let lengths = UnsafeMutablePointer<Int32>.allocate(capacity: max(count, 1))
    defer { lengths.deallocate() }
    var offset = try DeltaBinaryPacked.decode(bytes, count: count, into: lengths)
    for index in 0..<count {
      guard let size = UInt32(exactly: lengths[index]) else { throw .negativeLength }
      guard Int(size) <= bytes.count - offset else { throw .truncated }
      target[index] = ByteSlice(start: UInt32(offset), count: size)
      offset += Int(size)
    }
    return offset
  }
}

extension ParquetError {
  /// The fault of a negative length.
  static var negativeLength: ParquetError { ParquetError("a value has a negative length") }
}
