import CairnStorage

/// A row in an order: the rank by the first sort key, turned by its direction, and the row's key.
struct RankedRow {
  var rank: UInt64
  var key: Int
}

/// The order of rows: sort keys, most significant first, then the row's key.
struct RowOrder: @unchecked Sendable {
  let columns: [SortColumn]
  let first: SortColumn

  init?(_ columns: [SortColumn]) {
    guard let first = columns.first else { return nil }
    self.columns = columns
    self.first = first
  }

  /// Whether the first row comes before the second.
  @inline(__always)
  func precedes(_ a: RankedRow, _ b: RankedRow) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    return breaksTie(a, b)
  }

  private func breaksTie(_ a: RankedRow, _ b: RankedRow) -> Bool {
    let order = tie(a.rank, a.key, b.key)
    return order != 0 ? order < 0 : a.key < b.key
  }

  /// The order of two rows of one rank as values: below, at or above zero.
  func tie(_ rank: UInt64, _ a: Int, _ b: Int) -> Int {
    if first.isAmbiguous(first.isAscending ? rank : ~rank) {
      let order = first.tie(a, b)
      if order != 0 { return order }
    }
    for column in columns.dropFirst() {
      let order = column.fullOrder(a, b)
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether two rows of equal rank can only differ by their keys.
  func isSettled(by rank: UInt64) -> Bool {
    columns.count == 1 && !first.isAmbiguous(first.isAscending ? rank : ~rank)
  }

  func prepare(_ chunks: [Int]) {
    for column in columns { column.prepare(chunks) }
  }
}

/// Keeps the first rows of an order, and no more of them than asked.
final class TopSink: Sink, @unchecked Sendable {
  private let order: RowOrder
  private let capacity: Int
  /// A heap: the row that comes last of those kept is at its root.
  // Asked and changed with every row, by one thread.
  @exclusivity(unchecked) private var heap: [RankedRow] = []

  init(_ order: RowOrder, capacity: Int) {
    self.order = order
    self.capacity = capacity
  }

  /// The rank beyond which nothing gets in any more; nil while there is room.
  var bar: UInt64? {
    guard heap.count == capacity, let own = heap.first?.rank else { return outerBar }
    return min(own, outerBar ?? own)
  }

  /// The bar of a sink that this one's rows will be merged into.
  @exclusivity(unchecked) var outerBar: UInt64?

  /// Whether as many rows are kept as were asked for.
  var isFull: Bool { heap.count == capacity }

  /// Whether the row is among those kept.
  func holds(_ key: Int) -> Bool { heap.contains { $0.key == key } }

  /// Whether rows of that rank can still get in.
  func canTake(_ rank: UInt64) -> Bool { capacity > 0 && rank <= bar ?? .max }

  override func wants(_ chunk: Int) -> Bool {
    guard let bar else { return capacity > 0 }
    return order.first.bestRank(chunk) <= bar
  }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    // Of a few rows each is held against the bar below, which is quicker than to narrow them as a chunk.
    if let bar, selection.count > 64 {
      order.first.narrow(
        &selection, order.first.column.chunk(chunk), bar: bar, workspace)
      guard selection.trim() else { return true }
    }
    let ranks = workspace.ranks
    order.first.ranks(chunk, selection, ranks)
    var place = 0
    var limit = bar ?? .max
    selection.forEachRow { row -> Void in
      let rank = ranks[place]
      place += 1
      guard rank <= limit else { return }
      offer(RankedRow(rank: rank, key: chunk << ChunkShape.shift | row))
      limit = bar ?? .max
    }
    return true
  }

  override func prepare(_ chunks: [Int]) { order.prepare(chunks) }

  /// Keeps the row if it is among the first.
  func offer(_ row: RankedRow) {
    guard heap.count == capacity else {
      heap.append(row)
      siftUp(heap.count - 1)
      return
    }
    guard capacity > 0, order.precedes(row, heap[0]) else { return }
    heap[0] = row
    siftDown(0)
  }

  /// Takes what another sink kept.
  func merge(_ other: TopSink) {
    for row in other.heap { offer(row) }
  }

  /// What was kept, in order.
  func ordered() -> [RankedRow] { heap.sorted(by: order.precedes) }

  private func siftUp(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard order.precedes(heap[parent], heap[place]) else { return }
      heap.swapAt(parent, place)
      place = parent
    }
  }

  private func siftDown(_ start: Int) {
    let order = order
    heap.withUnsafeMutableBufferPointer { heap in
      var place = start
      while true {
        var last = place
        for child in 2 * place + 1...2 * place + 2
        where child < heap.count && order.precedes(heap[last], heap[child]) {
          last = child
        }
        if last == place { return }
        heap.swapAt(place, last)
        place = last
      }
    }
  }
}
