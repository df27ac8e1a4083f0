/// Whether bytes are well-formed UTF-8 (no surrogates, no overlong forms).
enum UTF8Check {
  /// The first byte that does not belong; nil when all do.
  static func firstError(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while true {
      index = skipASCII(bytes, index, range.upperBound)
      guard index < range.upperBound else { return nil }
      let length = sequenceLength(bytes, index, range.upperBound)
      if length == 0 { return index }
      index += length
    }
  }

  @inline(__always)
  private static func skipASCII(_ bytes: UnsafePointer<UInt8>, _ from: Int, _ end: Int) -> Int {
    var index = from
    while index &+ 32 <= end {
      let wide = UnsafeRawPointer(bytes + index).loadUnaligned(as: SIMD4<UInt64>.self)
      if (wide[0] | wide[1] | wide[2] | wide[3]) & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 32
    }
    while index < end, bytes[index] < 0x80 { index &+= 1 }
    return index
  }

  /// Bytes of the sequence that begins with a byte beyond ASCII; 0 when it is malformed.
  private static func sequenceLength(
    _ bytes: UnsafePointer<UInt8>, _ index: Int, _ end: Int
  ) -> Int {
    let lead = bytes[index]
    let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
    guard length > 0, index + length <= end else { return 0 }
    let second = bytes[index + 1]
    let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let most: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= least, second <= most else { return 0 }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
