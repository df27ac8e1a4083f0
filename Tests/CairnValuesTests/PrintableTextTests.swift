import CairnTestSupport
import CairnValues
import Testing

/// Text for a terminal: nothing in it acts on the terminal.
@Suite(.tags(.untrusted)) struct PrintableTextTests {
  /// The unsafe characters, listed one by one from the Unicode charts.
  private static let unsafe: Set<UInt32> = Set(
    Array(0x00...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]
      + [0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069])

  @Test(arguments: [
    ("plain", "plain"), ("a\nb\rc\td", "a\\nb\\rc\\td"), ("\u{1B}[31m", "\\u{1b}[31m"),
    ("\u{7F}\u{9B}2J", "\\u{7f}\\u{9b}2J"), ("abc\u{202E}def", "abc\\u{202e}def"),
    ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"), ("\0", "\\u{0}"), ("", ""),
    ("Zürich 東京 🇨🇭 👨‍👩‍👧 שלום\u{200F} … € \u{A0}", "Zürich 東京 🇨🇭 👨‍👩‍👧 שלום\u{200F} … € \u{A0}"),
    ("\r\n", "\\r\\n"), ("e\u{301}\u{85}", "e\u{301}\\u{85}"),
  ])
  func escapes(text: String, shown: String) {
    #expect(PrintableText.escaped(text) == shown)
  }

  @Test func keepsTheGivenCharacters() {
    #expect(PrintableText.escaped("a\nb\tc\u{1B}", keeping: ["\n"]) == "a\nb\\tc\\u{1b}")
    #expect(PrintableText.escaped("a\nb\tc\u{1B}", keeping: ["\n", "\t"]) == "a\nb\tc\\u{1b}")
  }

  /// The result contains no unsafe character, a text without any is unchanged, and every other
  /// character keeps its position.
  @Test func noEscapedTextIsUnsafe() {
    let seed = Soak.seed(147)
    var random = SplitMix64(seed: seed)
    let odd: [UInt32] =
      Array(Self.unsafe) + [0x200E, 0x200F, 0x2065, 0x206A, 0x2027, 0x202F, 0xA0, 0x7E]
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let value =
          Bool.random(using: &random)
          ? odd[Int.random(in: 0..<odd.count, using: &random)]
          : UInt32.random(in: 0...0x10FFFF, using: &random)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let shown = PrintableText.escaped(text)
      #expect(!shown.unicodeScalars.contains { Self.unsafe.contains($0.value) }, "seed \(seed)")
      let isSafe = !text.unicodeScalars.contains { Self.unsafe.contains($0.value) }
      #expect(isSafe == (shown.unicodeScalars.elementsEqual(text.unicodeScalars)), "seed \(seed)")
      let expected = text.unicodeScalars.map { scalar -> String in
        guard Self.unsafe.contains(scalar.value) else { return String(scalar) }
        switch scalar.value {
        case 10: return "\\n"
        case 13: return "\\r"
        case 9: return "\\t"
        default: return "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
      #expect(
        shown.unicodeScalars.elementsEqual(expected.joined().unicodeScalars), "seed \(seed)")
      if PrintableText.isSafe(text.utf8) { #expect(isSafe, "seed \(seed)") }
    }
  }
}
