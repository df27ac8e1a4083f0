/// Numbers of CSV that other programs write in ways that the type inference does not read first: `+5`, `5.`, `-5.`,
/// `+.5`.
enum SpelledNumber {
  /// A plus sign before more digits than these is more likely the beginning of a telephone number.
  private static let mostSignedDigits = 6

  /// The integer; nil when the bytes spell none. Reads up to 24 bytes.
  static func int(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
    if let value = IntegerText.parse(text, count) { return value }
    guard count > 1, count <= mostSignedDigits + 1, text[0] == UInt8(ascii: "+"),
      Digits.isDigit(text[1])
    else { return nil }
    return IntegerText.parse(text + 1, count - 1)
  }

  /// The double; nil when the bytes spell an integer or no number. Reads up to 24 bytes.
  static func double(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = DoubleText.parse(text, count) { return value }
    guard count > 1 else { return nil }
    if text[0] == UInt8(ascii: "+") {
      return text[1] == UInt8(ascii: "-") ? nil : double(text + 1, count - 1)
    }
    guard text[count - 1] == UInt8(ascii: "."),
      let value = CSVColumns.exactNumber(text, count - 1), DoubleText.parse(text, count - 1) == nil
    else { return nil }
    return value
  }

  /// A double, or an integer that a double holds exactly.
  static func exactDouble(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = CSVColumns.exactNumber(text, count) ?? double(text, count) { return value }
    guard let value = int(text, count), IntegerText.isExact(value) else { return nil }
    return Double(value)
  }
}
