import CairnQuery
import CairnTestSupport
import CairnValues
import Foundation
import Testing

/// Random expressions, compared with `NSRegularExpression`.
@Suite(.tags(.untrusted)) struct RandomPatternTests {
  private struct Generator {
    var random: SplitMix64
    var hasAssertions = true

    mutating func pattern(_ depth: Int) -> String {
      (0..<1 + random.below(3)).map { _ in part(depth) }.joined()
    }

    private mutating func part(_ depth: Int) -> String {
      let atom = atom(depth)
      guard random.chance(0.4) else { return atom }
      // ICU takes very long for other repetitions of groups, and gives up for some.
      if atom.hasPrefix("(") { return atom + random.pick(["?", "{1,2}", "{2}"]) }
      let low = random.below(3)
      return atom
        + random.pick(["*", "+", "?", "{\(low)}", "{\(low),}", "{\(low),\(low + 2)}", "*?", "+?"])
    }

    private mutating func atom(_ depth: Int) -> String {
      switch random.below(depth > 0 ? 12 : 9) {
      case 0: return "."
      case 1: return set()
      case 2: return random.pick([#"\d"#, #"\D"#, #"\w"#, #"\W"#, #"\s"#, #"\S"#])
      case 3: return random.pick([#"\p{L}"#, #"\p{Lu}"#, #"\P{N}"#, #"\p{P}"#, #"\p{Z}"#])
      case 4 where hasAssertions:
        return random.pick(["\\b", "\\B", "^", "$", "(?i)"]) + letter()
      case 4...8: return letter()
      default:
        let alternatives = (0..<1 + random.below(3)).map { _ in
          random.chance(0.1) ? "" : pattern(depth - 1)
        }
        return random.pick(["(", "(?:", "(?i:"]) + alternatives.joined(separator: "|") + ")"
      }
    }

    private mutating func letter() -> String {
      random.pick(["a", "b", "A", "1", "é", "-", "Ж", "日"])
    }

    private mutating func set() -> String {
      let members = (0..<1 + random.below(3)).map { _ in
        random.pick(["a", "B", "a-c", "0-9", "é", "Ё-я", #"\d"#, #"\W"#, #"\-"#, #"\p{Lu}"#])
      }
      return (random.chance(0.3) ? "[^" : "[") + members.joined() + "]"
    }

    mutating func text(_ pattern: String) -> String {
      // `$` also means the position in front of a last line end to ICU.
      let letters = ["a", "a", "b", "A", "B", "1", "é", "É", "-", " ", "_", "ж", "日", "😀"]
      let all = pattern.contains("$") ? letters : letters + ["\n"]
      return (0..<random.below(7)).map { _ in random.pick(all) }.joined()
    }
  }

  @Test func randomExpressions() throws {
    let seed: UInt64 = 20_261_123
    var generator = Generator(random: SplitMix64(seed: seed))
    var matches = 0
    let rounds = Soak.count(700, long: 2000)
    for round in 0..<rounds {
      let pattern = generator.pattern(2)
      let isFolded = generator.random.chance(0.3)
      let options: StringOptions = isFolded ? .caseInsensitive : []
      let oracle = try NSRegularExpression(
        pattern: "\\A(?:\(pattern))\\z", options: isFolded ? .caseInsensitive : [])
      let expression = try RegularExpression(pattern, options: options)
      for _ in 0..<6 {
        let text = generator.text(pattern)
        let whole = NSRange(location: 0, length: text.utf16.count)
        let expected = oracle.firstMatch(in: text, range: whole) != nil
        let isMatch = Array(text.utf8).withUnsafeBytes { expression.matches($0) }
        #expect(
          isMatch == expected,
          "seed \(seed), round \(round): '\(text)' MATCHES\(isFolded ? "[c]" : "") '\(pattern)'")
        if isMatch { matches += 1 }
      }
    }
    #expect(matches > rounds / 4)
  }

  /// A text matches a loop if it can be divided into texts that match the body.
  @Test func randomLoops() throws {
    let seed: UInt64 = 20_261_124
    var generator = Generator(random: SplitMix64(seed: seed), hasAssertions: false)
    for round in 0..<Soak.count(400, long: 1000) {
      let pattern = generator.pattern(1)
      let body = try RegularExpression(pattern, options: [])
      let loop = try RegularExpression("(?:\(pattern))*", options: [])
      for _ in 0..<4 {
        let text = Array(generator.text(pattern).unicodeScalars)
        func matches(_ expression: RegularExpression, _ range: Range<Int>) -> Bool {
          var part = ""
          part.unicodeScalars.append(contentsOf: text[range])
          return Array(part.utf8).withUnsafeBytes { expression.matches($0) }
        }
        var isEnd = [true]
        for end in 0..<text.count {
          isEnd.append((0...end).contains { isEnd[$0] && matches(body, $0..<end + 1) })
        }
        #expect(
          matches(loop, 0..<text.count) == isEnd[text.count],
          "seed \(seed), round \(round): '\(text)' and the loop of '\(pattern)'")
      }
    }
  }
}
