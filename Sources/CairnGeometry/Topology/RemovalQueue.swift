/// Vertices by their measure, the least one first: a heap.
///
/// A vertex may be in the queue several times, with former measures.
struct RemovalQueue {
  /// A vertex with its measure at the time when it was added.
  struct Entry {
    let measure: Double
    let vertex: Int32

    /// Whether the entry comes before another one. Of equal measures, the vertex that was read first
    /// comes first, so that results do not depend on the heap.
    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      measure < other.measure || (measure == other.measure && vertex < other.vertex)
    }
  }

  private var heap: [Entry]

  init(_ entries: [Entry]) {
    heap = entries
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  mutating func add(_ vertex: Int32, measure: Double) {
    let entry = Entry(measure: measure, vertex: vertex)
    heap.append(entry)
    var index = heap.count - 1
    while index > 0, entry.precedes(heap[(index - 1) / 2]) {
      heap[index] = heap[(index - 1) / 2]
      index = (index - 1) / 2
    }
    heap[index] = entry
  }

  /// Removes and returns the least entry; nil if the queue is empty.
  mutating func next() -> Entry? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      sink(0)
    }
    return least
  }

  private mutating func sink(_ start: Int) {
    let entry = heap[start]
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(entry) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = entry
  }
}
