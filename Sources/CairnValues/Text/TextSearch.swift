import CairnSystem

/// A full-text search: `swift -ios`, `rea*`, `"a phrase"`.
///
/// A text matches if it has every part without a minus and none with one. A part is a word, a prefix
/// (`rea*`), or a phrase of neighbouring words, in quotes or because it holds a character that
/// separates words (`e-mail`). The last word of a phrase may be a prefix. ``Words`` defines words.
package struct TextSearch: Hashable, Sendable {
  /// A word, a prefix or a phrase.
  package struct Part: Hashable, Sendable {
    /// The words, folded; a phrase has several.
    package let words: [[UInt8]]
    /// Whether the last word is a prefix.
    package let isPrefix: Bool
    /// The canonically equivalent forms of each word.
    fileprivate let otherForms: [[[UInt8]]]
    /// Whether a word has other forms than its own.
    package let hasOtherForms: Bool

    init(words: [[UInt8]], isPrefix: Bool) {
      self.words = words
      self.isPrefix = isPrefix
      otherForms = words.map(CanonicalForms.otherForms)
      hasOtherForms = otherForms.contains { !$0.isEmpty }
    }
  }

  /// The parts that a text must have.
  package private(set) var included: [Part] = []
  /// The parts that a text must not have.
  package private(set) var excluded: [Part] = []
  /// The included parts, then the excluded ones.
  private var parts: [Part] = []
  /// A scanner for each part; empty if one of them has other words than ASCII.
  private var scanners: [PhraseScanner] = []

  /// The largest number of words in a phrase.
  package static let maxPhrase = 64

  /// Reads a search. A part without letters and digits is ignored. Returns nil if a phrase has more
  /// than 64 words.
  package init?(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      guard !first.properties.isWhitespace else {
        rest.removeFirst()
        continue
      }
      let isExcluded = first == "-"
      if isExcluded { rest.removeFirst() }
      let (written, isPrefix) = Self.readPart(&rest)
      let words = Words.all(in: written)
      guard words.count <= Self.maxPhrase else { return nil }
      guard !words.isEmpty else { continue }
      let part = Part(words: words, isPrefix: isPrefix)
      if isExcluded { excluded.append(part) } else { included.append(part) }
    }
    prepare()
  }

  private init(included: [Part], excluded: [Part]) {
    self.included = included
    self.excluded = excluded
    prepare()
  }

  private mutating func prepare() {
    parts = included + excluded
    let scanners = parts.compactMap { PhraseScanner($0.words, isPrefix: $0.isPrefix) }
    self.scanners = scanners.count == parts.count ? scanners : []
  }

  /// Reads a quoted phrase, which may lack its second quote, or the characters up to a blank or a
  /// quote. A star behind it makes a prefix.
  private static func readPart(
    _ rest: inout Substring.UnicodeScalarView
  ) -> (text: String, isPrefix: Bool) {
    var part: Substring.UnicodeScalarView
    if rest.first == "\"" {
      rest.removeFirst()
      part = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(part.count + 1)
      if rest.first == "*" {
        rest.removeFirst()
        return (String(part), true)
      }
    } else {
      part = rest.prefix { $0 != "\"" && !$0.properties.isWhitespace }
      rest = rest.dropFirst(part.count)
    }
    return (String(part), part.last == "*")
  }

  /// Whether the search has no words, so that it matches nothing.
  package var isEmpty: Bool { parts.isEmpty }

  /// Whether the words of a text do not decide about the search without their order.
  package var hasPhrases: Bool { parts.contains { $0.words.count > 1 } }

  /// The phrases of the search, which decide about a text that has the words.
  package var phrases: TextSearch {
    TextSearch(
      included: included.filter { $0.words.count > 1 },
      excluded: excluded.filter { $0.words.count > 1 })
  }

  /// A search for each included part.
  package var terms: [TextSearch] {
    included.map { TextSearch(included: [$0], excluded: []) }
  }
}

extension TextSearch {
  /// Counts how often a text in UTF-8 has each included part. Occurrences of a phrase may overlap.
  ///
  /// - Parameter counts: Receives the numbers, in the order of the parts.
  package func count(
    in text: UnsafeRawBufferPointer, into counts: UnsafeMutableBufferPointer<Int>
  ) {
    assert(counts.count >= included.count, "each part has a count")
    if !scanners.isEmpty, text.isASCII {
      for index in included.indices { counts[index] = scanners[index].count(in: text) }
      return
    }
    counts.update(repeating: 0)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: included.count) { states in
      states.initialize(repeating: 0)
      Words.forEach(in: text) { word in
        for (index, part) in included.enumerated() {
          if part.advance(&states[index], by: word) { counts[index] += 1 }
        }
        return true
      }
    }
  }
}

extension TextSearch {
  /// Returns whether a text in UTF-8 matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if isEmpty { return false }
    return scanned(text) ?? matchesWords(of: text)
  }

  /// Returns whether a text matches, by scanners; nil if they do not decide.
  private func scanned(_ text: UnsafeRawBufferPointer) -> Bool? {
    guard !scanners.isEmpty else { return nil }
    for (index, scanner) in scanners.enumerated() {
      let isFound = scanner.occurs(in: text)
      if index >= included.count {
        if isFound { return false }
      } else if !isFound {
        return text.isASCII ? false : nil
      }
    }
    return excluded.isEmpty || text.isASCII ? true : nil
  }

  /// Returns whether a text matches, by all of its words.
  private func matchesWords(of text: UnsafeRawBufferPointer) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: parts.count * 2) { memory in
      memory.initialize(repeating: 0)
      var missing = included.count
      var isExcluded = false
      Words.forEach(in: text) { word in
        for (index, part) in parts.enumerated() {
          let isFound = memory[2 * index + 1] != 0
          guard !isFound, part.advance(&memory[2 * index], by: word) else { continue }
          memory[2 * index + 1] = 1
          if index < included.count { missing -= 1 } else { isExcluded = true }
        }
        return !isExcluded && (missing > 0 || !excluded.isEmpty)
      }
      return missing == 0 && !isExcluded
    }
  }
}

extension TextSearch.Part {
  /// Takes the next word of a text. Returns true if it completes the part.
  ///
  /// - Parameter state: A bit for each number of words of the phrase that the text's last words are
  ///   equal to.
  @inline(__always)
  fileprivate func advance(_ state: inout UInt64, by word: UnsafeRawBufferPointer) -> Bool {
    assert(words.count <= TextSearch.maxPhrase, "a word has no bit in the state")
    let open = state << 1 | 1
    var next: UInt64 = 0
    for index in words.indices where open >> UInt64(index) & 1 != 0 {
      if isWord(index, word) { next |= 1 << UInt64(index) }
    }
    state = next
    return next >> UInt64(words.count - 1) & 1 != 0
  }

  /// Whether a word of a text is the word at an index, in one of its forms.
  @inline(__always)
  private func isWord(_ index: Int, _ word: UnsafeRawBufferPointer) -> Bool {
    let isPrefix = isPrefix && index == words.count - 1
    if Self.isSame(words[index], word, isPrefix: isPrefix) { return true }
    return hasOtherForms
      && otherForms[index].contains { Self.isSame($0, word, isPrefix: isPrefix) }
  }

  private static func isSame(
    _ wanted: [UInt8], _ word: UnsafeRawBufferPointer, isPrefix: Bool
  ) -> Bool {
    guard isPrefix ? word.count >= wanted.count : word.count == wanted.count else { return false }
    return wanted.withUnsafeBytes { wanted in
      guard let a = wanted.baseAddress, let b = word.baseAddress else { return true }
      return memcmp(a, b, wanted.count) == 0
    }
  }
}
