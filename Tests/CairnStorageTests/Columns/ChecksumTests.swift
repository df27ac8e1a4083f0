import CairnTestSupport
import Testing

@testable import CairnStorage

@Suite(.tags(.untrusted)) struct ChecksumTests {
  @Test(arguments: [
    ("", 0xEF46_DB37_51D8_E999 as UInt64),
    ("a", 0xD24E_C4F1_A98C_6E5B),
    ("abc", 0x44BC_2CF5_AD77_0999),
    ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
  ])
  func publishedVectors(text: String, expected: UInt64) {
    #expect(checksum(Array(text.utf8)) == expected)
    #expect(plainXXH64(Array(text.utf8)) == expected)
  }

  @Test func everyLengthAgreesWithTheReference() {
    var random = SplitMix64(seed: 11)
    let bytes = (0..<300).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for length in 0...300 {
      #expect(checksum(Array(bytes[..<length])) == plainXXH64(Array(bytes[..<length])))
    }
  }

  @Test func alignmentDoesNotMatter() {
    let bytes = (0..<80).map { UInt8($0) }
    let expected = checksum(Array(bytes[3...]))
    let shifted = bytes.withUnsafeBytes {
      Checksum.xxh64(UnsafeRawBufferPointer(rebasing: $0[3...]))
    }
    #expect(shifted == expected)
  }

  private func checksum(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { Checksum.xxh64($0) }
  }
}

/// XXH64 with seed 0, transcribed from the specification, byte by byte.
private func plainXXH64(_ bytes: [UInt8]) -> UInt64 {
  let primes: [UInt64] = [
    0, 11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 1_609_587_929_392_839_161,
    9_650_029_242_287_828_579, 2_870_177_450_012_600_261,
  ]
  func left(_ value: UInt64, _ bits: UInt64) -> UInt64 { (value << bits) | (value >> (64 - bits)) }
  func word(_ at: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
  }
  func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
    left(lane &+ input &* primes[2], 31) &* primes[1]
  }
  var at = 0
  var hash = primes[5]
  if bytes.count >= 32 {
    var lanes = [primes[1] &+ primes[2], primes[2], 0, 0 &- primes[1]]
    while bytes.count - at >= 32 {
      for lane in 0..<4 { lanes[lane] = round(lanes[lane], word(at + lane * 8, 8)) }
      at += 32
    }
    hash = zip(lanes, [1, 7, 12, 18] as [UInt64]).reduce(0) { $0 &+ left($1.0, $1.1) }
    for lane in lanes { hash = (hash ^ round(0, lane)) &* primes[1] &+ primes[4] }
  }
  hash &+= UInt64(bytes.count)
  while bytes.count - at >= 8 {
    hash = left(hash ^ round(0, word(at, 8)), 27) &* primes[1] &+ primes[4]
    at += 8
  }
  if bytes.count - at >= 4 {
    hash = left(hash ^ word(at, 4) &* primes[1], 23) &* primes[2] &+ primes[3]
    at += 4
  }
  while at < bytes.count {
    hash = left(hash ^ word(at, 1) &* primes[5], 11) &* primes[1]
    at += 1
  }
  hash = (hash ^ hash >> 33) &* primes[2]
  hash = (hash ^ hash >> 29) &* primes[3]
  return hash ^ hash >> 32
}
