/// Walks through JSON text without building anything; for polygons, which may have a million vertices.
struct JSONCursor {
  /// What is wrong with the text, and at which byte.
  struct SyntaxError: Error {
    let message: String
    let offset: Int

    /// The same with where in the polygons it is.
    func with(note: String) -> SyntaxError {
      SyntaxError(message: "\(message) (\(note))", offset: offset)
    }
  }

  private static let deepest = 256

  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The same text from another place on.
  func moved(to offset: Int) -> JSONCursor {
    var cursor = self
    cursor.offset = offset
    return cursor
  }

  func error(_ message: String) -> SyntaxError { SyntaxError(message: message, offset: offset) }

  /// The next byte that is no space; nil at the end.
  mutating func peek() -> UInt8? {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Calls `body` with the text between another cursor and this one.
  func withText<R>(from start: JSONCursor, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start.offset..<offset])) }
  }

  /// Steps over the byte if it is the next.
  mutating func take(_ byte: Character) -> Bool {
    guard let next = peek(), next == byte.asciiValue else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ byte: Character) throws {
    guard take(byte) else { throw error("expected '\(byte)', found \(found)") }
  }

  private var found: String {
    guard offset < bytes.count else { return "the end" }
    let rest = bytes[offset...].prefix(12).prefix {
      $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "]")
    }
    return "'\(String(decoding: rest, as: UTF8.self))'"
  }

  /// Calls `body` at each value of an array.
  mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
    try expect("[")
    guard !take("]") else { return }
    repeat { try body(&self) } while take(",")
    try expect("]")
  }

  /// Calls `body` with the name of each member of an object, at its value.
  mutating func members(_ body: (inout JSONCursor, String) throws -> Void) throws {
    try expect("{")
    guard !take("}") else { return }
    repeat {
      let name = try string()
      try expect(":")
      try body(&self, name)
    } while take(",")
    try expect("}")
  }

  /// A text; escapes stay as they are written, which no name that matters here has.
  mutating func string() throws -> String {
    try expect("\"")
    let start = offset
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
      offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < bytes.count else { throw error("a text does not end") }
    defer { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// A finite number.
  mutating func number() throws -> Double {
    guard peek() != nil else { throw error("expected a number, found the end") }
    let start = offset
    while offset < bytes.count, Self.isNumberPart(bytes[offset]) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      offset = start
      let isNotFinite = ["NaN", "'inf", "'Inf", "'-Inf", "'-inf"].contains { found.contains($0) }
      throw error(
        isNotFinite
          ? "a coordinate is not finite: \(found)" : "expected a number, found \(found)")
    }
    return value
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
  }

  /// Steps over a value of any kind.
  mutating func skip(depth: Int = 0) throws {
    guard depth < Self.deepest else { throw error("nested more than \(Self.deepest) deep") }
    switch peek() {
    case UInt8(ascii: "{"): try members { cursor, _ in try cursor.skip(depth: depth + 1) }
    case UInt8(ascii: "["): try elements { cursor in try cursor.skip(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try skipWord()
    default: _ = try number()
    }
  }

  /// Steps over a value by its brackets only: what is in it is looked at when it is read.
  mutating func skipUnread() throws {
    guard let first = peek(), first | 0x20 == UInt8(ascii: "{") else { return try skip() }
    var depth = 0
    repeat {
      guard offset < bytes.count else { throw error("a bracket is not closed") }
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        _ = try string()
        continue
      }
      // '[' and '{', ']' and '}' differ in one bit.
      switch byte | 0x20 {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      default: break
      }
      offset += 1
    } while depth > 0
  }

  private mutating func skipWord() throws {
    for word in ["true", "false", "null"] where bytes[offset...].starts(with: word.utf8) {
      offset += word.utf8.count
      return
    }
    throw error("expected a value, found \(found)")
  }

  /// Whether nothing but spaces follows.
  mutating func isAtEnd() -> Bool { peek() == nil }

  /// Line and column of a byte, both from 1.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let before = bytes[..<min(offset, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return (before.count { $0 == 0x0A } + 1, before.count - lineStart + 1)
  }
}
