/// An offset in bytes that are read from front to back. Every read is checked against the end.
struct ByteCursor {
  /// All bytes, those before the offset too.
  let bytes: UnsafeRawBufferPointer
  /// The offset of the next byte.
  private(set) var offset = 0

  /// Creates a cursor before the first byte. The bytes must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of bytes that are left.
  var remaining: Int { bytes.count - offset }

  /// Reads a byte.
  mutating func byte() throws(ParquetError) -> UInt8 {
    guard remaining > 0 else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a number of fixed size, in little-endian order.
  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    as type: Number.Type
  ) throws(ParquetError) -> Number {
    let size = MemoryLayout<Number>.size
    guard remaining >= size else { throw .truncated }
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Reads an unsigned number of 7 bits a byte (ULEB128), which must fit in 64 bits.
  mutating func varint() throws(ParquetError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      let bits = UInt64(next & 0x7F)
      guard shift < 63 || bits <= 1 else { break }
      value |= bits << shift
      if next < 0x80 { return value }
    }
    throw ParquetError("a number has more than 64 bits")
  }

  /// Reads an unsigned number of 7 bits a byte that is at most `limit`.
  mutating func varint(upTo limit: Int) throws(ParquetError) -> Int {
    let value = try varint()
    guard let value = Int(exactly: value), value <= limit else {
      throw ParquetError("the number \(value) is greater than \(limit)")
    }
    return value
  }

  /// Reads a signed number of 7 bits a byte, in zigzag order.
  mutating func zigzag() throws(ParquetError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads `count` bytes.
  mutating func take(_ count: Int) throws(ParquetError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw .truncated }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}

extension ParquetError {
  /// The end of the bytes within a number or a value.
  static var truncated: ParquetError { ParquetError("the data ends too early") }
}
