import CairnValues

/// Cuts a predicate's text into tokens.
struct Lexer {
  let text: [UInt8]
  /// Where the next token begins, in bytes.
  var place = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  /// The next token; `.end` again and again behind the last.
  mutating func next() throws(PredicateError) -> Token {
    skipBlanks()
    let start = place
    let kind = try readKind()
    return Token(kind: kind, range: start..<place)
  }

  private mutating func readKind() throws(PredicateError) -> Token.Kind {
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "`"): return .quotedName(try readQuotedName())
    case UInt8(ascii: "%"): return try readFormat()
    case UInt8(ascii: "$"): return try readArgument()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumberOrDate()
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      if let number = try readSigned() { return number }
    default:
      if let name = readName() { return .name(name) }
    }
    if let sign = readSign() { return .sign(sign) }
    throw error("\(shownCharacter()) does not belong in a predicate")
  }

  // MARK: Moving

  func peek(_ ahead: Int = 0) -> UInt8? {
    place + ahead < text.count ? text[place + ahead] : nil
  }

  mutating func advance(_ count: Int = 1) { place += count }

  private mutating func skipBlanks() {
    while let byte = peek(), byte <= 0x20 || byte == 0xC2 || byte == 0xE2 || byte == 0xE3 {
      if byte <= 0x20 {
        place += 1
      } else if let (scalar, length) = scalar(), scalar.properties.isWhitespace {
        place += length
      } else {
        return
      }
    }
  }

  /// The code point at the place and its length; nil at the end.
  func scalar() -> (Unicode.Scalar, Int)? {
    guard let first = peek() else { return nil }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let end = min(place + length, text.count)
    let decoded = String(decoding: text[place..<end], as: UTF8.self).unicodeScalars
    return decoded.first.map { ($0, end - place) }
  }

  func error(_ message: String, at offset: Int? = nil) -> PredicateError {
    PredicateError(
      .syntax, message + ".", text: String(decoding: text, as: UTF8.self),
      offset: offset ?? place)
  }

  private func shownCharacter() -> String {
    guard let (scalar, _) = scalar() else { return "This" }
    let visible = scalar.value >= 0x20 && scalar.value != 0x7F
    return visible ? "'\(scalar)'" : "The code point U+\(String(scalar.value, radix: 16))"
  }

  // MARK: Names and signs

  private mutating func readName() -> String? {
    guard let (first, length) = scalar(), PropertyName.startsName(first) else { return nil }
    let start = place
    place += length
    while let (scalar, length) = scalar(), PropertyName.continuesName(scalar) { place += length }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private mutating func readQuotedName() throws(PredicateError) -> String {
    let start = place
    place += 1
    var name: [UInt8] = []
    while let byte = peek() {
      place += 1
      if byte == UInt8(ascii: "`") {
        guard peek() == byte else {
          if name.isEmpty { throw error("A name in backquotes is empty", at: start) }
          return String(decoding: name, as: UTF8.self)
        }
        place += 1
      }
      name.append(byte)
    }
    throw error("The backquote is never closed", at: start)
  }

  private static let signs: [(String, Token.Sign)] = [
    ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<=", .lessOrEqual),
    ("=<", .lessOrEqual), (">=", .greaterOrEqual), ("=>", .greaterOrEqual), ("&&", .and),
    ("||", .or), ("=", .equal), ("<", .less), (">", .greater), ("!", .not), ("(", .open),
    (")", .close), ("{", .openBrace), ("}", .closeBrace), ("[", .openBracket),
    ("]", .closeBracket), (",", .comma), (".", .dot), ("@", .at),
  ]

  private mutating func readSign() -> Token.Sign? {
    for (spelling, sign) in Lexer.signs where text[place...].starts(with: spelling.utf8) {
      place += spelling.utf8.count
      return sign
    }
    return nil
  }
}
