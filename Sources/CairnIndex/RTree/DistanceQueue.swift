/// A binary heap of nodes and entries by distance. At equal distance, nodes and entries that were not
/// measured come first, then measured entries by position.
struct DistanceQueue {
  /// A queued node or entry.
  struct Item {
    /// The distance key. For a node, and for an entry that was not measured, it is a lower bound.
    let key: Double
    private let word: UInt64

    /// The level of an entry whose distance was not measured yet.
    static var unmeasured: Int { 255 }

    init(key: Double, index: Int, level: Int) {
      self.key = key
      word = UInt64(index) << 8 | UInt64(level)
    }

    init(key: Double, measured position: Int) {
      self.key = key
      word = UInt64(position) << 8 | 1 << 63
    }

    var isMeasured: Bool { word >> 63 == 1 }
    var index: Int { Int((word << 1) >> 9) }
    var level: Int { Int(word & 255) }

    @inline(__always)
    static func < (left: Item, right: Item) -> Bool {
      left.key < right.key || (left.key == right.key && left.word < right.word)
    }
  }

  private var items: [Item] = []

  init() { items.reserveCapacity(512) }

  mutating func removeAll() { items.removeAll(keepingCapacity: true) }

  mutating func push(_ item: Item) {
    var index = items.count
    items.append(item)
    items.withUnsafeMutableBufferPointer { heap in
      while index > 0 {
        let parent = (index - 1) >> 1
        guard item < heap[parent] else { break }
        heap[index] = heap[parent]
        index = parent
      }
      heap[index] = item
    }
  }

  mutating func pop() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty { sink(last) }
    return first
  }

  private mutating func sink(_ item: Item) {
    items.withUnsafeMutableBufferPointer { heap in
      var index = 0
      while true {
        var child = 2 * index + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
        guard heap[child] < item else { break }
        heap[index] = heap[child]
        index = child
      }
      heap[index] = item
    }
  }
}

/// The top-k threshold: the distance of the last of the k nearest entries found, beyond which
/// no candidate matters.
package struct TopKThreshold {
  private let capacity: Int
  /// A heap with the greatest key at its root.
  private var keys: [Double] = []
  /// The threshold as a distance key; infinite while fewer than k entries were found.
  package private(set) var key = Double.infinity

  /// - Parameter capacity: k; `.max` for no threshold.
  package init(capacity: Int) {
    self.capacity = capacity
    if capacity < .max { keys.reserveCapacity(capacity) }
  }

  /// Forgets all entries.
  package mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    key = .infinity
  }

  /// Counts an entry that is not beyond the threshold.
  package mutating func offer(_ new: Double) {
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
    var index = start
    while index > 0, keys[(index - 1) / 2] < keys[index] {
      keys.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink() {
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < keys.count else { return }
      if child + 1 < keys.count, keys[child + 1] > keys[child] { child += 1 }
      guard keys[child] > keys[index] else { return }
      keys.swapAt(index, child)
      index = child
    }
  }
}
