/// Takes rows at random, each with the same probability.
struct RowSample {
  private var generator: any RandomNumberGenerator

  /// - Parameter seed: A number that determines the rows; nil for other rows each time.
  init(seed: UInt64?) {
    generator = seed.map { SeededGenerator(state: $0) } ?? SystemRandomNumberGenerator()
  }

  /// Returns that many of the keys, or all if there are fewer, in ascending order.
  mutating func keys(_ count: Int, of all: [Int]) -> [Int] {
    guard count < all.count else { return all.sorted() }
    var keys = all
    for index in 0..<count {
      keys.swapAt(index, Int.random(in: index..<keys.count, using: &generator))
    }
    return keys.prefix(count).sorted()
  }
}

/// A generator whose numbers follow from its seed.
///
/// Source: Guy Steele, Doug Lea, Christine Flood, "Fast splittable pseudorandom number generators"
/// (2014).
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
