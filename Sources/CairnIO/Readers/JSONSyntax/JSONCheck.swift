/// Checks that bytes are exactly one JSON value (RFC 8259). simdjson's on-demand parser skips
/// values that are not used; this check reads them, so that nothing malformed passes. It does not
/// recurse, so depth costs no stack.
struct JSONCheck {
  /// The deepest nesting that is accepted.
  static let deepest = 1024

  private let text: UnsafePointer<UInt8>
  private let count: Int
  private var index = 0
  /// The enclosing objects (true) and arrays (false) at the current index.
  private var open: [Bool] = []

  /// Returns the offset of the first malformed byte, or nil when the value is well formed.
  static func firstError(_ text: UnsafePointer<UInt8>, count: Int) -> Int? {
    var check = JSONCheck(text: text, count: count)
    return check.run() ? nil : min(check.index, count)
  }

  private init(text: UnsafePointer<UInt8>, count: Int) {
    assert(count >= 0, "the size is negative")
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

  /// Skips a scalar, or enters a non-empty object or array.
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
      default: return JSONNumber.skip(text, at: &index, count: count)
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

  /// Skips the byte and white space before it. If another byte follows, skips only the white space.
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

/// Numbers in the syntax of JSON (RFC 8259).
enum JSONNumber {
  /// Whether a text that was accepted as a number begins as a number in JSON; `.5` does not, for
  /// example.
  @inline(__always)
  static func begins(_ text: UnsafePointer<UInt8>) -> Bool {
    text[text[0] == UInt8(ascii: "-") ? 1 : 0] &- UInt8(ascii: "0") < 10
  }

  /// Whether the bytes are exactly one number.
  static func isValid(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    var index = 0
    return skip(text, at: &index, count: count) && index == count
  }

  /// Skips a number. Returns false when the text is not a number.
  static func skip(_ text: UnsafePointer<UInt8>, at index: inout Int, count: Int) -> Bool {
    if index < count, text[index] == UInt8(ascii: "-") { index += 1 }
    guard index < count else { return false }
    if text[index] == UInt8(ascii: "0") {
      index += 1
    } else if !skipDigits(text, at: &index, count: count) {
      return false
    }
    if index < count, text[index] == UInt8(ascii: ".") {
      index += 1
      if !skipDigits(text, at: &index, count: count) { return false }
    }
    guard index < count, text[index] | 0x20 == UInt8(ascii: "e") else { return true }
    index += 1
    if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      index += 1
    }
    return skipDigits(text, at: &index, count: count)
  }

  private static func skipDigits(
    _ text: UnsafePointer<UInt8>, at index: inout Int, count: Int
  ) -> Bool {
    let start = index
    while index < count, Digits.isDigit(text[index]) { index += 1 }
    return index > start
  }
}
