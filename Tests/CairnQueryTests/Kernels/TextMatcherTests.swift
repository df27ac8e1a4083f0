import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct TextMatcherTests {
  static let c: StringOptions = .caseInsensitive
  static let d: StringOptions = .diacriticInsensitive
  static let cd: StringOptions = [.caseInsensitive, .diacriticInsensitive]

  static func matches(
    _ text: String, _ operation: TextMatcher.Operation, _ operand: String,
    _ options: StringOptions = []
  ) -> Bool {
    let matcher = TextMatcher(operation, operand: operand, options: options)
    return Array(text.utf8).withUnsafeBytes { matcher.matches($0) }
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abc", "ABC", false), ("abc", "ab", false), ("", "", true),
    ("é", "e\u{301}", false), ("é", "é", true),
  ])
  func plainEquality(_ text: String, _ operand: String, _ expected: Bool) {
    #expect(Self.matches(text, .equals, operand) == expected)
  }

  @Test(arguments: [
    ("abc", "ABC"), ("ABC", "abc"), ("É", "é"), ("Ā", "ā"), ("Ж", "ж"), ("ÖL", "öl"),
    ("straße", "STRASSE"), ("STRASSE", "straße"), ("ẞ", "ss"), ("ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "οδοσ"),
    ("İ", "i\u{307}"), ("ſ", "S"), ("\u{212A}elvin", "kelvin"), ("kelvin", "\u{212A}ELVIN"),
    ("ǅ", "ǆ"), ("ﬁn", "FIN"), ("Ⅷ", "ⅷ"), ("𐐀", "𐐨"), ("Ꙁ", "ꙁ"), ("Ა", "ა"), ("日本", "日本"),
  ])
  func equalExceptForCase(_ a: String, _ b: String) {
    #expect(Self.matches(a, .equals, b, Self.c))
    #expect(Self.matches(b, .equals, a, Self.c))
  }

  @Test(arguments: [("é", "e"), ("ı", "i"), ("ø", "o"), ("a", "b"), ("é", "E")])
  func differentExceptForCase(_ a: String, _ b: String) {
    #expect(!Self.matches(a, .equals, b, Self.c))
  }

  @Test(arguments: [
    ("é", "e"), ("e\u{301}", "é"), ("Å", "A"), ("ñandú", "nandu"), ("Ǖ", "U"), ("ệ", "e"),
    ("й", "и"), ("ά", "α"), ("ȭ", "o"), ("Ứ", "U"), ("אָ", "א"), ("が", "か"),
  ])
  func equalExceptForDiacritics(_ a: String, _ b: String) {
    #expect(Self.matches(a, .equals, b, Self.d))
    #expect(Self.matches(b, .equals, a, Self.d))
    #expect(Self.matches(a, .equals, b, Self.cd))
  }

  @Test func caseMattersWithoutTheOption() {
    #expect(!Self.matches("É", .equals, "e", Self.d))
    #expect(Self.matches("É", .equals, "e", Self.cd))
    #expect(Self.matches("CAFÉ", .equals, "café", Self.cd))
    #expect(Self.matches("İSTANBUL", .equals, "istanbul", Self.cd))
  }

  @Test func substrings() {
    #expect(Self.matches("München", .beginsWith, "Mün"))
    #expect(!Self.matches("München", .beginsWith, "mün"))
    #expect(Self.matches("München", .beginsWith, "MÜN", Self.c))
    #expect(Self.matches("München", .beginsWith, "mun", Self.cd))
    #expect(Self.matches("München", .endsWith, "CHEN", Self.c))
    #expect(Self.matches("São Tomé", .endsWith, "tome", Self.cd))
    #expect(Self.matches("Saint-Étienne", .contains, "etienne", Self.cd))
    #expect(!Self.matches("Saint-Étienne", .contains, "etienne", Self.c))
    #expect(Self.matches("Groß Gerau", .contains, "SS G", Self.c))
  }

  @Test func emptyOperandsMatchNothing() {
    for options in [[], Self.c, Self.d, Self.cd] {
      for operation in [TextMatcher.Operation.beginsWith, .endsWith, .contains] {
        #expect(!Self.matches("abc", operation, "", options))
        #expect(!Self.matches("", operation, "", options))
      }
      #expect(!Self.matches("abc", .equals, "", options))
      #expect(Self.matches("", .equals, "", options))
      #expect(Self.matches("", .like, "", options))
    }
    // An operand that folds to nothing is also empty.
    #expect(!Self.matches("abc", .contains, "\u{301}", Self.d))
  }

  @Test(arguments: [
    ("abc", "*", true), ("", "*", true), ("", "?", false), ("a", "?", true), ("ab", "?", false),
    ("abc", "a*", true), ("abc", "*c", true), ("abc", "*b*", true), ("abc", "a?c", true),
    ("abc", "a*b", false), ("abc", "abc*", true), ("abc", "***", true), ("abc", "????", false),
    ("🎉", "?", true), ("e\u{301}", "?", false), ("e\u{301}", "??", true), ("日本語", "日?語", true),
    ("aaab", "*ab", true), ("mississippi", "*iss*ippi", true), ("mississippi", "m*iss?", false),
    ("Abc", "abc", false), ("a*c", "a*c", true),
  ])
  func wildcards(_ text: String, _ pattern: String, _ expected: Bool) {
    #expect(Self.matches(text, .like, pattern) == expected)
    #expect(
      Self.matches(text.uppercased(), .like, pattern.uppercased(), []) == expected || text == "Abc")
  }

  @Test func foldedWildcards() {
    #expect(Self.matches("ABC", .like, "a?c", Self.c))
    #expect(Self.matches("ÀBC", .like, "a*", Self.cd))
    #expect(!Self.matches("ÀBC", .like, "a*", Self.c))
    // `?` matches one code point of the text, even if that folds to several.
    #expect(Self.matches("ß", .like, "?", Self.c))
    #expect(Self.matches("Maß", .like, "MA?", Self.c))
    #expect(Self.matches("Maß", .like, "*SS", Self.c))
    #expect(Self.matches("e\u{301}x", .like, "?x", Self.d))
    #expect(Self.matches("Жук", .like, "ж?к", Self.c))
  }

  @Test func operandsThatChange() {
    func matches(_ a: String, _ b: String, _ options: StringOptions) -> Bool {
      Array(a.utf8).withUnsafeBytes { text in
        Array(b.utf8).withUnsafeBytes {
          TextMatcher.matches(.contains, text: text, operand: $0, options: options)
        }
      }
    }
    #expect(matches("Hello", "ell", []))
    #expect(matches("Hello", "ELL", Self.c))
    #expect(!matches("Hello", "", Self.c))
  }

  @Test func damagedTextIsHarmless() {
    let matcher = TextMatcher(TextMatcher.Operation.contains, operand: "é", options: Self.cd)
    for bytes: [UInt8] in [
      [0xC3], [0xFF, 0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x8E], [0x80, 0x65],
    ] {
      _ = bytes.withUnsafeBytes { matcher.matches($0) }
    }
  }

  /// Wildcards, compared with the simplest recursive definition.
  @Test func randomWildcards() {
    let seed: UInt64 = 20_240_501
    var random = SplitMix64(seed: seed)
    for round in 0..<20_000 {
      let text = Self.word("abé", 8, &random)
      let pattern = Self.word("abé*?", 6, &random)
      let expected = Self.fits(Array(text.unicodeScalars), Array(pattern.unicodeScalars))
      #expect(
        Self.matches(text, .like, pattern) == expected,
        "seed \(seed), round \(round): '\(text)' LIKE '\(pattern)'")
      #expect(
        Self.matches(text.uppercased(), .like, pattern, Self.c) == expected,
        "seed \(seed), round \(round): '\(text.uppercased())' LIKE[c] '\(pattern)'")
    }
  }

  static func word(_ letters: String, _ most: Int, _ random: inout SplitMix64) -> String {
    let letters = Array(letters.unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0...most, using: &random) {
      text.unicodeScalars.append(letters[Int.random(in: 0..<letters.count, using: &random)])
    }
    return text
  }

  static func fits(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    if first == "*" { return (0...text.count).contains { fits(Array(text.dropFirst($0)), rest) } }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return fits(Array(text.dropFirst()), rest)
  }
}
