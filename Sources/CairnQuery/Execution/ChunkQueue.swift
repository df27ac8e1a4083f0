/// Chunks by the best rank that their rows can have.
struct ChunkQueue {
  struct Entry {
    var rank: UInt64
    var chunk: Int
  }

  private var heap: [Entry]

  init(_ chunks: Range<Int>, _ sort: SortColumn) {
    heap = chunks.map { Entry(rank: sort.bestRank($0), chunk: $0) }
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(place) }
  }

  /// Takes the best chunk out.
  mutating func pop() -> Entry? {
    guard let best = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown(0)
    }
    return best
  }

  /// What is left, best first.
  func sorted() -> [Entry] { heap.sorted(by: ChunkQueue.isBetter) }

  private static func isBetter(_ a: Entry, _ b: Entry) -> Bool {
    a.rank != b.rank ? a.rank < b.rank : a.chunk < b.chunk
  }

  private mutating func siftDown(_ start: Int) {
    var place = start
    while true {
      var best = place
      for child in 2 * place + 1...2 * place + 2
      where child < heap.count && ChunkQueue.isBetter(heap[child], heap[best]) {
        best = child
      }
      if best == place { return }
      heap.swapAt(place, best)
      place = best
    }
  }
}
