/// A JSON value that was read, with its offset in the UTF-8 bytes of the text.
struct ParsedJSON: Sendable {
  /// The kinds of values.
  indirect enum Content: Sendable {
    case null
    case bool(Bool)
    /// A number as it was written.
    case number(String)
    case string(String)
    case array([ParsedJSON])
    case object([(name: String, value: ParsedJSON)])
  }

  /// The value.
  let content: Content
  /// The offset of its first byte.
  let offset: Int
  /// The offset behind its last byte.
  let end: Int

  /// The member of an object; nil if the object lacks it.
  subscript(name: String) -> ParsedJSON? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string; nil for other values.
  var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The elements of an array; nil for other values.
  var elements: [ParsedJSON]? {
    if case .array(let elements) = content { elements } else { nil }
  }
}

/// Reads small JSON texts, such as filters, into values.
struct JSONReader {
  /// A syntax error with its offset.
  struct SyntaxError: Error {
    let message: String
    let offset: Int
  }

  private let bytes: [UInt8]
  private let maxDepth: Int
  private var offset = 0

  /// Reads a text.
  ///
  /// - Parameter maxDepth: The greatest number of nested arrays and objects.
  static func read(_ text: String, maxDepth: Int = 64) throws(SyntaxError) -> ParsedJSON {
    var reader = JSONReader(text, maxDepth: maxDepth)
    let value = try reader.value(depth: 0)
    guard reader.peek() == nil else { throw reader.error("expected the end") }
    return value
  }

  private init(_ text: String, maxDepth: Int) {
    bytes = Array(text.utf8)
    self.maxDepth = maxDepth
  }

  private func error(_ message: String) -> SyntaxError {
    SyntaxError(message: message, offset: offset)
  }

  private mutating func peek() -> UInt8? {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    return offset < bytes.count ? bytes[offset] : nil
  }

  private mutating func take(_ byte: Character) -> Bool {
    guard let next = peek(), next == byte.asciiValue else { return false }
    offset += 1
    return true
  }

  private mutating func value(depth: Int) throws(SyntaxError) -> ParsedJSON {
    guard depth < maxDepth else {
      throw error("nested more than \(maxDepth) levels deep")
    }
    guard let next = peek() else { throw error("expected a value, found the end") }
    let start = offset
    let content: ParsedJSON.Content =
      switch next {
      case UInt8(ascii: "{"): try object(depth: depth)
      case UInt8(ascii: "["): try array(depth: depth)
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "t"): try word("true", .bool(true))
      case UInt8(ascii: "f"): try word("false", .bool(false))
      case UInt8(ascii: "n"): try word("null", .null)
      default: .number(try number())
      }
    return ParsedJSON(content: content, offset: start, end: offset)
  }

  private mutating func object(depth: Int) throws(SyntaxError) -> ParsedJSON.Content {
    _ = take("{")
    var members: [(name: String, value: ParsedJSON)] = []
    guard !take("}") else { return .object([]) }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw error("expected the name of a member") }
      let name = try string()
      guard take(":") else { throw error("expected ':'") }
      members.append((name, try value(depth: depth + 1)))
    } while take(",")
    guard take("}") else { throw error("expected ',' or '}'") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(SyntaxError) -> ParsedJSON.Content {
    _ = take("[")
    var elements: [ParsedJSON] = []
    guard !take("]") else { return .array([]) }
    repeat { elements.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw error("expected ',' or ']'") }
    return .array(elements)
  }

  private mutating func word(
    _ word: String, _ content: ParsedJSON.Content
  ) throws(SyntaxError) -> ParsedJSON.Content {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("expected a value") }
    offset += word.utf8.count
    return content
  }

  private mutating func number() throws(SyntaxError) -> String {
    let start = offset
    while offset < bytes.count, Self.isNumberPart(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.drop { $0 == "-" }
    guard let first = digits.first, first.isNumber, Double(text)?.isFinite == true else {
      offset = start
      throw error("expected a value")
    }
    return text
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
  }

  private mutating func string() throws(SyntaxError) -> String {
    let start = offset
    offset += 1
    var text: [UInt8] = []
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      guard bytes[offset] >= 0x20 else { throw error("a control character in a string") }
      if bytes[offset] == UInt8(ascii: "\\") {
        text += Array(try escape().utf8)
      } else {
        text.append(bytes[offset])
        offset += 1
      }
    }
    guard offset < bytes.count else {
      offset = start
      throw error("unterminated string")
    }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape() throws(SyntaxError) -> String {
    offset += 1
    guard offset < bytes.count else { throw error("unterminated string") }
    let byte = bytes[offset]
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return String(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): return String(try codePoint())
    default: throw error("unknown escape")
    }
  }

  /// Reads the digits of one `\u` escape, or of two that are a surrogate pair.
  private mutating func codePoint() throws(SyntaxError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), bytes[offset...].starts(with: "\\u".utf8) else {
      throw error("half of a surrogate pair")
    }
    offset += 2
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(SyntaxError) -> UInt32 {
    let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
      let unit = UInt32(digits, radix: 16)
    else { throw error("expected four hexadecimal digits") }
    offset += 4
    return unit
  }
}
