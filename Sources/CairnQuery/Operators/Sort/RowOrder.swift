import CairnStorage

/// The order of rows: sort columns, most significant first, then the row's key.
struct RowOrder {
  let columns: [SortColumn]
  let first: SortColumn

  init?(_ columns: [SortColumn]) {
    guard let first = columns.first else { return nil }
    self.columns = columns
    self.first = first
  }

  /// Whether the first row comes before the second.
  @inline(__always)
  func precedes(_ a: SortKeyedRow, and b: SortKeyedRow) -> Bool {
    if a.sortKey != b.sortKey { return a.sortKey < b.sortKey }
    return breaksTie(a, and: b)
  }

  private func breaksTie(_ a: SortKeyedRow, and b: SortKeyedRow) -> Bool {
    let order = tie(a.sortKey, a: a.key, b: b.key)
    return order != 0 ? order < 0 : a.key < b.key
  }

  /// The order of two rows with the same sort key, by their values: negative, zero or positive.
  func tie(_ sortKey: UInt64, a: Int, b: Int) -> Int {
    if first.isAmbiguous(first.isAscending ? sortKey : ~sortKey) {
      let order = first.tie(a, and: b)
      if order != 0 { return order }
    }
    for column in columns.dropFirst() {
      let order = column.fullOrder(a, and: b)
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether two rows with this sort key can differ only by their row keys.
  func isSettled(by sortKey: UInt64) -> Bool {
    columns.count == 1 && !first.isAmbiguous(first.isAscending ? sortKey : ~sortKey)
  }

  func prepare(_ chunks: [Int]) {
    for column in columns { column.prepare(chunks) }
  }
}

/// A sink that keeps the first rows of an order, up to a capacity.
final class TopSink: Sink {
  private let order: RowOrder
  private let capacity: Int
  /// A heap with the last of the kept rows at its root. One thread reads and changes it with every
  /// row.
  @exclusivity(unchecked) private var heap: [SortKeyedRow] = []

  init(_ order: RowOrder, capacity: Int) {
    self.order = order
    self.capacity = capacity
  }

  /// The top-k threshold: rows with a greater sort key are rejected. Nil while there is space.
  var threshold: UInt64? {
    guard heap.count == capacity, let own = heap.first?.sortKey else { return outerThreshold }
    return min(own, outerThreshold ?? own)
  }

  /// The threshold of a sink that this one's rows will be merged into.
  @exclusivity(unchecked) var outerThreshold: UInt64?

  /// Whether the sink has as many rows as its capacity.
  var isFull: Bool { heap.count == capacity }

  /// Whether the row is among those kept.
  func holds(_ key: Int) -> Bool { heap.contains { $0.key == key } }

  /// Whether rows with that sort key can still be kept.
  func canTake(_ sortKey: UInt64) -> Bool { capacity > 0 && sortKey <= threshold ?? .max }

  func wants(_ chunk: Int) -> Bool {
    guard let threshold else { return capacity > 0 }
    return order.first.bestSortKey(chunk) <= threshold
  }

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    // A few rows are compared with the threshold one by one below, which is faster than filtering
    // the chunk.
    if let threshold, selection.count > 64 {
      order.first.refine(
        &selection, chunk: order.first.column.chunk(chunk), threshold: threshold, scratch: scratch)
      guard selection.trim() else { return true }
    }
    let sortKeys = scratch.sortKeys
    order.first.sortKeys(chunk, rows: selection, sortKeys: sortKeys)
    var index = 0
    var limit = threshold ?? .max
    selection.forEachRow { row -> Void in
      let sortKey = sortKeys[index]
      index += 1
      guard sortKey <= limit else { return }
      offer(SortKeyedRow(sortKey: sortKey, key: RowAddress.key(ofRow: row, inChunk: chunk)))
      limit = threshold ?? .max
    }
    return true
  }

  func prepare(_ chunks: [Int]) { order.prepare(chunks) }

  /// Keeps the row if it is among the first.
  func offer(_ row: SortKeyedRow) {
    guard heap.count == capacity else {
      heap.append(row)
      siftUp(heap.count - 1)
      return
    }
    guard capacity > 0, order.precedes(row, and: heap[0]) else { return }
    heap[0] = row
    siftDown(0)
  }

  /// Adds the rows of another sink.
  func merge(_ other: TopSink) {
    for row in other.heap { offer(row) }
  }

  /// The kept rows, in order.
  func ordered() -> [SortKeyedRow] { heap.sorted(by: order.precedes) }

  private func siftUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard order.precedes(heap[parent], and: heap[index]) else { return }
      heap.swapAt(parent, index)
      index = parent
    }
  }

  private func siftDown(_ start: Int) {
    let order = order
    heap.withUnsafeMutableBufferPointer { heap in
      var index = start
      while true {
        var last = index
        for child in 2 * index + 1...2 * index + 2
        where child < heap.count && order.precedes(heap[last], and: heap[child]) {
          last = child
        }
        if last == index { return }
        heap.swapAt(index, last)
        index = last
      }
    }
  }
}
