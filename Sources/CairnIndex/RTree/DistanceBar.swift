/// The distance beyond which nothing is asked for: that of the last of so many points, the nearest found so far.
struct DistanceBar {
  private let capacity: Int
  /// A heap with the greatest key at its root.
  private var keys: [Double] = []
  /// The square of half the chord; infinite while there is room.
  private(set) var key = Double.infinity

  init(capacity: Int) {
    self.capacity = capacity
    if capacity < .max { keys.reserveCapacity(capacity) }
  }

  /// Counts a point that is not beyond the bar.
  mutating func offer(_ new: Double) {
    guard capacity < .max else { return }
    if keys.count < capacity {
      keys.append(new)
      rise(from: keys.count - 1)
    } else if capacity > 0, new < keys[0] {
      keys[0] = new
      sink()
    }
    if keys.count == capacity { key = keys.first ?? 0 }
  }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0, keys[(place - 1) / 2] < keys[place] {
      keys.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink() {
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < keys.count else { return }
      if child + 1 < keys.count, keys[child + 1] > keys[child] { child += 1 }
      guard keys[child] > keys[place] else { return }
      keys.swapAt(place, child)
      place = child
    }
  }
}
