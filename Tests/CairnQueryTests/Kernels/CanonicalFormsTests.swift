import CairnQuery
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// Canonically equivalent texts where marks are ignored, against Foundation's normalisation.
@Suite struct CanonicalFormsTests {
  private static let bothOptions: [StringOptions] = [
    .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  private func isEqual(_ text: String, _ operand: String, _ options: StringOptions) -> Bool {
    let matcher = TextMatcher(.equals, operand: operand, options: options)
    return Array(text.utf8).withUnsafeBytes { matcher.matches($0) }
  }

  @Test(arguments: bothOptions) func everyCodePointEqualsItsDecomposition(options: StringOptions) {
    var (count, missed) = (0, [String]())
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let decomposed = text.decomposedStringWithCanonicalMapping
      guard !decomposed.unicodeScalars.elementsEqual(text.unicodeScalars) else { continue }
      count += 1
      if !isEqual(text, decomposed, options) || !isEqual(decomposed, text, options) {
        missed.append(String(value, radix: 16))
      }
    }
    #expect(count > 13_000)
    #expect(missed.isEmpty, "\(missed.count): \(missed.prefix(20))")
  }

  /// Texts of letters that compose, in any mixture of their forms.
  @Test(arguments: [801, 802] as [UInt64]) func allFormsOfATextAreEqual(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("한글각가힣 কোৌ കൊ தொ ಕೋ සෝ 豈 Ωé ậ ỗ ᭀ 𑒼".unicodeScalars)
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<random.below(6) {
        text.unicodeScalars.append(letters[random.below(letters.count)])
      }
      let forms = [
        text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        mixed(text, &random),
      ]
      for one in forms {
        for other in forms {
          for options in Self.bothOptions {
            #expect(isEqual(one, other, options), "\(one.unicodeScalars) \(other) seed \(seed)")
          }
          let pattern = try? RegularExpression(other, options: .diacriticInsensitive)
          let matches = Array(one.utf8).withUnsafeBytes { pattern?.matches($0) }
          #expect(matches == true, "\(one) \(other) seed \(seed)")
        }
      }
    }
  }

  /// Each character in one of its forms.
  private func mixed(_ text: String, _ random: inout SplitMix64) -> String {
    text.map {
      random.below(2) == 0 ? String($0) : String($0).decomposedStringWithCanonicalMapping
    }.joined()
  }

  @Test func aSyllableIsNotFoundInALongerOne() {
    let long = "한".decomposedStringWithCanonicalMapping
    for (operation, operand, text, expected) in [
      (TextMatcher.Operation.contains, "하", "한", false), (.contains, "하", long, false),
      (.beginsWith, "한", long + "글", true), (.endsWith, "글", "한글", true),
      (.like, "?글", long + "글", true), (.like, "??글", long + "글", false),
      (.contains, "কে", "কো", false),
    ] {
      let matcher = TextMatcher(operation, operand: operand, options: .diacriticInsensitive)
      let found = Array(text.utf8).withUnsafeBytes { matcher.matches($0) }
      #expect(found == expected, "\(operation) \(operand) \(text)")
    }
  }

  @Test func searchFindsAllFormsOfAWord() throws {
    let korean = "한글"
    let decomposed = korean.decomposedStringWithCanonicalMapping
    for (text, search, expected) in [
      (korean, decomposed, true), (decomposed, korean, true), (decomposed, "한*", true),
      ("서울 \(decomposed) 책", "\"서울 \(korean)\"", true), ("\u{F900}", "豈", true),
      ("豈", "\u{F900}", true), (korean, "한", false), ("কো", "ক\u{9C7}\u{9BE}", true),
    ] {
      let parsed = try #require(TextSearch(search))
      #expect(
        Array(text.utf8).withUnsafeBytes { parsed.matches($0) } == expected, "\(text) \(search)")
    }
  }
}
