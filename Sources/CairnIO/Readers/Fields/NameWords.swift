/// The words of a column's name: `start`, `lat` and `2` of `startLat_2`.
struct NameWords {
  private let name: String
  private var words: [(text: String, range: Range<String.Index>)] = []

  init(_ name: String) {
    self.name = name
    var last: Character?
    for index in name.indices {
      let character = name[index]
      let isFresh =
        last.map { last in
          character.isNumber != last.isNumber || character.isUppercase && last.isLowercase
            || !last.isLetter && !last.isNumber
        } ?? true
      last = character
      guard character.isLetter || character.isNumber else { continue }
      let end = name.index(after: index)
      if isFresh || words.isEmpty {
        words.append((character.lowercased(), index..<end))
      } else {
        let start = words[words.count - 1].range.lowerBound
        words[words.count - 1] = (
          words[words.count - 1].text + character.lowercased(), start..<end
        )
      }
    }
  }

  /// The words in lower case.
  var texts: [String] { words.map(\.text) }

  /// Returns the name without the first of some words and the separator at it; empty if the name
  /// has no other word, or none of these.
  func name(without some: Set<String>) -> String {
    guard let index = words.firstIndex(where: { some.contains($0.text) }), words.count > 1 else {
      return ""
    }
    let range = words[index].range
    let before = index > 0 ? name[..<words[index - 1].range.upperBound] : ""
    guard index + 1 < words.count else { return String(before) }
    let after = name[words[index + 1].range.lowerBound...]
    guard !before.isEmpty else {
      let isCamelCase = range.upperBound == words[1].range.lowerBound
      return isCamelCase ? after.prefix(1).lowercased() + after.dropFirst() : String(after)
    }
    return String(before) + name[words[index - 1].range.upperBound..<range.lowerBound] + after
  }
}
