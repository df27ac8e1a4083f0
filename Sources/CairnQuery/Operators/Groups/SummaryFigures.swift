/// The figures of a summary that are computed only on request.
package struct SummaryFigures: Hashable, Sendable {
  /// The percentiles, from 0 to 100. Between two values they are interpolated linearly, so that the
  /// median of two values is their mean. Texts and truth values have none.
  package var percentiles: [Double]
  /// Whether the sample standard deviation is computed.
  package var hasDeviation: Bool
  /// Whether different values are counted. NaN counts as one value.
  package var hasDistinctCount: Bool

  /// Creates a request.
  package init(
    percentiles: [Double] = [], hasDeviation: Bool = false, hasDistinctCount: Bool = false
  ) {
    self.percentiles = percentiles
    self.hasDeviation = hasDeviation
    self.hasDistinctCount = hasDistinctCount
  }

  /// Whether nothing was requested.
  package var isEmpty: Bool { percentiles.isEmpty && !hasDeviation && !hasDistinctCount }
}

/// The count, the mean and the squared deviations of numbers.
///
/// Source: Tony Chan, Gene Golub, Randall LeVeque, "Updating formulae and a pairwise algorithm for
/// computing sample variances" (1979).
struct Moments {
  private var count = 0.0
  private var mean = 0.0
  private var squares = 0.0

  /// Adds a number.
  mutating func add(_ number: Double) {
    count += 1
    let difference = number - mean
    mean += difference / count
    squares += difference * (number - mean)
  }

  /// Adds the numbers of other moments.
  mutating func merge(_ other: Moments) {
    guard other.count > 0 else { return }
    let (all, difference) = (count + other.count, other.mean - mean)
    squares += other.squares + difference * difference * (count / all * other.count)
    mean += difference * (other.count / all)
    count = all
  }

  /// The sample standard deviation; nil with fewer than two numbers.
  var deviation: Double? { count < 2 ? nil : (squares / (count - 1)).squareRoot() }
}

extension [Double] {
  /// Returns percentiles of the numbers, none of which is NaN; changes their order.
  mutating func percentiles(_ percents: [Double]) -> [Double?] {
    guard !isEmpty else { return percents.map { _ in nil } }
    var found = percents.map { _ in Double?.none }
    var sorted = 0
    for index in percents.indices.sorted(by: { percents[$0] < percents[$1] }) {
      let place = Double(count - 1) * Swift.min(100, Swift.max(0, percents[index])) / 100
      let (lower, upper) = (Int(place.rounded(.down)), Int(place.rounded(.up)))
      // Everything before `sorted` is less than everything from there on.
      for rank in Set([lower, upper]).sorted() where rank >= sorted {
        select(rank, from: sorted)
        sorted = rank + 1
      }
      let part = place - Double(lower)
      found[index] =
        self[lower] == self[upper]
        ? self[lower] : self[lower] * (1 - part) + self[upper] * part
    }
    return found
  }

  /// Moves the number of that rank to its place, smaller ones before it and larger ones behind it.
  /// The numbers before `start` are smaller already.
  private mutating func select(_ rank: Int, from start: Int) {
    withUnsafeMutableBufferPointer { numbers in
      var (low, high) = (start, numbers.count - 1)
      var rounds = 0
      while high - low > 16 {
        rounds += 1
        if rounds > 64 { break }
        let pivot = Self.median(numbers[low], numbers[(low + high) / 2], numbers[high])
        var (left, right) = (low, high)
        while left <= right {
          while numbers[left] < pivot { left += 1 }
          while numbers[right] > pivot { right -= 1 }
          guard left <= right else { break }
          numbers.swapAt(left, right)
          left += 1
          right -= 1
        }
        if rank <= right {
          high = right
        } else if rank >= left {
          low = left
        } else {
          return
        }
      }
      numbers[low...high].sort()
    }
  }

  private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
    Swift.max(Swift.min(a, b), Swift.min(Swift.max(a, b), c))
  }
}
