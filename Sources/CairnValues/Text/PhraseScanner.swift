/// Finds a phrase of ASCII words in texts without separating their words.
///
/// It searches for the first and the last letter of one word of the phrase, eight bytes at a time,
/// and compares the other words where it finds them. In a text with other characters, an occurrence
/// that it finds is certain, but there may be others: a letter with a mark is folded to a plain one.
struct PhraseScanner: Hashable, Sendable {
  /// The words of the phrase, one after the other.
  private let bytes: [UInt8]
  /// The end of each word in `bytes`.
  private let ends: [Int]
  private let isPrefix: Bool
  /// The index of the word to search for: the longest.
  private let anchor: Int
  /// The first and the last byte of that word without their case, repeated in each byte.
  private let first: UInt64
  private let last: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The bit that distinguishes the cases of a letter. Other characters that differ only in this bit
  /// are found as well and compared.
  private static let caseBit: UInt8 = 0x20

  /// Returns nil if a word has other characters or may have been cut.
  init?(_ words: [[UInt8]], isPrefix: Bool) {
    guard let longest = words.max(by: { $0.count < $1.count }), longest.count < Words.maxBytes,
      words.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }), let begin = longest.first,
      let end = longest.last, let anchor = words.firstIndex(of: longest)
    else { return nil }
    bytes = Array(words.joined())
    ends = words.indices.map { words[...$0].reduce(0) { $0 + $1.count } }
    self.isPrefix = isPrefix
    self.anchor = anchor
    first = UInt64(begin | Self.caseBit) &* Self.ones
    last = UInt64(end | Self.caseBit) &* Self.ones
  }

  /// Returns whether the phrase certainly occurs in a text.
  func occurs(in text: UnsafeRawBufferPointer) -> Bool { count(in: text, upTo: 1) > 0 }

  /// Returns the number of certain occurrences, which may overlap, up to a limit.
  func count(in text: UnsafeRawBufferPointer, upTo limit: Int = .max) -> Int {
    Words.withLetters { letters in
      bytes.withUnsafeBufferPointer { bytes in
        ends.withUnsafeBufferPointer { ends in
          count(Place(text: text, letters: letters, bytes: bytes, ends: ends), upTo: limit)
        }
      }
    }
  }

  /// A text, and the memory of the phrase.
  private struct Place {
    let text: UnsafeRawBufferPointer
    /// The folded letter of each ASCII character; 0 for one that separates words.
    let letters: UnsafeBufferPointer<UInt8>
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>

    @inline(__always)
    func range(_ word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }

    /// Whether an ASCII character that separates words is at an index.
    @inline(__always)
    func isSeparator(_ index: Int) -> Bool { text[index] < 0x80 && letters[Int(text[index])] == 0 }

    /// Whether the text has a word of the phrase at an index, in any case.
    @inline(__always)
    func has(_ word: Range<Int>, at index: Int) -> Bool {
      guard index >= 0, index + word.count <= text.count else { return false }
      for offset in 0..<word.count {
        let byte = text[index + offset]
        guard byte < 0x80, letters[Int(byte)] == bytes[word.lowerBound + offset] else {
          return false
        }
      }
      return true
    }
  }

  private func count(_ place: Place, upTo limit: Int) -> Int {
    guard let base = place.text.baseAddress else { return 0 }
    let word = place.range(anchor)
    let reach = word.count - 1
    assert(reach >= 0 && word.upperBound <= place.bytes.count, "the word to search for is empty")
    let end = place.text.count
    var index = 0
    var total = 0
    while index + reach + 8 <= end {
      let begins = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let lasts = base.loadUnaligned(fromByteOffset: index + reach, as: UInt64.self)
      let cases = UInt64(Self.caseBit) &* Self.ones
      let different =
        ((UInt64(littleEndian: begins) | cases) ^ first)
        | ((UInt64(littleEndian: lasts) | cases) ^ last)
      var candidates = (different &- Self.ones) & ~different & (Self.ones &<< 7)
      while candidates != 0 {
        if isPhrase(at: index + (candidates.trailingZeroBitCount >> 3), word: word, place) {
          total += 1
          if total == limit { return total }
        }
        candidates &= candidates &- 1
      }
      index += 8
    }
    while index + reach < end {
      if isPhrase(at: index, word: word, place) {
        total += 1
        if total == limit { return total }
      }
      index += 1
    }
    return total
  }

  /// Whether the text has the phrase, with the word that was searched for at an index.
  private func isPhrase(at index: Int, word: Range<Int>, _ place: Place) -> Bool {
    guard index == 0 || place.isSeparator(index - 1), place.has(word, at: index) else {
      return false
    }
    var start = index
    for before in stride(from: anchor - 1, through: 0, by: -1) {
      while start > 0, place.isSeparator(start - 1) { start -= 1 }
      let word = place.range(before)
      start -= word.count
      guard place.has(word, at: start), start == 0 || place.isSeparator(start - 1) else {
        return false
      }
    }
    var end = index + word.count
    for after in anchor + 1..<max(anchor + 1, place.ends.count) {
      guard end < place.text.count, place.isSeparator(end) else { return false }
      while end < place.text.count, place.isSeparator(end) { end += 1 }
      let word = place.range(after)
      guard place.has(word, at: end) else { return false }
      end += word.count
    }
    return isPrefix || end == place.text.count || place.isSeparator(end)
  }
}
