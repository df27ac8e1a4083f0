/// Bytes written as pairs of hexadecimal digits.
enum Hexadecimal {
  static let digits = Array("0123456789abcdef".utf8)

  /// The value of a digit of either case.
  static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Appends the lowest `count` bytes of `word`, the highest of them first.
  static func append(_ word: UInt64, bytes count: Int, to text: inout String) {
    for shift in stride(from: count * 8 - 4, through: 0, by: -4) {
      text.unicodeScalars.append(Unicode.Scalar(digits[Int(word >> UInt64(shift) & 15)]))
    }
  }
}
