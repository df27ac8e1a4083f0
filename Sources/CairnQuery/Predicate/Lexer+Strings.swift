extension Lexer {
  /// A text in single or double quotes, its escapes resolved.
  mutating func readString() throws(PredicateError) -> String {
    let start = place
    let quote = text[place]
    advance()
    var bytes: [UInt8] = []
    while let byte = peek() {
      if byte == quote {
        advance()
        return String(decoding: bytes, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        bytes += try readEscape()
      } else {
        bytes.append(byte)
        advance()
      }
    }
    throw error("The quote is never closed", at: start)
  }

  private mutating func readEscape() throws(PredicateError) -> [UInt8] {
    guard let byte = peek(1) else { throw error("The quote is never closed") }
    let plain: UInt8? =
      switch byte {
      case UInt8(ascii: "n"): UInt8(ascii: "\n")
      case UInt8(ascii: "t"): UInt8(ascii: "\t")
      case UInt8(ascii: "r"): UInt8(ascii: "\r")
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "`"): byte
      default: nil
      }
    if let plain {
      advance(2)
      return [plain]
    }
    guard byte == UInt8(ascii: "u") else {
      throw error(
        "This escape means nothing; there are \\' \\\" \\\\ \\n \\t \\r and \\uXXXX, "
          + "and a backslash is written twice"
      )
    }
    return Array(String(try readCodePoint()).utf8)
  }

  /// `\uXXXX`, or two of them for a code point beyond U+FFFF.
  private mutating func readCodePoint() throws(PredicateError) -> Character {
    let start = place
    let first = try readUnit(at: start)
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    if first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      let second = try readUnit(at: start)
      let value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
      if 0xDC00..<0xE000 ~= second, let scalar = Unicode.Scalar(value) { return Character(scalar) }
    }
    throw error("Half a surrogate pair is no code point", at: start)
  }

  private mutating func readUnit(at start: Int) throws(PredicateError) -> UInt16 {
    let digits = text[min(place + 2, text.count)...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("\\u takes four hexadecimal digits", at: start) }
    advance(6)
    return value
  }
}
