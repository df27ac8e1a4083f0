/// A binary heap of nodes and points by distance; at equal distance nodes come first, then points by position.
struct DistanceQueue {
  /// A node or a point that waits.
  struct Item {
    /// The square of half the chord; for a node no more than that of anything below it.
    var key: Double
    private var word: UInt64

    init(key: Double, node: Int, level: Int) {
      self.key = key
      word = UInt64(node) << 8 | UInt64(level)
    }

    init(key: Double, position: Int) {
      self.key = key
      word = UInt64(position) << 8 | 1 << 63
    }

    var isPoint: Bool { word >> 63 == 1 }
    var index: Int { Int((word << 1) >> 9) }
    var level: Int { Int(word & 255) }

    @inline(__always)
    static func < (left: Item, right: Item) -> Bool {
      left.key < right.key || (left.key == right.key && left.word < right.word)
    }
  }

  private var items: [Item] = []

  init() { items.reserveCapacity(512) }

  mutating func push(_ item: Item) {
    var place = items.count
    items.append(item)
    items.withUnsafeMutableBufferPointer { heap in
      while place > 0 {
        let parent = (place - 1) >> 1
        guard item < heap[parent] else { break }
        heap[place] = heap[parent]
        place = parent
      }
      heap[place] = item
    }
  }

  mutating func pop() -> Item? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty { sink(last) }
    return first
  }

  private mutating func sink(_ item: Item) {
    items.withUnsafeMutableBufferPointer { heap in
      var place = 0
      while true {
        var child = 2 * place + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
        guard heap[child] < item else { break }
        heap[place] = heap[child]
        place = child
      }
      heap[place] = item
    }
  }
}
