import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

/// Sets of folded strings, compared with individual comparisons.
@Suite(.tags(.untrusted)) struct FoldedTextsTests {
  private static let letters: [Character] = [
    "a", "A", "b", "B", "z", "Z", "@", "[", "é", "É", "e", "E", "ß", "s", "S", "ﬁ", "f", "i", "İ",
    "ı",
    "ά", "Α", "ж", "Ж", "日", "e\u{301}", "\u{212A}", "k", "𐐀", "𐐨", "o\u{308}\u{301}",
  ]

  @Test(arguments: [3201, 3202, 3203, 3204] as [UInt64])
  func theSetContainsExactlyTheEqualStrings(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var found = 0
    let rounds = Soak.count(150, long: 400)
    for _ in 0..<rounds {
      let options: StringOptions = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
      ][random.below(3)]
      let members = (0..<random.below(41)).map { _ in Self.text(&random) }
      let texts = FoldedTextSet(members, options: options)
      let matchers = members.map { TextMatcher(.equals, operand: $0, options: options) }
      for _ in 0..<40 {
        let text = Self.text(&random)
        Array(text.utf8).withUnsafeBytes { bytes in
          let isEqual = matchers.contains { $0.matches(bytes) }
          #expect(texts.contains(bytes) == isEqual, "\(text) in \(members) seed \(seed)")
          if isEqual { found += 1 }
        }
      }
      #expect(texts.count <= members.count)
    }
    #expect(found > rounds * 5 / 2)
  }

  /// Bytes that are not UTF-8, as in a damaged store.
  @Test(arguments: [3211] as [UInt64])
  func anyBytesAreAccepted(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let options: StringOptions = [.caseInsensitive, .diacriticInsensitive]
    let members = ["", "a", "É", "ab", "\u{FFFD}"]
    let texts = FoldedTextSet(members, options: options)
    let matchers = members.map { TextMatcher(.equals, operand: $0, options: options) }
    for _ in 0..<5000 {
      let bytes = (0..<random.below(4)).map { _ in UInt8(random.below(256)) }
      bytes.withUnsafeBytes { bytes in
        #expect(
          texts.contains(bytes) == matchers.contains { $0.matches(bytes) },
          "\(Array(bytes)) seed \(seed)")
      }
    }
  }

  @Test func equalStringsAreOneMember() {
    #expect(FoldedTextSet(["a", "A", "á"], options: .caseInsensitive).count == 2)
    #expect(FoldedTextSet([], options: .caseInsensitive).count == 0)
    let empty = FoldedTextSet([], options: .caseInsensitive)
    #expect(!empty.contains(UnsafeRawBufferPointer(start: nil, count: 0)))
    let blank = FoldedTextSet([""], options: .caseInsensitive)
    #expect(blank.contains(UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  private static func text(_ random: inout SplitMix64) -> String {
    String((0..<random.below(4)).map { _ in letters[random.below(letters.count)] })
  }
}
