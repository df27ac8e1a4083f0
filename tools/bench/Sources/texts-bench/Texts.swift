import Foundation
import Measuring

/// The texts that both sides store, the same for each number.
///
/// A text has 20 to 60 words in the proportions of Zipf's law, out of 60 000 words of one to five
/// syllables, frequent words being shorter.
struct Texts: Sequence {
  struct Text {
    let text: String
    let latitude: Double
    let longitude: Double
  }

  /// The words, the most frequent first.
  let words: [String]
  let count: Int
  /// The sums of the frequencies of the words up to each.
  private let sums: [Double]

  init(count: Int) {
    self.count = count
    words = Texts.vocabulary(60_000)
    var sum = 0.0
    sums = words.indices.map { rank in
      sum += 1 / (Double(rank) + 2.7)
      return sum
    }
  }

  private static func vocabulary(_ count: Int) -> [String] {
    let consonants = Array("bcdfghklmnprstvwz")
    let vowels = Array("aeiou")
    var random = Random(seed: 5)
    var known: Set<String> = []
    var words: [String] = []
    while words.count < count {
      let syllables = 1 + Int(random.uniform(0, 1 + log2(Double(words.count + 2)) / 4))
      var word = ""
      for _ in 0..<syllables {
        word.append(consonants[Int(random.uniform(0, Double(consonants.count)))])
        word.append(vowels[Int(random.uniform(0, Double(vowels.count)))])
      }
      if random.uniform(0, 1) < 0.5 {
        word.append(consonants[Int(random.uniform(0, Double(consonants.count)))])
      }
      if known.insert(word).inserted { words.append(word) }
    }
    return words
  }

  func makeIterator() -> AnyIterator<Text> {
    var random = Random(seed: 17)
    var left = count
    return AnyIterator {
      guard left > 0 else { return nil }
      left -= 1
      let length = Int(random.uniform(20, 61))
      let text = (0..<length).map { _ in word(&random) }.joined(separator: " ")
      return Text(
        text: text.prefix(1).uppercased() + text.dropFirst() + ".",
        latitude: random.uniform(45, 48), longitude: random.uniform(6, 10))
    }
  }

  private func word(_ random: inout Random) -> String {
    let wanted = random.uniform(0, sums[sums.count - 1])
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return words[low]
  }
}
