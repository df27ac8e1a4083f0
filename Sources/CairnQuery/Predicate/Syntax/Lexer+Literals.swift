import CairnValues

// MARK: Numbers and dates

extension Lexer {
  /// Reads a number with its sign, or one that begins with a decimal point. Nil if the sign means
  /// something else.
  mutating func readSigned() throws(PredicateError) -> Token.Kind? {
    let isDot = peek() == UInt8(ascii: ".")
    let isPointed = !isDot && peek(1) == UInt8(ascii: ".") && isDigit(peek(2))
    if isDigit(peek(1)) || isPointed { return try readNumber() }
    guard !isDot else { return nil }
    let rest = text[(position + 1)...].prefix(9)
    for word in ["infinity", "inf", "nan"] where isWord(rest, word: word) {
      let value = word == "nan" ? Double.nan : Double.infinity
      let number = peek() == UInt8(ascii: "-") ? -value : value
      advance(1 + word.utf8.count)
      return .number(.double(number), unit: "")
    }
    return nil
  }

  mutating func readNumberOrDate() throws(PredicateError) -> Token.Kind {
    if let date = try parsedDate() { return .date(date) }
    return try readNumber()
  }

  private func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { $0 &- UInt8(ascii: "0") < 10 } ?? false
  }

  private func isWord(_ bytes: ArraySlice<UInt8>, word: String) -> Bool {
    let count = word.utf8.count
    guard bytes.count >= count else { return false }
    let name = String(decoding: bytes.prefix(count), as: UTF8.self).lowercased()
    let next = bytes.dropFirst(count).first
    return name == word && !(next.map { PropertyName.continuesName(Unicode.Scalar($0)) } ?? false)
  }

  private mutating func readNumber() throws(PredicateError) -> Token.Kind {
    let start = position
    if !isDigit(peek()) && peek() != UInt8(ascii: ".") { advance() }
    skipDigits()
    var isWhole = true
    if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
      isWhole = false
      advance()
      skipDigits()
    }
    if skipExponent() { isWhole = false }
    let digits = String(decoding: text[start..<position], as: UTF8.self)
    return .number(try value(digits, isWhole: isWhole, at: start), unit: readUnit())
  }

  private mutating func skipDigits() {
    while isDigit(peek()) { advance() }
  }

  private mutating func skipExponent() -> Bool {
    guard let byte = peek(), byte | 0x20 == UInt8(ascii: "e") else { return false }
    let isSigned = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
    guard isDigit(peek(isSigned ? 2 : 1)) else { return false }
    advance(isSigned ? 2 : 1)
    skipDigits()
    return true
  }

  private mutating func readUnit() -> String {
    let start = position
    while let byte = peek(), byte.isLetter { advance() }
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  /// An integer, a double, or a decimal if neither of the other two can hold the number.
  private func value(
    _ digits: String, isWhole: Bool, at start: Int
  ) throws(PredicateError) -> Value {
    if isWhole, let number = Int64(digits) { return .int(number) }
    if !isWhole, let number = Double(digits), number.isFinite { return .double(number) }
    guard let number = Decimal128(text: digits), number.isFinite else {
      throw error("The number is out of range for every number type", at: start)
    }
    return .decimal(number)
  }

  /// Reads a date such as `2024-05-01`, `2024-05-01T12:00:00Z` or `2024/05/01 12:00:00+02`. Nil if
  /// no date begins here.
  private mutating func parsedDate() throws(PredicateError) -> Double? {
    guard isShaped("dddd-dd-dd", at: 0) || isShaped("dddd/dd/dd", at: 0) else { return nil }
    var length = 10
    if let letter = peek(length), letter | 0x20 == UInt8(ascii: "t") {
      skipTime(&length)
    } else if peek(length) == UInt8(ascii: " "), isShaped("dd:dd", at: length + 1) {
      length += 1
      skipTime(&length)
      skipZone(&length)
    }
    let end = position + length
    let date = text[position..<end].withUnsafeBytes { ISODate.parse($0) }
    guard let date else {
      let shown = String(decoding: text[position..<end], as: UTF8.self)
      throw error("'\(shown)' is not a date; one looks like 2024-05-01 or 2024-05-01T12:00:00Z")
    }
    advance(length)
    return date
  }

  /// Whether the bytes match the pattern, in which `d` is any digit.
  private func isShaped(_ pattern: StaticString, at offset: Int) -> Bool {
    (0..<pattern.utf8CodeUnitCount).allSatisfy { index in
      let form = pattern.utf8Start[index]
      let byte = peek(offset + index)
      return form == UInt8(ascii: "d") ? isDigit(byte) : byte == form
    }
  }

  private func skipTime(_ length: inout Int) {
    while let byte = peek(length), byte.isLetter || isDigit(byte) || isTimeSign(byte) {
      length += 1
    }
  }

  /// Passes a blank and the time zone behind it.
  private func skipZone(_ length: inout Int) {
    guard peek(length) == UInt8(ascii: " ") else { return }
    let sign = peek(length + 1)
    let isOffset =
      (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")) && isShaped("dd", at: length + 2)
    let start = position + length + 1
    let rest = start < text.count ? text[start...] : []
    guard
      isOffset || isWord(rest, word: "utc") || isWord(rest, word: "gmt") || isWord(rest, word: "z")
    else {
      return
    }
    length += 1
    skipTime(&length)
  }

  private func isTimeSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-")
  }
}

extension UInt8 {
  var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
