/// Decimal numbers as the command line spells them.
enum NumberText {
  /// A finite number; nil for anything else, `nan`, `inf` and hexadecimal included.
  static func parse(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy(isPart), let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }

  /// How many: 0 or more.
  static func count(_ text: String) throws -> Int {
    guard let count = Int(text), count >= 0 else {
      throw OptionError("it takes a whole number, 0 or more, as in 10")
    }
    return count
  }

  /// The numbers of a list with commas between them, spaces around each allowed; nil where one is no
  /// number.
  static func list(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { parse($0.trimmingSpaces()) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// Cuts a text like `12.5km` behind its number.
  static func split(_ text: String) -> (number: Substring, rest: Substring) {
    var end = text.startIndex
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      guard isPart(byte) else { break }
      if byte | 0x20 == UInt8(ascii: "e"),
        !continuesExponent(text.utf8[text.utf8.index(after: index)...])
      {
        break
      }
      end = text.utf8.index(after: index)
    }
    return (text[..<end], text[end...])
  }

  private static func continuesExponent(_ rest: Substring.UTF8View) -> Bool {
    guard let first = rest.first else { return false }
    return first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || (48...57).contains(first)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  func trimmingSpaces() -> SubSequence {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    guard let first = firstIndex(where: { !isSpace($0) }),
      let last = lastIndex(where: { !isSpace($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}
