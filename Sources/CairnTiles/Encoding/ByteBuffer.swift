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
  func removeAll(from index: Int = 0) { count = index }

  /// Makes room for more bytes.
  @inline(__always)
  private func reserve(_ more: Int) {
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

/// Distinct byte strings, numbered in the order of their first occurrence.
struct DistinctBytes {
  /// The strings, one after the other.
  private let arena = ByteBuffer()
  private var ends: [Int] = [0]
  private var hashes: [UInt64] = []
  private var slots: [UInt32] = Array(repeating: 0, count: 64)

  /// The number of strings.
  var count: Int { hashes.count }

  /// A string; valid until the next change.
  subscript(number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: arena.contents[ends[number]..<ends[number + 1]])
  }

  /// The number of a string. A new string gets the next number.
  mutating func number(of bytes: UnsafeRawBufferPointer) -> Int {
    let hash = Self.hash(bytes)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, self[number].elementsEqual(bytes) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    arena.append(bytes)
    ends.append(arena.count)
    hashes.append(hash)
    slots[slot] = UInt32(hashes.count)
    if hashes.count * 2 > slots.count { grow() }
    return hashes.count - 1
  }

  /// Removes all strings.
  mutating func removeAll() {
    arena.removeAll()
    ends.removeAll(keepingCapacity: true)
    ends.append(0)
    hashes.removeAll(keepingCapacity: true)
    for slot in slots.indices { slots[slot] = 0 }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// FNV-1a over words, with its bits spread at the end.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      state = mixed(state ^ word)
      index += 8
    }
    while index < bytes.count {
      state = (state ^ UInt64(bytes[index])) &* 0x100_0000_01B3
      index += 1
    }
    return mixed(state)
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    let (high, low) = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }
}
