/// Finds where JSON values end, by quotes and brackets alone: as much as cutting a file into
/// Features needs.
struct JSONScan {
  let bytes: UnsafePointer<UInt8>
  /// Bytes that are there.
  let count: Int

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// The bytes from start up to the end, as text.
  func text(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes + start, count: end - start), as: UTF8.self)
  }

  /// The first byte from the index on that is no white space.
  func skipSpace(_ start: Int) -> Int {
    var index = start
    while index < count, Self.isSpace(bytes[index]) { index &+= 1 }
    return index
  }

  /// Behind the string whose opening quote is at the index; nil when it does not end here.
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

  /// Behind the value that begins at the index; nil when it does not end here. A number or word may
  /// go on behind the last byte.
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
  /// Whether a value ends before the last byte.
  func isWhole(valueAt start: Int) -> Bool { start < count && skipValue(start) != nil }

  /// Calls `body` with each member of the object that begins at the index, as far as it is there, until it says no: the
  /// name without quotes, and the value, or nil where it does not end here.
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
}
