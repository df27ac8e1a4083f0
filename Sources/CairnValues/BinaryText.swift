/// The notation of bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  static let digits = Array("0123456789abcdef".utf8)

  /// The value of a digit in either case.
  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Appends the lowest `count` bytes of `word`, the highest byte first.
  static func append(_ word: UInt64, bytes count: Int, to text: inout String) {
    for shift in stride(from: count * 8 - 4, through: 0, by: -4) {
      text.unicodeScalars.append(Unicode.Scalar(digits[Int(word >> UInt64(shift) & 15)]))
    }
  }
}

/// The Base64 encoding of RFC 4648.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes as text.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
      for index in 0..<4 {
        text.append(
          index <= group.count ? digits[word >> (18 - index * 6) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text; returns nil if it is not Base64 with its padding.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2 else { return nil }
    var bytes: [UInt8] = []
    var word = 0
    for (index, character) in characters.dropLast(padding).enumerated() {
      guard let digit = digits.firstIndex(of: character) else { return nil }
      word = word << 6 | digit
      if index % 4 != 0 {
        bytes.append(UInt8(truncatingIfNeeded: word >> (6 - index % 4 * 2)))
      }
    }
    return bytes
  }
}
