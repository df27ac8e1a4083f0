/// A cursor over ``JSONScan`` that reads JSON without building values, for polygons with up to
/// millions of vertices. It reports errors with their offsets.
package struct JSONCursor {
  /// A syntax error with its byte offset.
  package struct SyntaxError: Error {
    package let message: String
    package let offset: Int

    /// Returns the error with a note that says where in the polygons it is.
    func with(note: String) -> SyntaxError {
      SyntaxError(message: "\(message) (\(note))", offset: offset)
    }
  }

  private static let maxDepth = 256

  private let scan: JSONScan
  private(set) var offset = 0

  /// Creates a cursor at the start of a text, after a byte order mark.
  ///
  /// - Parameter scan: The text, which must be padded as input blocks are.
  init(_ scan: JSONScan) {
    self.scan = scan
    let bytes = UnsafeBufferPointer(start: scan.bytes, count: scan.count)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// Calls `body` with a cursor at the start of a text, which is valid only during the call.
  package static func read<R>(
    _ bytes: [UInt8], _ body: (inout JSONCursor) throws -> R
  ) rethrows -> R? {
    let padded = bytes + Array(repeating: 0, count: InputBlock.padding)
    return try padded.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      var cursor = JSONCursor(JSONScan(bytes: base, count: bytes.count))
      return try body(&cursor)
    }
  }

  /// Returns a cursor at another offset of the same text.
  func moved(to offset: Int) -> JSONCursor {
    var cursor = self
    cursor.offset = offset
    return cursor
  }

  func error(_ message: String) -> SyntaxError { SyntaxError(message: message, offset: offset) }

  /// Skips white space and returns the next byte; nil at the end.
  package mutating func peek() -> UInt8? {
    offset = scan.skipSpace(offset)
    return offset < scan.count ? scan.bytes[offset] : nil
  }

  /// Calls `body` with the text between another cursor and this one.
  func withText<R>(from start: JSONCursor, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    assert(
      start.offset >= 0 && start.offset <= offset && offset <= scan.count,
      "the cursors are outside of the text")
    return body(
      UnsafeBufferPointer(start: scan.bytes + start.offset, count: offset - start.offset))
  }

  /// Skips the byte if it is the next one.
  mutating func take(_ byte: Character) -> Bool {
    guard let next = peek(), next == byte.asciiValue else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ byte: Character) throws {
    guard take(byte) else { throw error("expected '\(byte)', found \(found)") }
  }

  private var found: String {
    guard offset < scan.count else { return "the end" }
    let rest = rest.prefix(12).prefix {
      $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "]")
    }
    return "'\(String(decoding: rest, as: UTF8.self))'"
  }

  /// The text from the cursor on. Valid as long as the text.
  private var rest: UnsafeBufferPointer<UInt8> {
    assert(offset >= 0 && offset <= scan.count, "the cursor is outside of the text")
    return UnsafeBufferPointer(start: scan.bytes + offset, count: scan.count - offset)
  }

  /// Calls `body` with the cursor at each value of an array.
  package mutating func elements(_ body: (inout JSONCursor) throws -> Void) throws {
    try expect("[")
    guard !take("]") else { return }
    repeat { try body(&self) } while take(",")
    try expect("]")
  }

  /// Calls `body` with the name of each member of an object and the cursor at its value.
  package mutating func members(_ body: (inout JSONCursor, String) throws -> Void) throws {
    try expect("{")
    guard !take("}") else { return }
    repeat {
      let name = try string()
      try expect(":")
      try body(&self, name)
    } while take(",")
    try expect("}")
  }

  /// Reads a string. Escapes are not decoded; the names that matter here have none.
  package mutating func string() throws -> String {
    try expect("\"")
    let start = offset
    guard let end = scan.skipString(start - 1) else {
      offset = scan.count
      throw error("unterminated string")
    }
    offset = end
    return scan.text(start, end: end - 1)
  }

  /// Reads a finite number.
  mutating func number() throws -> Double {
    guard peek() != nil else { throw error("expected a number, found the end") }
    let start = offset
    while offset < scan.count, NumberSpelling.isPart(scan.bytes[offset]) { offset += 1 }
    guard let value = NumberSpelling.anyDouble(scan.bytes + start, count: offset - start) else {
      offset = start
      let isNotFinite = ["NaN", "'inf", "'Inf", "'-Inf", "'-inf"].contains { found.contains($0) }
      throw error(
        isNotFinite
          ? "a coordinate is not finite: \(found)" : "expected a number, found \(found)")
    }
    return value
  }

  /// Skips a value of any kind.
  package mutating func skip(depth: Int = 0) throws {
    guard depth < Self.maxDepth else {
      throw error("nested more than \(Self.maxDepth) levels deep")
    }
    switch peek() {
    case UInt8(ascii: "{"): try members { cursor, _ in try cursor.skip(depth: depth + 1) }
    case UInt8(ascii: "["): try elements { cursor in try cursor.skip(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try skipWord()
    default: _ = try number()
    }
  }

  /// Reads a value of any kind, and returns its text.
  package mutating func copiedValue() throws -> String {
    _ = peek()
    let start = self
    try skip()
    return withText(from: start) { String(decoding: $0, as: UTF8.self) }
  }

  /// Skips a value by its brackets only; its content is checked when it is read.
  mutating func skipUnread() throws {
    guard let first = peek(), first | 0x20 == UInt8(ascii: "{") else { return try skip() }
    guard let end = scan.skipValue(offset) else {
      offset = scan.count
      throw error("unclosed bracket")
    }
    offset = end
  }

  private mutating func skipWord() throws {
    for word in ["true", "false", "null"] where rest.starts(with: word.utf8) {
      offset += word.utf8.count
      return
    }
    throw error("expected a value, found \(found)")
  }

  /// Whether only spaces follow.
  mutating func isAtEnd() -> Bool { peek() == nil }

  /// Returns the line and the column of a byte, both from 1.
  func position(of offset: Int) -> TextPosition {
    let before = UnsafeBufferPointer(start: scan.bytes, count: min(offset, scan.count))
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return TextPosition(
      line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: before.count - lineStart + 1)
  }
}

/// A line of a text and a column in it, both from 1.
package struct TextPosition: Sendable {
  package let line: Int
  package let column: Int
}
