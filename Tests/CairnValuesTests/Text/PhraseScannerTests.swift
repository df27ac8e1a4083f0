import CairnTestSupport
import Testing

@testable import CairnValues

/// Searches that read a text without separating its words, against the words of every text.
@Suite(.tags(.untrusted)) struct PhraseScannerTests {
  private static let separators = [" ", "  ", ", ", "-", "\n", "—", "\u{200B}", ""]
  private static let words = [
    "a", "A", "ab", "AB", "abc", "b", "ba", "_", "7", "é", "k\u{301}", "東",
  ]

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func occurrencesAreCounted(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Soak.count(1000, long: 3000) {
      let isASCII = random.chance(0.6)
      let words = isASCII ? Array(Self.words.prefix(9)) : Self.words
      let separators = isASCII ? Array(Self.separators.prefix(5)) : Self.separators
      var text = ""
      for _ in 0..<random.below(40) { text += random.pick(words) + random.pick(separators) }
      let phrase = (0...random.below(3)).map { _ in random.pick(Array(Self.words.prefix(8))) }
      let isPrefix = random.chance(0.3)
      let written = "\"\(phrase.joined(separator: " "))\"" + (isPrefix ? "*" : "")
      let search = try #require(TextSearch(written))
      let wanted = phrase.map { Array($0.lowercased().utf8) }
      let found = Words.all(in: text)
      let expected = found.indices.count { start in
        guard start + wanted.count <= found.count else { return false }
        return wanted.indices.allSatisfy { index in
          let word = found[start + index]
          return index == wanted.count - 1 && isPrefix
            ? word.starts(with: wanted[index]) : word == wanted[index]
        }
      }
      let (count, matches) = Array(text.utf8).withUnsafeBytes { bytes in
        var counts = [-1]
        counts.withUnsafeMutableBufferPointer { search.count(in: bytes, into: $0) }
        return (counts[0], search.matches(bytes))
      }
      #expect(count == expected, "seed \(seed): \(written) in \(text.debugDescription)")
      #expect(matches == (expected > 0), "seed \(seed): \(written) in \(text.debugDescription)")
    }
  }

  @Test func wordsThatWereCut() throws {
    let long = String(repeating: "a", count: 300)
    for (search, text, expected) in [
      ("\"b \(long)\"", "b \(long)c", true), ("\"b \(long.prefix(251))\"", "b \(long)", false),
      ("\"b \(long.prefix(251))*\"", "b \(long)", true), ("b", "", false),
      ("\"a b\" -c", "A.B", true),
      ("\"a b\" -c", "a b c", false), ("\"a b\" -é", "a b é", false),
    ] {
      let parsed = try #require(TextSearch(search))
      #expect(
        Array(text.utf8).withUnsafeBytes { parsed.matches($0) } == expected, "\(search) in \(text)")
    }
  }
}
