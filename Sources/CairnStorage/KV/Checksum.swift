/// XXH64, the 64-bit checksum of every chunk.
///
/// Source: Yann Collet, xxHash specification 0.1.1, section "XXH64".
package enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of `bytes`, with seed 0.
  package static func xxh64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return avalanche(prime5) }
    var offset = 0
    var hash = prime5
    if bytes.count >= 32 {
      var lanes = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, input: load64(base, at: offset))
        lanes.1 = round(lanes.1, input: load64(base, at: offset + 8))
        lanes.2 = round(lanes.2, input: load64(base, at: offset + 16))
        lanes.3 = round(lanes.3, input: load64(base, at: offset + 24))
        offset += 32
      }
      hash =
        rotate(lanes.0, bits: 1) &+ rotate(lanes.1, bits: 7) &+ rotate(lanes.2, bits: 12)
        &+ rotate(lanes.3, bits: 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ round(0, input: lane)) &* prime1 &+ prime4
      }
    }
    return avalanche(tail(hash &+ UInt64(bytes.count), base: base, from: offset, end: bytes.count))
  }

  /// The checksum of a value that covers its key too, so that a value under another key is noticed.
  static func xxh64(_ bytes: UnsafeRawBufferPointer, under key: StorageKey) -> UInt64 {
    xxh64(bytes) &+ key.withBytes { xxh64($0) }
  }

  /// A checksum with its bits mixed, so that a sum of many does not cancel out.
  static func mixed(_ checksum: UInt64) -> UInt64 { avalanche(checksum) }

  private static func tail(
    _ start: UInt64, base: UnsafeRawPointer, from: Int, end: Int
  ) -> UInt64 {
    assert(from <= end && end - from < 32, "the rest begins elsewhere")
    var hash = start
    var offset = from
    while offset + 8 <= end {
      hash = rotate(hash ^ round(0, input: load64(base, at: offset)), bits: 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= end {
      let word = UInt64(
        UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      hash = rotate(hash ^ (word &* prime1), bits: 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < end {
      let byte = UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
      hash = rotate(hash ^ (byte &* prime5), bits: 11) &* prime1
      offset += 1
    }
    return hash
  }

  private static func avalanche(_ start: UInt64) -> UInt64 {
    var hash = start
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  @inline(__always)
  private static func round(_ lane: UInt64, input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, bits: 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }

  @inline(__always)
  private static func load64(_ base: UnsafeRawPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

/// The checksum trailer of every small record. Chunks carry their own checksum, and arrays that are
/// read in place can be compared with the columns, but nothing else would reveal a changed class
/// name or end key.
enum ChecksumTrailer {
  /// The bytes that follow a record.
  static let size = 8

  /// The record followed by its checksum.
  static func sealed(_ record: UnsafeRawBufferPointer, under key: StorageKey) -> [UInt8] {
    var bytes = Array(record)
    withUnsafeBytes(of: Checksum.xxh64(record, under: key).littleEndian) {
      bytes.append(contentsOf: $0)
    }
    return bytes
  }

  /// The record without its checksum, valid like `stored`; nil if the checksum does not match.
  static func record(
    in stored: UnsafeRawBufferPointer, under key: StorageKey
  ) -> UnsafeRawBufferPointer? {
    guard stored.count >= size else { return nil }
    let end = stored.count - size
    let record = UnsafeRawBufferPointer(rebasing: stored[..<end])
    let found = stored.loadUnaligned(fromByteOffset: end, as: UInt64.self)
    return UInt64(littleEndian: found) == Checksum.xxh64(record, under: key) ? record : nil
  }
}
