/// Whether bytes are one JSON value (RFC 8259), read to the last byte. simdjson's on-demand parser
/// skips what nobody asks for; this reads it, so that nothing malformed passes. No recursion: depth
/// costs no stack.
struct JSONCheck {
  /// Deeper than this is refused.
  static let deepest = 1024

  private let text: UnsafePointer<UInt8>
  private let count: Int
  private var index = 0
  /// What is open around the place: true for an object.
  private var open: [Bool] = []

  /// The offset of the first byte that does not belong; nil when all is well.
  static func firstError(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int? {
    var check = JSONCheck(text: text, count: count)
    return check.run() ? nil : min(check.index, count)
  }

  private init(text: UnsafePointer<UInt8>, count: Int) {
    self.text = text
    self.count = count
  }

  private mutating func run() -> Bool {
    repeat {
      guard startValue() else { return false }
      while let isObject = open.last, takeEnd(isObject) { open.removeLast() }
    } while !open.isEmpty && nextElement()
    skipSpace()
    return open.isEmpty && index == count
  }

  /// Passes a scalar, or steps into an object or array that is not empty.
  private mutating func startValue() -> Bool {
    while true {
      skipSpace()
      guard index < count else { return false }
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = text[index] == UInt8(ascii: "{")
        index += 1
        if takeEnd(isObject) { return true }
        open.append(isObject)
        if open.count > Self.deepest || isObject && !takeName() { return false }
      case UInt8(ascii: "\""): return takeString()
      case UInt8(ascii: "t"): return take("true")
      case UInt8(ascii: "f"): return take("false")
      case UInt8(ascii: "n"): return take("null")
      default: return JSONNumber.skip(text, &index, count)
      }
    }
  }

  private mutating func takeEnd(_ isObject: Bool) -> Bool {
    take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func nextElement() -> Bool {
    guard take(UInt8(ascii: ",")) else { return false }
    return open.last == true ? takeName() : true
  }

  private mutating func takeName() -> Bool {
    skipSpace()
    guard index < count, text[index] == UInt8(ascii: "\"") else { return false }
    return takeString() && take(UInt8(ascii: ":"))
  }

  private mutating func takeString() -> Bool {
    index += 1
    while index < count {
      switch text[index] {
      case UInt8(ascii: "\""):
        index += 1
        return true
      case UInt8(ascii: "\\"):
        if !takeEscape() { return false }
      case 0..<0x20: return false
      default: index += 1
      }
    }
    return false
  }

  private mutating func takeEscape() -> Bool {
    index += 1
    guard index < count else { return false }
    switch text[index] {
    case UInt8(ascii: "u"):
      guard index + 4 < count, (1...4).allSatisfy({ isHex(text[index + $0]) }) else { return false }
      index += 5
      return true
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 1
      return true
    default: return false
    }
  }

  private func isHex(_ byte: UInt8) -> Bool {
    Digits.isDigit(byte) || (byte | 0x20) &- 97 < 6
  }

  private mutating func take(_ word: StaticString) -> Bool {
    for offset in 0..<word.utf8CodeUnitCount {
      guard index < count, text[index] == word.utf8Start[offset] else { return false }
      index += 1
    }
    return true
  }

  /// Passes the byte and the space before it; passes nothing when another byte follows.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < count, text[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < count, JSONScan.isSpace(text[index]) { index += 1 }
  }
}
