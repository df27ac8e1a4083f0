internal import CairnValues

extension FieldEvidence {
  /// Returns the kind of value in the bytes of a CSV field, quoted or not. Reads up to 24 bytes.
  static func of(
    _ text: UnsafePointer<UInt8>, count: Int, reading: FieldReading
  ) -> FieldEvidence {
    if let value = IntegerText.parse(text, count: count) {
      return IntegerText.isExact(value) ? .int : .largeInt
    }
    if DoubleText.parse(text, count: count) != nil { return .double }
    if BoolText.parse(text, count: count) != nil { return .bool }
    if let date = DateText.read(text, count: count, reading: reading) {
      return date.isLocal ? [.date, .localDate] : .date
    }
    if NumberSpelling.int(text, count: count) != nil { return .int }
    if NumberSpelling.double(text, count: count) != nil { return .double }
    if NullWords.suspect(text, count: count) != nil { return .suspect }
    if let date = otherDate(text, count: count) { return date }
    return isHugeInt(UnsafeBufferPointer(start: text, count: count)) ? .hugeInt : .text
  }

  /// The evidence of a text of two numbers of up to two digits and a year of four, joined by points
  /// or slashes; nil for any other text.
  private static func otherDate(_ text: UnsafePointer<UInt8>, count: Int) -> FieldEvidence? {
    guard 8...10 ~= count, let separator = [1, 2].map({ text[$0] }).first(where: { $0 < 0x30 }),
      separator == UInt8(ascii: ".") || separator == UInt8(ascii: "/")
    else { return nil }
    let parts = UnsafeBufferPointer(start: text, count: count)
      .split(separator: separator, omittingEmptySubsequences: false)
    let isDate =
      parts.count == 3 && parts[2].count == 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0 &- 0x30 < 10 }
      }
    let numbers = parts.prefix(2).map { $0.reduce(0) { $0 * 10 + Int($1 &- 0x30) } }
    guard isDate, numbers.allSatisfy({ 1...31 ~= $0 }),
      separator == UInt8(ascii: ".") ? numbers[1] <= 12 : numbers.contains(where: { $0 <= 12 })
    else { return nil }
    return separator == UInt8(ascii: ".") ? .dottedDate : .slashedDate
  }

  /// Whether a text, which is not an integer of 64 bits, is one of up to 34 digits.
  static func isHugeInt(_ text: some Collection<UInt8>) -> Bool {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text.dropFirst(0)
    return 19...34 ~= digits.count && digits.first != UInt8(ascii: "0")
      && digits.allSatisfy(Digits.isDigit)
  }
}
