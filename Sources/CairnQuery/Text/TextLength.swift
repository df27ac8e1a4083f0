/// The number of characters in UTF-8, as Swift counts them: `String.count`.
enum TextLength {
  /// The number of characters. ASCII is counted without a `String`: there, only a carriage return and a line feed make one
  /// character of two bytes.
  static func characters(_ bytes: UnsafeRawBufferPointer) -> Int {
    var isPlain = true
    for byte in bytes where byte >= 0x80 || byte == UInt8(ascii: "\r") {
      isPlain = false
      break
    }
    return isPlain ? bytes.count : String(decoding: bytes, as: UTF8.self).count
  }
}
