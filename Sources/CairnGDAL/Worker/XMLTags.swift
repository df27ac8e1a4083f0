import CairnSystem

/// The tags of a text in XML, in their order. Comments, CDATA sections, declarations and instructions
/// are passed over; whether tags match is not checked.
struct XMLTags {
  enum Form {
    case start
    case end
    /// A start and an end, as in `<node/>`.
    case empty
  }

  struct Tag {
    let form: Form
    /// From the opening bracket up to the closing one.
    let range: Range<Int>
    /// The name without its prefix.
    let name: Range<Int>
  }

  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  /// - Parameter bytes: The text in UTF-8, or in another encoding that has ASCII.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the next tag; nil at the end, and for a tag that does not end.
  mutating func next() -> Tag? {
    while let open = position(of: UInt8(ascii: "<"), from: index) {
      if hasText("<!--", at: open) {
        index = end(of: "-->", from: open + 4)
      } else if hasText("<![CDATA[", at: open) {
        index = end(of: "]]>", from: open + 9)
      } else if hasText("<!", at: open) || hasText("<?", at: open) {
        index = end(of: ">", from: open)
      } else {
        return tag(open)
      }
    }
    return nil
  }

  /// Whether a name is a word.
  func isName(_ name: Range<Int>, _ word: StaticString) -> Bool {
    name.count == word.utf8CodeUnitCount && hasText(word, at: name.lowerBound)
  }

  private mutating func tag(_ open: Int) -> Tag? {
    let isEnd = open + 1 < bytes.count && bytes[open + 1] == UInt8(ascii: "/")
    var nameStart = open + (isEnd ? 2 : 1)
    var nameEnd = nameStart
    while nameEnd < bytes.count, !Self.endsName(bytes[nameEnd]) {
      if bytes[nameEnd] == UInt8(ascii: ":") { nameStart = nameEnd + 1 }
      nameEnd += 1
    }
    guard let close = closingBracket(from: nameEnd) else {
      index = bytes.count
      return nil
    }
    index = close + 1
    let isEmpty = bytes[close - 1] == UInt8(ascii: "/")
    return Tag(
      form: isEnd ? .end : isEmpty ? .empty : .start, range: open..<index,
      name: nameStart..<nameEnd)
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// Returns the index of the bracket that closes a tag, which quoted values may contain too.
  private func closingBracket(from start: Int) -> Int? {
    var quote: UInt8?
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      index += 1
    }
    return nil
  }

  private func position(of byte: UInt8, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  private func hasText(_ text: StaticString, at start: Int) -> Bool {
    guard let base = bytes.baseAddress, bytes.count - start >= text.utf8CodeUnitCount else {
      return false
    }
    return memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Returns the index after the next occurrence of a text that ends with `>`, or that of the end.
  private func end(of text: StaticString, from start: Int) -> Int {
    var from = start
    while let close = position(of: UInt8(ascii: ">"), from: from) {
      from = close + 1
      let first = from - text.utf8CodeUnitCount
      if first >= start, hasText(text, at: first) { return from }
    }
    return bytes.count
  }
}
