import CairnGeometry
import CairnTestSupport
import Testing

@testable import CairnCommand

/// Command lines of `count` that are read without the parser.
@Suite struct RowCountTests {
  private static let words = [
    "s", "c", "a > 1", "", "-", "--", "--near", "--near", "--radius", "--radius", "1,2", "-3,4",
    "c:a == 1", "x", "5km", "1e3m", "-5km", "--near=1,2", "--bbox", "1,2,3,4", "--by",
    "--untrusted", "-n", "--help",
  ]

  /// Each line that is read without the parser means to the parser what it means here.
  @Test func randomLinesAgreeWithTheParser() throws {
    let seed = Soak.seed(104)
    var random = SplitMix64(seed: seed)
    var plain = 0
    for _ in 0..<Soak.count(1500, long: 3000) {
      var line = ["count"]
      let isLikely = random.below(3) > 0
      if isLikely { line += ["s", "c"] }
      if isLikely, random.chance(0.5) {
        line += ["--radius", "5km", "--near", Self.words[10 + random.below(4)]]
      }
      for _ in 0..<random.below(4) {
        let word = random.pick(Self.words)
        line.insert(word, at: 1 + random.below(line.count))
      }
      guard let count = RowCount(plain: line) else { continue }
      plain += 1
      let parsed = try #require(
        try Shell.parse(line) as? CountCommand, "\(line), seed \(seed)")
      #expect(
        try String(reflecting: count.arguments)
          == String(reflecting: parsed.target.arguments(parsed.area)),
        "\(line), seed \(seed)")
    }
    #expect(plain > 100)
  }

  @Test func plainFormsAreReadWithoutTheParser() {
    for line in [
      ["count", "s", "c"], ["count", "s", "c", "a > 1"],
      ["count", "s", "--near", "-1,2", "--radius", "5km", "c"],
      ["count", "--radius", "5km", "s", "c", "a", "--near", "k:id == 1"],
    ] {
      #expect(RowCount(plain: line) != nil, "\(line)")
    }
  }

  /// Everything else is left to the parser, which names the error.
  @Test func otherFormsAreLeftToTheParser() {
    for line in [
      [], ["count"], ["count", "s"], ["count", "s", "c", "p", "q"], ["query", "s", "c"],
      ["count", "s", "c", "--near", "1,2"], ["count", "s", "c", "--radius", "1km"],
      ["count", "s", "c", "--near", "1,2", "--radius"],
      ["count", "s", "c", "--near", "1,2", "--near", "1,2", "--radius", "1km"],
      ["count", "s", "c", "--near", "north", "--radius", "1km"],
      ["count", "s", "c", "--near", "1,2", "--radius", "far"],
      ["count", "s", "c", "--by", "a"], ["count", "s", "c", "--help"], ["count", "s", ""],
      ["count", "--", "s", "c"], ["count", "s", "c", "-a"],
    ] {
      #expect(RowCount(plain: line) == nil, "\(line)")
    }
  }
}
