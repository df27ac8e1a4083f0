/// Numbers as JSON (RFC 8259) spells them.
enum JSONNumber {
  /// Whether the bytes are one number and nothing else.
  static func isValid(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var index = 0
    return skip(text, &index, count) && index == count
  }

  /// Passes a number; false when there is none.
  static func skip(_ text: UnsafePointer<UInt8>, _ index: inout Int, _ count: Int) -> Bool {
    if index < count, text[index] == UInt8(ascii: "-") { index += 1 }
    guard index < count else { return false }
    if text[index] == UInt8(ascii: "0") {
      index += 1
    } else if !skipDigits(text, &index, count) {
      return false
    }
    if index < count, text[index] == UInt8(ascii: ".") {
      index += 1
      if !skipDigits(text, &index, count) { return false }
    }
    guard index < count, text[index] | 0x20 == UInt8(ascii: "e") else { return true }
    index += 1
    if index < count, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
      index += 1
    }
    return skipDigits(text, &index, count)
  }

  private static func skipDigits(
    _ text: UnsafePointer<UInt8>, _ index: inout Int, _ count: Int
  ) -> Bool {
    let start = index
    while index < count, Digits.isDigit(text[index]) { index += 1 }
    return index > start
  }
}
