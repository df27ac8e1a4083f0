import CairnTestSupport
import Testing

@testable import CairnValues

/// The words of texts, and searches for them, against tables and random texts in many scripts.
@Suite(.tags(.untrusted)) struct WordsTests {
  private func words(_ text: String) -> [String] {
    Words.all(in: text).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []), ("...", []), ("Swift", ["swift"]),
      ("l'Hôtel de la Paix", ["l", "hotel", "de", "la", "paix"]),
      ("snake_case 3.14 e-mail", ["snake_case", "3", "14", "e", "mail"]),
      ("ΣΊΣΥΦΟΣ Straße İstanbul", ["σισυφοσ", "strasse", "istanbul"]),
      ("東京タワーへ行く", ["東", "京", "タワー", "へ", "行", "く"]),
      ("서울 타워", ["서울", "타워"]),
      ("soft\u{AD}hyphen zero\u{200B}space", ["softhyphen", "zero", "space"]),
      ("हिन्दी", ["हिनदी"]), ("🚢 harbour🚢", ["harbour"]), ("\u{301}x\u{301}", ["x"]),
    ] as [(String, [String])])
  func wordsOfTexts(text: String, expected: [String]) { #expect(words(text) == expected) }

  @Test func longWordsAreCutBetweenCharacters() {
    for letter in ["a", "ж", "サ", "𐍈"] {
      let found = Words.all(in: String(repeating: letter, count: 300) + " end")
      #expect(found.count == 2 && found[0].count <= Words.maxBytes)
      #expect(found[0].count > Words.maxBytes - 4)
      #expect(String(validating: found[0], as: UTF8.self) != nil)
    }
  }

  @Test(arguments: 1...UInt64(Soak.count(1, long: 2)))
  func randomTextsAndSearches(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var texts: [ScriptedText] = []
    for _ in 0..<300 {
      let text = ScriptedText(&random)
      #expect(words(text.text) == text.words, "seed \(seed): \(text.text.debugDescription)")
      texts.append(text)
    }
    for _ in 0..<60 {
      let search = ScriptedSearch(&random, of: texts.filter { !$0.words.isEmpty })
      let parsed = try #require(TextSearch(search.text))
      for text in texts {
        let found = Array(text.text.utf8).withUnsafeBytes { parsed.matches($0) }
        #expect(
          found == search.matches(text.words),
          "seed \(seed): \(search.text) in \(text.text.debugDescription)")
      }
    }
  }

  @Test func searchesAreRead() throws {
    func count(_ text: String) throws -> (Int, Int) {
      let search = try #require(TextSearch(text))
      return (search.included.count, search.excluded.count)
    }
    #expect(try count("swift -ios") == (1, 1))
    #expect(try count("\"open phrase") == (1, 0))
    #expect(try count("a\"b c\"-d") == (2, 1), "a quote ends a word, and begins a phrase")
    #expect(try count("- * \"\" -\"!\"") == (0, 0))
    #expect(try #require(TextSearch("!")).isEmpty)
    #expect(try #require(TextSearch("e-mail* \"new yor\"*")).included.allSatisfy { $0.isPrefix })
    #expect(try #require(TextSearch("e-mail")).hasPhrases)
    let long = Array(repeating: "a", count: 64).joined(separator: " ")
    let text = Array("b \(long) c".utf8)
    #expect(
      try text.withUnsafeBytes {
        try #require(TextSearch("\"\(long) c\"") == nil ? TextSearch("\"\(long)\"") : nil).matches(
          $0)
      })
  }
}
