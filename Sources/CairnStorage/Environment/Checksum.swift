/// XXH64, the 64-bit checksum of every chunk.
///
/// Source: Yann Collet, xxHash specification 0.1.1, section "XXH64".
enum Checksum {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// The checksum of `bytes`, with seed 0.
  static func xxh64(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return avalanche(prime5) }
    var offset = 0
    var hash = prime5
    if bytes.count >= 32 {
      var lanes = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
      while offset + 32 <= bytes.count {
        lanes.0 = round(lanes.0, load64(base, offset))
        lanes.1 = round(lanes.1, load64(base, offset + 8))
        lanes.2 = round(lanes.2, load64(base, offset + 16))
        lanes.3 = round(lanes.3, load64(base, offset + 24))
        offset += 32
      }
      hash = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
      for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
        hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
      }
    }
    return avalanche(tail(hash &+ UInt64(bytes.count), base, offset, bytes.count))
  }

  private static func tail(
    _ start: UInt64, _ base: UnsafeRawPointer, _ from: Int, _ end: Int
  ) -> UInt64 {
    var hash = start
    var offset = from
    while offset + 8 <= end {
      hash = rotate(hash ^ round(0, load64(base, offset)), 27) &* prime1 &+ prime4
      offset += 8
    }
    if offset + 4 <= end {
      let word = UInt64(
        UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      hash = rotate(hash ^ (word &* prime1), 23) &* prime2 &+ prime3
      offset += 4
    }
    while offset < end {
      let byte = UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
      hash = rotate(hash ^ (byte &* prime5), 11) &* prime1
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
  private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    rotate(lane &+ input &* prime2, 31) &* prime1
  }

  @inline(__always)
  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }

  @inline(__always)
  private static func load64(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
