import Testing

@testable import CairnIO

/// The names of folders that state values, as Spark writes them.
@Suite struct HivePathTests {
  /// Names that Spark 4.3 wrote for these values (`data/foreign/lakes/spark`), and those of its table of escaped
  /// characters.
  @Test(arguments: [
    ("CH", "k=CH"), ("a b", "k=a b"), ("x=y/z", "k=x%3Dy%2Fz"), ("100%", "k=100%25"),
    ("Zürich", "k=Zürich"), ("Ω?*", "k=Ω%3F%2A"), ("", "k=__HIVE_DEFAULT_PARTITION__"),
    ("a:b\\c", "k=a%3Ab%5Cc"), ("\"'#", "k=%22%27%23"), ("{[]^}", "k=%7B%5B%5D%5E}"),
    ("\n\t\u{7F}\u{1}", "k=%0A%09%7F%01"), ("a\0b", "k=a%00b"), (".", "k=."),
    ("~+&;<>|", "k=~+&;<>|"),
  ])
  func namesAreThoseOfSpark(value: String, name: String) throws {
    #expect(HivePath.name("k", value) == name)
    let parsed = try #require(HivePath.parse(name))
    #expect(parsed.name == "k")
    #expect(parsed.value == (value.isEmpty ? nil : value))
  }

  @Test func nullsAndColumnsHaveNames() throws {
    #expect(HivePath.name("k", nil) == "k=__HIVE_DEFAULT_PARTITION__")
    #expect(HivePath.name("a/b = c", "1") == "a%2Fb %3D c=1")
    let parsed = try #require(HivePath.parse("a%2Fb %3D c=1"))
    #expect(parsed.name == "a/b = c" && parsed.value == "1")
  }

  /// Other writers escape more, in small digits too, and what is not escaped stays as it is.
  @Test(arguments: [
    ("k=Z%C3%BCrich", "Zürich"), ("k=a%20b", "a b"), ("k=%c3%bc", "ü"), ("k=a=b", "a=b"),
    ("k=100%", "100%"), ("k=%zz", "%zz"), ("k=%2", "%2"), ("k=%FF", "%FF"), ("k=", ""),
    ("k=a+b", "a+b"),
  ])
  func otherNamesAreRead(name: String, value: String) throws {
    #expect(try #require(HivePath.parse(name)).value == value)
  }

  @Test(arguments: ["", "k", "=v", "part-0.parquet"]) func otherNamesStateNothing(name: String) {
    #expect(HivePath.parse(name) == nil)
  }

  /// Every text of up to three characters of a few kinds, and a very long one.
  @Test func textsAreReadBack() {
    let letters = ["a", "%", "=", "/", "2", "F", "ü", " ", "\u{1F600}", "\u{301}", "\0"]
    var texts = letters
    for _ in 0..<2 {
      texts = letters + texts.flatMap { text in letters.map { text + $0 } }
    }
    texts.append(String(repeating: "long/", count: 10_000))
    for text in texts {
      let name = HivePath.name(text, text)
      #expect(!name.contains("/") && !name.contains("\0"))
      let parsed = HivePath.parse(name)
      #expect(parsed?.name.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
      #expect(parsed?.value?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }
  }
}
