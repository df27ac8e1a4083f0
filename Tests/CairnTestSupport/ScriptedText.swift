/// A random text in many scripts with its words, which follow from a table that says for each
/// character how it takes part in words.
public struct ScriptedText: Sendable {
  /// The text.
  public private(set) var text = ""
  /// The folded words in order.
  public private(set) var words: [String] = []
  private var word = ""
  private var isWhole = false

  private enum Part { case letter, whole, mark, separator, ignored }

  /// Characters with their folded form.
  private static let table: [(text: String, folded: String, part: Part)] = [
    ("a", "a", .letter), ("b", "b", .letter), ("B", "b", .letter), ("c", "c", .letter),
    ("C", "c", .letter), ("e", "e", .letter), ("é", "e", .letter), ("É", "e", .letter),
    ("e\u{301}", "e", .letter), ("ß", "ss", .letter), ("ø", "ø", .letter), ("7", "7", .letter),
    ("_", "_", .letter), ("Σ", "σ", .letter), ("ς", "σ", .letter), ("ώ", "ω", .letter),
    ("Ж", "ж", .letter), ("й", "и", .letter), ("Ё", "е", .letter), ("א", "א", .letter),
    ("م", "م", .letter), ("क", "क", .letter), ("\u{93F}", "\u{93F}", .mark),
    ("\u{301}", "", .mark), ("カ", "カ", .letter), ("한", "한", .letter), ("²", "²", .letter),
    ("ก", "ก", .whole), ("東", "東", .whole), ("京", "京", .whole), ("が", "か", .whole),
    ("𠀀", "𠀀", .whole), ("\u{AD}", "", .ignored), ("\u{200D}", "", .ignored),
    (" ", "", .separator), ("-", "", .separator), ("'", "", .separator), (".", "", .separator),
    ("\n", "", .separator), ("😀", "", .separator), ("\u{200B}", "", .separator),
    ("，", "", .separator),
  ]

  /// Makes a text of up to a number of words, most of them from a small vocabulary.
  public init(_ random: inout SplitMix64, maxWords: Int = 12) {
    for _ in 0..<random.below(maxWords + 1) {
      if random.chance(0.8) {
        add(" ", "", .separator)
        for letter in random.pick(Self.vocabulary) { add(String(letter), String(letter), .letter) }
        add(random.pick([" ", ", ", "-"]), "", .separator)
      } else {
        for _ in 0...random.below(5) {
          let (text, folded, part) = random.pick(Self.table)
          add(text, folded, part)
        }
      }
    }
    finish()
  }

  /// Words that occur often.
  public static let vocabulary = ["a", "ab", "abc", "bc", "cab", "caba", "b", "ccc"]

  private mutating func add(_ written: String, _ folded: String, _ part: Part) {
    text += written
    switch part {
    case .ignored: break
    case .separator: finish()
    case .mark: if !word.isEmpty { word += folded }
    case .letter:
      if isWhole { finish() }
      word += folded
    case .whole:
      finish()
      word = folded
      isWhole = true
    }
  }

  private mutating func finish() {
    if !word.isEmpty { words.append(word) }
    word = ""
    isWhole = false
  }
}

/// A random full-text search, and the texts that match it, the slow way.
public struct ScriptedSearch: Sendable {
  /// The search as it is written.
  public private(set) var text = ""
  private var parts: [(words: [String], isPrefix: Bool, isExcluded: Bool)] = []

  /// Makes a search of one to three parts: words, prefixes and phrases, with or without a minus.
  ///
  /// - Parameter texts: The texts whose words occur in the search.
  public init(_ random: inout SplitMix64, of texts: [ScriptedText]) {
    let isOnlyExcluding = random.chance(0.1)
    for number in 0...random.below(3) {
      let words = random.chance(0.3) || texts.isEmpty ? [] : random.pick(texts).words
      var chosen = [random.pick(ScriptedText.vocabulary)]
      if !words.isEmpty {
        let start = random.below(words.count)
        chosen = Array(words[start..<min(words.count, start + (random.chance(0.3) ? 3 : 1))])
      }
      let isPrefix = random.chance(0.25)
      if isPrefix, chosen[chosen.count - 1].unicodeScalars.count > 1, random.chance(0.5) {
        chosen[chosen.count - 1].unicodeScalars.removeLast()
      }
      let isExcluded = isOnlyExcluding || (number > 0 && random.chance(0.3))
      parts.append((chosen, isPrefix, isExcluded))
      let written = chosen.joined(separator: " ") + (isPrefix ? "*" : "")
      let quoted = chosen.count > 1 || random.chance(0.2) ? "\"\(written)\"" : written
      text += (text.isEmpty ? "" : " ") + (isExcluded ? "-" : "") + quoted
    }
  }

  /// Returns whether a text with these words matches.
  public func matches(_ words: [String]) -> Bool {
    parts.allSatisfy { part in
      let isFound = words.indices.contains { start in
        guard start + part.words.count <= words.count else { return false }
        return part.words.indices.allSatisfy { index in
          let isPrefix = part.isPrefix && index == part.words.count - 1
          let word = Array(words[start + index].utf8)
          let wanted = Array(part.words[index].utf8)
          return isPrefix ? word.starts(with: wanted) : word == wanted
        }
      }
      return isFound != part.isExcluded
    }
  }
}
