/// Bytes that grow, in the terms of protocol buffers.
final class ByteBuffer {
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  /// The number of bytes.
  private(set) var count = 0

  init(capacity: Int = 1 << 12) {
    self.capacity = capacity
    bytes = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { bytes.deallocate() }

  /// The bytes; valid until the next change.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }

  /// Removes the bytes from an index on.
  func removeAll(from index: Int = 0) {
    assert(index >= 0 && index <= count, "the index is outside of the bytes")
    count = index
  }

  /// Makes room for more bytes.
  @inline(__always)
  private func reserve(_ more: Int) {
    assert(more >= 0, "the number of bytes is negative")
    if count + more > capacity { grow(count + more) }
  }

  private func grow(_ needed: Int) {
    while capacity < needed { capacity *= 2 }
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
  }

  /// Appends bytes.
  func append(_ raw: UnsafeRawBufferPointer) {
    guard let base = raw.baseAddress else { return }
    assert(
      base >= bytes + capacity || base + raw.count <= bytes, "a buffer cannot append its own bytes")
    reserve(raw.count)
    (bytes + count).copyMemory(from: base, byteCount: raw.count)
    count += raw.count
  }

  /// Appends a number in groups of seven bits, the lowest first.
  @inline(__always)
  func append(varint value: UInt64) {
    reserve(10)
    var rest = value
    while rest >= 0x80 {
      bytes.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
      count += 1
      rest >>= 7
    }
    bytes.storeBytes(of: UInt8(rest), toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends a signed number, so that a small magnitude takes few bytes.
  @inline(__always)
  func append(zigZag value: Int) {
    append(varint: UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
  }

  /// Appends the bytes of a number, the lowest first.
  func append<T: FixedWidthInteger>(fixed value: T) {
    withUnsafeBytes(of: value.littleEndian) { append($0) }
  }

  /// The kinds of values in protocol buffers.
  enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case bytes = 2
    case fixed32 = 5
  }

  /// Appends the number and the kind of a field.
  func append(field: UInt64, _ type: WireType) { append(varint: field << 3 | type.rawValue) }

  /// Appends a field of bytes.
  func append(field: UInt64, bytes: UnsafeRawBufferPointer) {
    append(field: field, .bytes)
    append(varint: UInt64(bytes.count))
    append(bytes)
  }

  /// Appends a field of text.
  func append(field: UInt64, text: String) {
    var text = text
    text.withUTF8 { append(field: field, bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The number of bytes that a number takes as a varint.
  static func size(ofVarint value: UInt64) -> Int {
    max(1, (64 - value.leadingZeroBitCount + 6) / 7)
  }
}
