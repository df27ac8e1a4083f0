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
    case UInt8(ascii: "$"): return try readDollar()
    case UInt8(ascii: "#"): if let name = readEscapedName() { return name }
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumberOrDate()
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      if let number = try readSigned() { return number }
    default:
      if let name = readName() { return name }
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
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
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

  mutating func readName() -> Token.Kind? {
    guard let (first, length) = scalar(), PropertyName.startsName(first) else { return nil }
    let start = place
    place += length
    while let (scalar, length) = scalar(), PropertyName.continuesName(scalar) { place += length }
    let bytes = text[start..<place]
    return .name(String(decoding: bytes, as: UTF8.self), Keyword(bytes: bytes))
  }

  /// `#in`: how Apple's predicates write a property whose name is a word of the language.
  private mutating func readEscapedName() -> Token.Kind? {
    let start = place
    place += 1
    if case .name(let name, _) = readName() { return .quotedName(name) }
    place = start
    return nil
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

  private mutating func readSign() -> Token.Sign? {
    guard let byte = peek() else { return nil }
    let pair = peek(1).flatMap { Lexer.pair(byte, $0) }
    let sign = pair ?? Lexer.single(byte)
    if sign != nil { place += pair == nil ? 1 : 2 }
    return sign
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Token.Sign? {
    switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
    case ("=", "="): .equal
    case ("!", "="), ("<", ">"): .notEqual
    case ("<", "="), ("=", "<"): .lessOrEqual
    case (">", "="), ("=", ">"): .greaterOrEqual
    case ("&", "&"): .and
    case ("|", "|"): .or
    default: nil
    }
  }

  private static func single(_ byte: UInt8) -> Token.Sign? {
    switch Unicode.Scalar(byte) {
    case "=": .equal
    case "<": .less
    case ">": .greater
    case "!": .not
    case "(": .open
    case ")": .close
    case "{": .openBrace
    case "}": .closeBrace
    case "[": .openBracket
    case "]": .closeBracket
    case ",": .comma
    case ":": .colon
    case ".": .dot
    case "@": .at
    case "+": .plus
    case "-": .minus
    case "*": .times
    case "/": .over
    default: nil
    }
  }
}
