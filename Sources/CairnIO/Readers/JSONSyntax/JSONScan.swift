/// Finds the ends of JSON values by quotes and brackets alone, which is enough to split a file into
/// records.
package struct JSONScan {
  /// The text. Valid as long as the memory that the scan was created for.
  let bytes: UnsafePointer<UInt8>
  /// The number of available bytes.
  let count: Int

  @inline(__always)
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns the bytes from `start` up to `end` as text.
  func text(_ start: Int, end: Int) -> String {
    assert(start >= 0 && start <= end && end <= count, "the text is outside of the bytes")
    return String(
      decoding: UnsafeBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
  }

  /// Returns the index of the first byte at or after `start` that is not white space.
  func skipSpace(_ start: Int) -> Int {
    assert(start >= 0, "the bytes begin at their pointer")
    var index = start
    while index < count, Self.isSpace(bytes[index]) { index &+= 1 }
    return index
  }

  /// Returns the index after the string whose opening quote is at `start`, or nil when the string
  /// is not complete.
  @inline(__always)
  func skipString(_ start: Int) -> Int? {
    var index = start &+ 1
    while index < count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return index &+ 1 }
      index &+= byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// Returns the index after the value that begins at `start`, or nil when the value is not
  /// complete. A number or word that reaches the last byte counts as incomplete, because it may
  /// continue.
  func skipValue(_ start: Int) -> Int? {
    switch bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested(start)
    case UInt8(ascii: "\""): return skipString(start)
    default: return skipScalar(start)
    }
  }

  private func skipScalar(_ start: Int) -> Int? {
    var index = start
    while index < count {
      switch bytes[index] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): return index
      case let byte where Self.isSpace(byte): return index
      default: index += 1
      }
    }
    return nil
  }

  private func skipNested(_ start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = skipString(index) else { return nil }
        index = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth &-= 1
        if depth == 0 { return index &+ 1 }
      default: break
      }
      index &+= 1
    }
    return nil
  }
}

// Members and elements.
extension JSONScan {
  /// Whether the value is complete.
  func isWhole(valueAt start: Int) -> Bool { start < count && skipValue(start) != nil }

  /// Calls `body` with each available member of the object that begins at `start`, until it returns
  /// false. The name comes without quotes; the value is nil when it is not complete.
  func forEachMember(
    ofObjectAt start: Int, _ body: (_ name: Range<Int>, _ value: Range<Int>?) -> Bool
  ) {
    guard start < count, bytes[start] == UInt8(ascii: "{") else { return }
    var index = skipSpace(start + 1)
    while index < count, bytes[index] == UInt8(ascii: "\"") {
      guard let end = skipString(index) else { return }
      let value = skipSpace(skipSpace(end) + 1)
      guard value < count else { return }
      let valueEnd = skipValue(value)
      guard body(index + 1..<end - 1, valueEnd.map { value..<$0 }), let valueEnd else { return }
      index = skipSpace(valueEnd)
      guard index < count, bytes[index] == UInt8(ascii: ",") else { return }
      index = skipSpace(index + 1)
    }
  }

  /// Returns the range of a member's value in the object that begins at the index, or nil when
  /// there is no such member or the object is not complete up to it.
  func member(_ name: String, ofObjectAt start: Int) -> Range<Int>? {
    guard start < count, bytes[start] == UInt8(ascii: "{") else { return nil }
    var index = skipSpace(start + 1)
    while index < count, bytes[index] == UInt8(ascii: "\"") {
      guard let end = skipString(index) else { return nil }
      let colon = skipSpace(end)
      let value = skipSpace(colon + 1)
      guard value < count, let valueEnd = skipValue(value) else { return nil }
      if text(index + 1, end: end - 1) == name { return value..<valueEnd }
      index = skipSpace(valueEnd)
      guard index < count, bytes[index] == UInt8(ascii: ",") else { return nil }
      index = skipSpace(index + 1)
    }
    return nil
  }

  /// Returns a short value as text; a string loses its quotes.
  func content(_ range: Range<Int>) -> String {
    guard bytes[range.lowerBound] == UInt8(ascii: "\"") else {
      return text(range.lowerBound, end: range.upperBound)
    }
    // Some writers escape the slashes of URLs.
    return text(range.lowerBound + 1, end: range.upperBound - 1).replacing("\\/", with: "/")
  }

  /// Returns the ranges of an array's elements, or nil when the value is not an array.
  func elements(_ value: Range<Int>) -> [Range<Int>]? {
    guard bytes[value.lowerBound] == UInt8(ascii: "[") else { return nil }
    var found: [Range<Int>] = []
    var index = skipSpace(value.lowerBound + 1)
    while index < value.upperBound - 1 {
      guard let end = skipValue(index) else { return nil }
      found.append(index..<end)
      index = skipSpace(end)
      if index < value.upperBound - 1 { index = skipSpace(index + 1) }
    }
    return found
  }

  /// Returns the text between quotes with its escapes resolved. Invalid escapes are kept as they
  /// are.
  func unescaped(_ range: Range<Int>) -> String {
    let text = text(range.lowerBound, end: range.upperBound)
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escaped = rest.first else {
        units.append(unit)
        continue
      }
      rest.removeFirst()
      switch escaped {
      case 0x62: units.append(8)
      case 0x66: units.append(12)
      case 0x6E: units.append(10)
      case 0x72: units.append(13)
      case 0x74: units.append(9)
      case 0x75:
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        guard digits.utf16.count == 4, let value = UInt16(digits, radix: 16) else {
          units += [unit, escaped]
          continue
        }
        rest.removeFirst(4)
        units.append(value)
      default: units.append(escaped)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
