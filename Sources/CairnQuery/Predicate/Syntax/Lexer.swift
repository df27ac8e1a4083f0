import CairnValues

/// Splits the text of a predicate or a formula into tokens.
struct Lexer {
  let text: [UInt8]
  /// The byte offset of the next token.
  var position = 0

  /// Whether the next text is a regular expression, whose own escapes are kept.
  private var expectsPattern = false

  /// The word for the whole text in error messages.
  let subject: String

  init(_ text: [UInt8], subject: String) {
    self.text = text
    self.subject = subject
  }

  /// Returns the next token. At the end of the text, every call returns `.end`.
  mutating func next() throws(PredicateError) -> Token {
    skipBlanks()
    let start = position
    let kind = try readKind()
    switch kind {
    case .name(_, let keyword?): expectsPattern = keyword == .matches
    case .name, .sign(.openBracket), .sign(.closeBracket): break
    default: expectsPattern = false
    }
    return Token(kind: kind, range: start..<position)
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
    throw error("\(shownCharacter()) does not belong in a \(subject)")
  }

  // MARK: Moving

  func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < text.count ? text[position + ahead] : nil
  }

  mutating func advance(_ count: Int = 1) { position += count }

  private mutating func skipBlanks() {
    while let byte = peek(), byte <= 0x20 || byte == 0xC2 || byte == 0xE2 || byte == 0xE3 {
      if byte <= 0x20 {
        position += 1
      } else if let (scalar, length) = scalar(), scalar.properties.isWhitespace {
        position += length
      } else {
        return
      }
    }
  }

  /// The code point at the current offset and its length; nil at the end.
  func scalar() -> (Unicode.Scalar, Int)? {
    guard let first = peek() else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let end = min(position + length, text.count)
    let decoded = String(decoding: text[position..<end], as: UTF8.self).unicodeScalars
    return decoded.first.map { ($0, end - position) }
  }

  func error(_ message: String, at offset: Int? = nil) -> PredicateError {
    PredicateError(
      .syntax, message: message + ".", text: String(decoding: text, as: UTF8.self),
      offset: offset ?? position)
  }

  private func shownCharacter() -> String {
    guard let (scalar, _) = scalar() else { return "This" }
    let visible = scalar.value >= 0x20 && scalar.value != 0x7F
    return visible ? "'\(scalar)'" : "The code point U+\(String(scalar.value, radix: 16))"
  }

  // MARK: Names and signs

  mutating func readName() -> Token.Kind? {
    guard let (first, length) = scalar(), PropertyName.startsName(first) else { return nil }
    let start = position
    position += length
    while let (scalar, length) = scalar(), PropertyName.continuesName(scalar) { position += length }
    let bytes = text[start..<position]
    return .name(String(decoding: bytes, as: UTF8.self), Keyword(bytes: bytes))
  }

  /// Reads `#in`, Apple's spelling for a property whose name is a reserved word.
  private mutating func readEscapedName() -> Token.Kind? {
    let start = position
    position += 1
    if case .name(let name, _) = readName() { return .quotedName(name) }
    position = start
    return nil
  }

  private mutating func readQuotedName() throws(PredicateError) -> String {
    let start = position
    position += 1
    var name: [UInt8] = []
    while let byte = peek() {
      position += 1
      if byte == UInt8(ascii: "`") {
        guard peek() == byte else {
          if name.isEmpty { throw error("A name in backquotes is empty", at: start) }
          return String(decoding: name, as: UTF8.self)
        }
        position += 1
      }
      name.append(byte)
    }
    throw error("The backquote is never closed", at: start)
  }

  private mutating func readSign() -> Token.Sign? {
    guard let byte = peek() else { return nil }
    let pair = peek(1).flatMap { Lexer.pair(byte, second: $0) }
    let sign = pair ?? Lexer.single(byte)
    if sign != nil { position += pair == nil ? 1 : 2 }
    return sign
  }

  private static func pair(_ first: UInt8, second: UInt8) -> Token.Sign? {
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

extension Lexer {
  /// The letters that may follow a `%` for a number; they all mean the next argument.
  private static let numberFormats = [
    "lld", "llu", "lli", "ld", "lu", "li", "lf", "qd", "qi", "qu", "hd", "hi", "hu", "d", "i", "u",
    "f", "g", "e", "D", "U", "x", "s",
  ]

  /// Reads `%@`, `%K`, `%d` and the like.
  mutating func readFormat() throws(PredicateError) -> Token.Kind {
    let rest = text[(position + 1)...]
    if rest.first == UInt8(ascii: "@") || rest.first == UInt8(ascii: "K") {
      advance(2)
      return rest.first == UInt8(ascii: "@") ? .nextArgument : .nextProperty
    }
    for format in Lexer.numberFormats where rest.starts(with: format.utf8) {
      let next = rest.dropFirst(format.utf8.count).first
      if let next, next.isLetter { continue }
      advance(1 + format.utf8.count)
      return .nextArgument
    }
    throw error("Expected %@, %K, %d, %i, %f, %ld, %lld or %lf for an argument")
  }

  /// Reads `$0`, or the `$x` of a subquery.
  mutating func readDollar() throws(PredicateError) -> Token.Kind {
    let start = position
    advance()
    let digits = text[position...].prefix { $0 &- UInt8(ascii: "0") < 10 }
    if digits.isEmpty, case .name(let name, _) = readName() { return .variable(name) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else {
      throw error("Expected the number of an argument behind '$', as in $0", at: start)
    }
    advance(digits.count)
    return .argument(number)
  }

  /// Reads the content of the parentheses in `oid(…)`. The lexer is positioned behind the opening
  /// one.
  mutating func readParenthesised() throws(PredicateError) -> (content: String, offset: Int) {
    let start = position
    guard let end = text[position...].firstIndex(of: UInt8(ascii: ")")) else {
      throw error("The parenthesis is never closed", at: max(start - 1, 0))
    }
    position = end + 1
    let blanks = text[start..<end].prefix { $0 == UInt8(ascii: " ") }.count
    var content = text[(start + blanks)..<end]
    while content.last == UInt8(ascii: " ") { content.removeLast() }
    if let quote = content.first, content.count > 1, content.last == quote,
      quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"")
    {
      content = content.dropFirst().dropLast()
    }
    return (String(decoding: content, as: UTF8.self), start + blanks)
  }
}

extension Lexer {
  /// Reads a text in single or double quotes and resolves its escapes.
  mutating func readString() throws(PredicateError) -> String {
    let start = position
    let quote = text[position]
    advance()
    var bytes: [UInt8] = []
    while let byte = peek() {
      if byte == quote {
        advance()
        // Two quotes stand for one, as in SQL: a text never follows another.
        guard peek() == quote else { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(quote)
        advance()
        continue
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
    let isCodePoint =
      byte == UInt8(ascii: "u") && (!expectsPattern || peek(2) != UInt8(ascii: "{"))
    guard isCodePoint else {
      if expectsPattern {
        advance()
        return [UInt8(ascii: "\\")]
      }
      throw error(
        "This escape is unknown; there are \\' \\\" \\\\ \\n \\t \\r and \\uXXXX, "
          + "and a backslash is written twice"
      )
    }
    return Array(String(try readCodePoint()).utf8)
  }

  /// Reads `\uXXXX`, or two of them for a code point beyond U+FFFF.
  private mutating func readCodePoint() throws(PredicateError) -> Character {
    let start = position
    let first = try readUnit(at: start)
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    if first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
      let second = try readUnit(at: start)
      let value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
      if 0xDC00..<0xE000 ~= second, let scalar = Unicode.Scalar(value) { return Character(scalar) }
    }
    throw error("Half a surrogate pair is not a code point", at: start)
  }

  private mutating func readUnit(at start: Int) throws(PredicateError) -> UInt16 {
    let digits = text[min(position + 2, text.count)...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("\\u takes four hexadecimal digits", at: start) }
    advance(6)
    return value
  }
}
