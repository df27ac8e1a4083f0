import CairnSystem

/// The words of a text, as full-text search compares them: in lower case and without diacritical
/// marks.
///
/// A word is a run of letters, digits, marks and underscores, which are the characters that join
/// words in Unicode's word boundaries (UAX #29). An ideograph, a Hiragana letter, and a letter of a
/// script that writes no spaces between words (Thai, Lao, Burmese, Khmer) is a word of its own, so a
/// search for several of them is a search for a phrase. Everything else separates words, unlike in
/// UAX #29 an apostrophe or a dot within a word too: `l'hôtel` has the words `l` and `hotel`.
package enum Words {
  /// The largest number of bytes of a word. The rest of a longer one is ignored.
  package static let maxBytes = 252

  /// Calls `body` with each word of a text in UTF-8, in order, until it returns false. The memory of
  /// a word is valid during the call only.
  package static func forEach(
    in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) {
    withUnsafeTemporaryAllocation(byteCount: maxBytes, alignment: 8) { memory in
      var scanner = WordScanner(memory)
      scanner.scan(text, body)
    }
  }

  /// Calls `body` with the lower case of each ASCII letter, digit and underscore; 0 for a character
  /// that separates words. The 128 bytes are valid during the call.
  @inline(__always)
  static func withLetters<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    WordPart.ascii.withUnsafeBufferPointer(body)
  }

  /// Returns the words of a text.
  package static func all(in text: String) -> [[UInt8]] {
    var words: [[UInt8]] = []
    Array(text.utf8).withUnsafeBytes { bytes in
      forEach(in: bytes) {
        words.append(Array($0))
        return true
      }
    }
    return words
  }
}

/// The part of a character in words.
private enum WordPart: UInt8 {
  case separator
  case letter
  /// A word of its own.
  case whole
  /// Belongs to the word before it.
  case mark
  /// A character without a meaning of its own, such as a soft hyphen.
  case ignored

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      self = Self.isWhole(scalar) ? .whole : .letter
    case .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .privateUse:
      self = .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
    case .format: self = value == 0x200B ? .separator : .ignored
    default: self = .separator
    }
  }

  private static func isWhole(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Thai and Lao; Burmese; Khmer; Tai Le and New Tai Lue; Tai Tham; Hiragana.
    case 0x0E00..<0x0F00, 0x1000..<0x10A0, 0x1780..<0x1800, 0x1950..<0x19E0, 0x1A20..<0x1AB0,
      0x3041..<0x30A0:
      true
    default: scalar.properties.isIdeographic
    }
  }

  /// The parts of the first code points.
  static let table: [WordPart] = (0..<0x2000).map {
    Unicode.Scalar($0 as UInt32).map(WordPart.init) ?? .separator
  }

  /// The lower case of each ASCII letter, digit and underscore; 0 for a separator.
  static let ascii: [UInt8] = (0..<128).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      UInt8(byte)
    default: 0
    }
  }
}

/// Gathers the folded bytes of one word after the other.
private struct WordScanner {
  private let word: UnsafeMutableRawBufferPointer
  private var count = 0
  /// The number of bytes that the word may still have; the word ends for good where a character does
  /// not fit.
  private var limit = Words.maxBytes
  /// Whether the word is complete: only marks can follow.
  private var isWhole = false
  private let folding = Folding.of([.caseInsensitive, .diacriticInsensitive])

  init(_ memory: UnsafeMutableRawBufferPointer) {
    assert(memory.count >= Words.maxBytes, "a word may be longer than the memory")
    word = memory
  }

  mutating func scan(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) {
    WordPart.ascii.withUnsafeBufferPointer { ascii in
      var index = 0
      while index < text.count {
        let byte = text[index]
        if byte < 0x80 {
          index += 1
          let folded = ascii[Int(byte)]
          if folded != 0, !isWhole {
            if count < limit {
              word[count] = folded
              count += 1
            }
            continue
          }
          guard finish(body) else { return }
          if folded != 0 { append(UInt32(folded)) }
          continue
        }
        let scalar = Self.decode(text, &index)
        guard take(scalar, body) else { return }
      }
      _ = finish(body)
    }
  }

  /// Adds a character that is not ASCII. Returns false if `body` did.
  private mutating func take(
    _ value: UInt32, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    switch Self.part(of: value) {
    case .separator: return finish(body)
    case .ignored: return true
    case .mark:
      if count > 0 { appendFolded(value) }
      return true
    case .letter:
      if isWhole, !finish(body) { return false }
      appendFolded(value)
      return true
    case .whole:
      guard finish(body) else { return false }
      appendFolded(value)
      isWhole = true
      return true
    }
  }

  private static func part(of value: UInt32) -> WordPart {
    if value < 0x2000 { return WordPart.table[Int(value)] }
    // The common ideographs and the syllables of Hangul need no look-up.
    if value >= 0x4E00, value < 0xA000 { return .whole }
    if value >= 0xAC00, value < 0xD7A4 { return .letter }
    return Unicode.Scalar(value).map(WordPart.init) ?? .separator
  }

  private mutating func appendFolded(_ value: UInt32) {
    if value >= 0x4E00, value < 0xD7A4, value < 0xA000 || value >= 0xAC00 { return append(value) }
    // A local copy, because the closure cannot change `self` while it reads the folding.
    let folding = folding
    folding.fold(value) { append($0) }
  }

  /// Appends a code point as UTF-8.
  private mutating func append(_ value: UInt32) {
    let size = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4
    guard count + size <= limit else {
      limit = count
      return
    }
    assert(count + size <= word.count, "the word is longer than the memory")
    if size == 1 {
      word[count] = UInt8(truncatingIfNeeded: value)
    } else {
      for offset in 1..<size {
        let shift = UInt32(6 * (size - 1 - offset))
        word[count + offset] = UInt8(truncatingIfNeeded: value >> shift & 0x3F) | 0x80
      }
      word[count] =
        UInt8(truncatingIfNeeded: value >> UInt32(6 * (size - 1)))
        | ~(0xFF >> UInt8(size))
    }
    count += size
  }

  /// Ends the word, if there is one. Returns false if `body` did.
  private mutating func finish(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    guard count > 0 else {
      isWhole = false
      return true
    }
    defer {
      count = 0
      limit = Words.maxBytes
      isWhole = false
    }
    return body(UnsafeRawBufferPointer(rebasing: word[..<count]))
  }

  /// Decodes the character at an index, which moves behind it. An invalid byte is a character that
  /// separates words.
  private static func decode(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> UInt32 {
    let first = text[index]
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, index + length <= text.count else {
      index += 1
      return 0
    }
    var value = UInt32(first) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    index += length
    return value
  }
}
