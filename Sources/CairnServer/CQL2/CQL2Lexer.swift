import CairnQuery

/// Splits a CQL2 text into tokens.
struct CQL2Lexer {
  /// The kinds of tokens.
  enum Kind: Equatable {
    /// A name or a keyword without quotes.
    case name(String)
    /// A name in double quotes.
    case quotedName(String)
    case string(String)
    case number(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  /// A token and its range in the bytes.
  struct Token {
    let kind: Kind
    let range: Range<Int>
  }

  let text: String
  let bytes: [UInt8]
  private var offset = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  func error(
    _ message: String, at offset: Int, kind: PredicateError.Kind = .syntax
  ) -> PredicateError {
    PredicateError(kind, message: message, text: text, offset: offset)
  }

  /// Reads the next token.
  mutating func next() throws(PredicateError) -> Token {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    let start = offset
    guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
    let kind = try read(bytes[start])
    return Token(kind: kind, range: start..<offset)
  }

  private mutating func read(_ byte: UInt8) throws(PredicateError) -> Kind {
    switch byte {
    case UInt8(ascii: "'"):
      return .string(try quoted(byte, what: "text"))
    case UInt8(ascii: "\""):
      return .quotedName(try quoted(byte, what: "name"))
    case 0x30...0x39: return .number(number())
    case UInt8(ascii: ".") where offset + 1 < bytes.count && Self.isDigit(bytes[offset + 1]):
      return .number(number())
    default: break
    }
    if Self.isNameStart(byte) {
      let start = offset
      while offset < bytes.count, Self.isNamePart(bytes[offset]) { offset += 1 }
      return .name(String(decoding: bytes[start..<offset], as: UTF8.self))
    }
    for symbol in [
      "<>", "<=", ">=", "(", ")", "[", "]", ",", "=", "<", ">", "+", "-", "*", "/",
      "^", "%",
    ] where bytes[offset...].starts(with: symbol.utf8) {
      offset += symbol.utf8.count
      return .symbol(symbol)
    }
    throw error("unexpected character", at: offset)
  }

  /// Reads a text in quotes, in which a doubled quote, or one after a backslash, is a quote.
  private mutating func quoted(_ quote: UInt8, what: String) throws(PredicateError) -> String {
    let start = offset
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.count {
      let byte = bytes[offset]
      let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
      if byte == quote {
        offset += 1
        guard next == quote else { return String(decoding: content, as: UTF8.self) }
      } else if byte == UInt8(ascii: "\\"), next == quote {
        offset += 1
      }
      content.append(bytes[offset])
      offset += 1
    }
    offset = start
    throw error("the \(what) that begins here has no closing quote", at: start)
  }

  private mutating func number() -> String {
    let start = offset
    func isPart(_ index: Int) -> Bool {
      let byte = bytes[index]
      if Self.isDigit(byte) || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
        return true
      }
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      return isSign && bytes[index - 1] | 0x20 == UInt8(ascii: "e")
    }
    while offset < bytes.count, isPart(offset) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: ".")
  }
}
