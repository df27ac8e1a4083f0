import CairnSystem

/// Takes rows at random, each with the same probability.
struct RowSample {
  private var generator: any RandomNumberGenerator

  /// - Parameter seed: A number that determines the rows; nil for other rows each time.
  init(seed: UInt64?) {
    generator = seed.map { SeededGenerator(seed: $0) } ?? SystemRandomNumberGenerator()
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
