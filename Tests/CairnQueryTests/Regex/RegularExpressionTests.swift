import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct RegularExpressionTests {
  static let c: StringOptions = .caseInsensitive
  static let d: StringOptions = .diacriticInsensitive

  static func matches(
    _ text: String, _ pattern: String, _ options: StringOptions = []
  ) throws -> Bool {
    let expression = try RegularExpression(pattern, options: options)
    return Array(text.utf8).withUnsafeBytes { expression.matches($0) }
  }

  @Test(
    arguments: [
      ("", [""], ["a"]),
      ("abc", ["abc"], ["ab", "abcd", "ABC", ""]),
      ("a.c", ["abc", "aéc", "a🎉c"], ["ac", "a\nc", "a\u{2028}c", "abbc"]),
      ("a*", ["", "a", "aaaa"], ["b", "aab"]),
      ("a+b?", ["a", "aab"], ["", "b", "abb"]),
      ("a{2}", ["aa"], ["a", "aaa"]),
      ("a{2,}", ["aa", "aaaaa"], ["a"]),
      ("a{1,3}", ["a", "aaa"], ["", "aaaa"]),
      ("a{0}", [""], ["a"]),
      ("a*?b+?c??", ["b", "aabbc"], ["c"]),
      ("cat|dog|", ["cat", "dog", ""], ["catdog"]),
      ("(ab|c)+d", ["abd", "ccabd"], ["d", "abcb"]),
      ("(?:a|b)(?<name>c)", ["ac", "bc"], ["a"]),
      ("(a*)*b", ["b", "aab"], ["a"]),
      ("(|a)+", ["", "a", "aa"], ["b"]),
      ("[abc]", ["a", "c"], ["d", "ab"]),
      ("[a-cx-z]+", ["abz"], ["d", "w"]),
      ("[^a-c]+", ["d", "é", "\n"], ["a", "da"]),
      ("[]a]+", ["]a"], ["b"]),
      ("[^]a]", ["b"], ["]", "a"]),
      ("[a-]+", ["a-"], ["b"]),
      ("[-a]+", ["a-"], ["b"]),
      (#"[\]\-\\]+"#, [#"]-\"#], ["a"]),
      (#"[\w.-]+@\w+"#, ["a.b-c@d1"], ["a@", "@b", "a b@c"]),
      ("[ab[d-f]]+", ["abdf"], ["c"]),
      ("[ä-ü]", ["ö"], ["a", "ÿ"]),
      (#"\d+"#, ["007", "٣"], ["a", "1a", "½"]),
      (#"\D\W\S"#, ["a-b"], ["1-b", "aab", "a- "]),
      (#"\w+"#, ["Zürich_1", "日本", "e\u{301}"], ["a b", "a-b"]),
      (#"\s"#, [" ", "\t", "\u{A0}", "\u{3000}"], ["a", "\u{200B}"]),
      (#"\p{Lu}\p{L}*"#, ["Zürich", "Жук"], ["zürich", "Z1"]),
      (#"\pN\P{N}"#, ["1a", "½a"], ["a1", "11"]),
      (#"[\p{L}\d]+"#, ["a1"], ["-"]),
      (#"[^\p{L}\s]+"#, ["1-2"], ["a", "1 2"]),
      (#"^abc$"#, ["abc"], ["abcd"]),
      (#"\Aabc\z"#, ["abc"], ["xabc"]),
      (#"a^b"#, [], ["ab"]),
      (#"a$b"#, [], ["ab"]),
      (#"(^a|b)+"#, ["a", "ab", "b"], ["aa", "ba"]),
      (#".*\bfoo\b.*"#, ["foo", "a foo b", "é-foo."], ["foobar", "afoo", "éfoo"]),
      (#"a\Bb"#, ["ab"], ["a b"]),
      (#"\b"#, [], ["", "a"]),
      (#"\B"#, [""], ["a"]),
      (#"a\.b\*\\"#, [#"a.b*\"#], ["axb*"]),
      (#"\t\n\r\f"#, ["\t\n\r\u{C}"], ["tnrf"]),
      (#"\x41\u00e9\U0001F600\x{42}\u{1F601}"#, ["Aé😀B😁"], ["A"]),
      (#"\Qa.b*\E+c"#, ["a.b*c", "a.b*a.b*c"], ["axbc"]),
      (#"\Q(("#, ["(("], ["("]),
      ("(?i)Zürich", ["zÜRICH"], ["zurich"]),
      ("(?i:a)b", ["ab", "Ab"], ["aB"]),
      ("a(?i)b|c", ["ab", "aB", "C"], ["AB"]),
      ("(?i)a(?-i)b", ["Ab"], ["AB"]),
      ("(?s).", ["\n"], [""]),
      ("a(?#a comment)b", ["ab"], ["a"]),
      ("a]", ["a]"], ["a"]),
      ("日本?", ["日", "日本"], ["本"]),
      ("[日-本]", ["日"], ["a"]),
      ("🎉{2}", ["🎉🎉"], ["🎉"]),
    ] as [(String, [String], [String])])
  func wholeTexts(_ pattern: String, _ good: [String], _ bad: [String]) throws {
    for text in good { #expect(try Self.matches(text, pattern), "'\(text)' and '\(pattern)'") }
    for text in bad { #expect(try !Self.matches(text, pattern), "'\(text)' and '\(pattern)'") }
  }

  /// Case and marks fold as they do for LIKE, also where one code point folds to two.
  @Test func folding() throws {
    #expect(try Self.matches("STRASSE", "stra(ß|x)e", Self.c))
    #expect(try Self.matches("straße", "STRASSE", Self.c))
    #expect(try Self.matches("straße", "STRAS+E", Self.c) == false)
    #expect(try Self.matches("ŒUVRE", "[œ]uvr[^a]", Self.c))
    #expect(try Self.matches("K\u{212A}", "k+", Self.c))
    #expect(try Self.matches("A", #"\p{Ll}"#, Self.c))
    #expect(try !Self.matches("A", "[^a]", Self.c))
    #expect(try Self.matches("São Tomé", "sao tome", [Self.c, Self.d]))
    #expect(try !Self.matches("São Tomé", "sao tome", Self.c))
    #expect(try Self.matches("e\u{301}te\u{301}", "été", Self.d))
    #expect(try Self.matches("e\u{301}", ".", Self.d))
    #expect(try Self.matches("e\u{301}", "..", []))
    #expect(try Self.matches("é", "[a-f]", Self.d))
    #expect(try Self.matches("\u{301}", "", Self.d))
    #expect(try Self.matches("İ", "i", [Self.c, Self.d]))
  }

  /// LIKE and a regular expression of the same meaning agree.
  @Test func randomPatternsOfLike() throws {
    let seed: UInt64 = 20_261_122
    var random = SplitMix64(seed: seed)
    for round in 0..<3000 {
      let options = random.pick(StringOptions.combinations)
      let text = TextMatcherTests.word("aéÉksS\u{301}Ж\u{212A}日", 6, &random)
      let pattern = TextMatcherTests.word("aéÉksS\u{301}Ж\u{212A}日*?", 5, &random)
      let expression = pattern.unicodeScalars.map { letter in
        letter == "*" ? "(?s:.*)" : letter == "?" ? "(?s:.)" : String(letter)
      }.joined()
      let expected = TextMatcherTests.matches(text, .like, pattern, options)
      #expect(
        try Self.matches(text, expression, options) == expected,
        "seed \(seed), round \(round): '\(text)' LIKE \(options.rawValue) '\(pattern)'")
    }
  }

  /// Each repetition could be divided in very many ways, which takes other engines for ever.
  @Test func timeIsBounded() throws {
    let text = String(repeating: "a", count: 20_000)
    for pattern in ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)b", ".*a.{200}b"] {
      #expect(try !Self.matches(text, pattern))
    }
  }

  /// The states of this expression are far too many to be kept.
  @Test func statesAreDroppedWhenTheMemoryIsFull() throws {
    let seed: UInt64 = 7
    var random = SplitMix64(seed: seed)
    let expression = try RegularExpression("(.*a.{14}|b.*)c?", options: [])
    for round in 0..<15 {
      let text = (0..<2000).map { _ in random.pick(["a", "b"]) }.joined()
      let letters = Array(text)
      let expected = letters[letters.count - 15] == "a" || letters[0] == "b"
      let matches = Array(text.utf8).withUnsafeBytes { expression.matches($0) }
      #expect(matches == expected, "seed \(seed), round \(round)")
    }
  }

  @Test func severalThreads() async throws {
    let expression = try RegularExpression(#"(\w+ )*x\d{3}"#, options: Self.c)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          (0..<2000).allSatisfy { number in
            let text = "Wort \(task) X\(number)"
            let expected = (100...999).contains(number)
            return Array(text.utf8).withUnsafeBytes { expression.matches($0) } == expected
          }
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func damagedTextIsHarmless() throws {
    let expression = try RegularExpression(#"(é|\w|.)*"#, options: [Self.c, Self.d])
    for bytes: [UInt8] in [
      [0xC3], [0xFF, 0xFE], [0xE2, 0x82], [0xF0, 0x9F, 0x8E], [0x80, 0x65],
      [0xF7, 0xBF, 0xBF, 0xBF],
    ] {
      _ = bytes.withUnsafeBytes { expression.matches($0) }
    }
  }
}
