import CairnSystem

/// A given number of clusters of locations, each of those nearest to one of as many centres, which lie
/// in the middle of their locations: k-means on the sphere.
///
/// The first centres are chosen at random, far from each other; the seed is fixed, so that the same
/// locations give the same clusters.
///
/// Sources: Stuart Lloyd, "Least squares quantization in PCM" (1957); David Arthur, Sergei Vassilvitskii,
/// "k-means++: The advantages of careful seeding" (2007).
struct MeanClusters {
  /// The most times that the centres are moved, as in scikit-learn.
  private static let maxMoves = 300
  /// The number of locations that a thread takes at a time.
  private static let blockSize = 8192

  private let directions: [SIMD3<Double>]
  private var centres: [SIMD3<Double>] = []
  /// The nearest centre of each location, and the square of its distance in space.
  private var nearest: [Int32]
  private var squares: [Double]

  /// - Parameter directions: The unit vectors to the locations.
  init(_ directions: [SIMD3<Double>]) {
    self.directions = directions
    nearest = Array(repeating: -1, count: directions.count)
    squares = Array(repeating: .infinity, count: directions.count)
  }

  /// The index of the centre of each location. There are fewer centres than `count` if there are fewer
  /// different locations.
  ///
  /// - Parameter check: Called before each move of the centres; its error ends the work.
  mutating func numbers(count: Int, check: () throws -> Void) rethrows -> [Int32] {
    try choose(count, check: check)
    for _ in 0..<Self.maxMoves {
      try check()
      let before = nearest
      move()
      assign(among: 0..<centres.count, isNew: true)
      if nearest == before { break }
    }
    return nearest
  }

  /// Chooses the first centres: each is a location, more likely the farther it is from those before.
  private mutating func choose(_ count: Int, check: () throws -> Void) rethrows {
    var random = SeededGenerator(seed: 0)
    guard let first = directions.indices.randomElement(using: &random) else { return }
    centres = [directions[first]]
    assign(among: 0..<1, isNew: false)
    while centres.count < count {
      try check()
      let sum = squares.reduce(0, +)
      // Locations that are this close count as the same.
      guard sum > 1e-24 else { break }
      var rest = Double.random(in: 0..<sum, using: &random)
      let next =
        squares.firstIndex { square in
          rest -= square
          return rest < 0
        } ?? squares.count - 1
      centres.append(directions[next])
      assign(among: centres.count - 1..<centres.count, isNew: false)
    }
  }

  /// Finds the nearest of some centres for each location.
  ///
  /// - Parameter isNew: Whether the centres known so far do not count.
  private mutating func assign(among candidates: Range<Int>, isNew: Bool) {
    let (directions, centres) = (directions, centres)
    let count = directions.count
    nearest.withUnsafeMutableBufferPointer { nearest in
      squares.withUnsafeMutableBufferPointer { squares in
        // Each block writes its own elements.
        let (nearest, squares) = (nearest, squares)
        WorkerPool.shared.run((count + Self.blockSize - 1) / Self.blockSize) { block in
          for index in block * Self.blockSize..<min(count, (block + 1) * Self.blockSize) {
            var (best, least) = isNew ? (-1, .infinity) : (nearest[index], squares[index])
            for centre in candidates {
              let way = directions[index] - centres[centre]
              let square = (way * way).sum()
              if square < least { (best, least) = (Int32(truncatingIfNeeded: centre), square) }
            }
            (nearest[index], squares[index]) = (best, least)
          }
        }
      }
    }
  }

  /// Moves each centre to the middle of its locations. One without any remains.
  private mutating func move() {
    var sums = [SIMD3<Double>](repeating: .zero, count: centres.count)
    // In one order, so that rounding does not depend on the number of cores.
    for (index, centre) in nearest.enumerated() { sums[Int(centre)] += directions[index] }
    for (centre, sum) in sums.enumerated() {
      let length = (sum * sum).sum().squareRoot()
      if length > 1e-12 { centres[centre] = sum / length }
    }
  }
}
