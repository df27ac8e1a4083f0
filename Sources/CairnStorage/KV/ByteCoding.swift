import CairnValues

/// Encodes small records: fixed-width integers in little-endian order, texts after their length.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ text: String) {
    let utf8 = Array(text.utf8)
    write(UInt32(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Writes a number that is not negative, and usually small, as a varint: seven bits a byte, the
  /// lowest bits first. A set upper bit means that more bytes follow.
  mutating func write(short number: Int) {
    var rest = UInt64(number)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Decodes the output of `ByteWriter`, from bytes that outlive the reader. Every read past the end
/// throws an error.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private let what: String

  init(_ bytes: UnsafeRawBufferPointer, what: String) {
    self.bytes = bytes
    self.what = what
  }

  mutating func read<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self)
    throws(StoreError) -> T
  {
    let start = try advance(MemoryLayout<T>.size)
    return T(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: T.self))
  }

  mutating func readInt() throws(StoreError) -> Int { Int(try read(Int64.self)) }

  /// Reads a count or an index of up to 2^48, so that the sum of a few cannot overflow.
  mutating func readCount() throws(StoreError) -> Int {
    let number = try readInt()
    guard 0...1 << 48 ~= number else { throw nonsense() }
    return number
  }

  /// Reads a varint written by `write(short:)`, up to 2^48.
  mutating func readShort() throws(StoreError) -> Int {
    var number = 0
    for shift in stride(from: 0, to: 49, by: 7) {
      let byte = try read(UInt8.self)
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 {
        guard number <= 1 << 48 else { break }
        return number
      }
    }
    throw nonsense()
  }

  mutating func readBool() throws(StoreError) -> Bool { try read(UInt8.self) != 0 }

  mutating func readString() throws(StoreError) -> String {
    let length = Int(try read(UInt32.self))
    let start = try advance(length)
    return String(decoding: bytes[start..<start + length], as: UTF8.self)
  }

  mutating func readDouble() throws(StoreError) -> Double {
    Double(bitPattern: try read(UInt64.self))
  }

  mutating func readBytes(_ count: Int) throws(StoreError) -> [UInt8] {
    let start = try advance(count)
    return Array(bytes[start..<start + count])
  }

  /// Whether every byte was read.
  var isAtEnd: Bool { offset == bytes.count }

  /// The bytes that were not read.
  func rest() -> [UInt8] { Array(bytes[offset...]) }

  private mutating func advance(_ count: Int) throws(StoreError) -> Int {
    guard count >= 0, offset + count <= bytes.count else {
      throw StoreError(
        .damaged, message: "the store is damaged: \(what) is truncated; restore it from a copy")
    }
    defer { offset += count }
    return offset
  }

  /// The error for a value that no version of Cairn writes.
  func nonsense() -> StoreError {
    StoreError(
      .damaged, message: "the store is damaged: \(what) is invalid; restore it from a copy")
  }
}
