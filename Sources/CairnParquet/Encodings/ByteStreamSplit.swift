/// Values of a fixed size whose first bytes come first, then all second bytes: BYTE_STREAM_SPLIT.
enum ByteStreamSplit {
  /// Decodes the first `count` values.
  ///
  /// - Parameter width: The size of a value in bytes, 1 to 64.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, count: Int, width: Int, into target: UnsafeMutableRawPointer
  ) throws(ParquetError) {
    guard width >= 1, width <= 64 else {
      throw ParquetError("values of \(width) bytes are not supported in BYTE_STREAM_SPLIT")
    }
    guard bytes.count % width == 0 else {
      throw ParquetError("\(bytes.count) bytes are not a multiple of the \(width) bytes of a value")
    }
    let stride = bytes.count / width
    guard count >= 0, count <= stride else { throw .truncated }
    guard count > 0, let base = bytes.baseAddress else { return }
    switch width {
    case 4: join4(base, stride, count, into: target)
    case 8: join8(base, stride, count, into: target)
    default:
      for byte in 0..<width {
        let (stream, column) = (base + byte * stride, target + byte)
        for index in 0..<count {
          column.storeBytes(
            of: stream.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index * width,
            as: UInt8.self)
        }
      }
    }
  }

  private static func join4(
    _ base: UnsafeRawPointer, _ stride: Int, _ count: Int, into target: UnsafeMutableRawPointer
  ) {
    let (first, second) = (base, base + stride)
    let (third, fourth) = (base + 2 * stride, base + 3 * stride)
    for index in 0..<count {
      let low = byte(first, index) | byte(second, index) << 8
      let high = byte(third, index) | byte(fourth, index) << 8
      target.storeBytes(
        of: (low | high << 16).littleEndian, toByteOffset: index * 4, as: UInt32.self)
    }
  }

  private static func join8(
    _ base: UnsafeRawPointer, _ stride: Int, _ count: Int, into target: UnsafeMutableRawPointer
  ) {
    let upper = base + 4 * stride
    for index in 0..<count {
      let low = word(base, stride, index)
      let high = word(upper, stride, index)
      target.storeBytes(
        of: (UInt64(low) | UInt64(high) << 32).littleEndian, toByteOffset: index * 8,
        as: UInt64.self)
    }
  }

  /// Joins the bytes of four streams.
  @inline(__always)
  private static func word(_ base: UnsafeRawPointer, _ stride: Int, _ index: Int) -> UInt32 {
    byte(base, index) | byte(base + stride, index) << 8 | byte(base + 2 * stride, index) << 16
      | byte(base + 3 * stride, index) << 24
  }

  @inline(__always)
  private static func byte(_ stream: UnsafeRawPointer, _ index: Int) -> UInt32 {
    UInt32(stream.load(fromByteOffset: index, as: UInt8.self))
  }
}
