/// Merges runs of a text index, the earliest first, into one.
struct TextRunMerge {
  private var cursors: [TextCursor]
  /// The cursors in the order of their words, as a heap; of those at the same word, the earliest run
  /// is first.
  private var heap: [Int] = []
  /// Returns the rows of a chunk that a run decides about; nil for all of them.
  private let visible: (_ run: Int, _ chunk: Int) -> ChunkBitmap?

  init(
    _ readers: [TextRunReader],
    visible: @escaping (_ run: Int, _ chunk: Int) -> ChunkBitmap? = { _, _ in nil }
  ) {
    cursors = readers.map(TextCursor.init)
    self.visible = visible
    for index in cursors.indices where cursors[index].word != nil {
      heap.append(index)
      siftUp(heap.count - 1)
    }
  }

  /// Writes the merged run.
  ///
  /// - Parameters:
  ///   - firstChunk: The chunk that the merged run's chunks count from.
  ///   - emit: Receives the segments in order.
  /// - Returns: The number of segments, and the number of rows that the run covers.
  mutating func write(
    firstChunk: Int, emit: ([UInt8]) throws(StoreError) -> Void
  ) throws(StoreError) -> (segments: Int, rows: Int) {
    var writer = TextSegmentWriter()
    var groups = RowGroupWriter()
    var found: [Found] = []
    while let first = heap.first, let word = cursors[first].word {
      found.removeAll(keepingCapacity: true)
      while let next = heap.first, let other = cursors[next].word, other.order(to: word) == 0 {
        for group in cursors[next].groups { found.append(Found(run: next, group: group)) }
        cursors[next].advance()
        restore()
      }
      groups.removeAll()
      append(&found, firstChunk: firstChunk, to: &groups)
      if !groups.isEmpty { try writer.append(word, groups: groups, emit: emit) }
    }
    try writer.finish(emit)
    return (writer.segmentCount, writer.rowCount)
  }

  /// A group of one of the runs.
  private struct Found {
    let run: Int
    let group: RowGroup
  }

  /// Appends the groups of a word in the order of chunks, joining those of the same chunk.
  private func append(
    _ found: inout [Found], firstChunk: Int, to groups: inout RowGroupWriter
  ) {
    if zip(found, found.dropFirst()).contains(where: { $0.group.chunk > $1.group.chunk }) {
      found.sort { ($0.group.chunk, $0.run) < ($1.group.chunk, $1.run) }
    }
    var index = 0
    while index < found.count {
      let chunk = found[index].group.chunk
      let isAlone = index + 1 == found.count || found[index + 1].group.chunk != chunk
      var mask = visible(found[index].run, chunk)
      if isAlone, mask == nil {
        groups.append(found[index].group, at: chunk - firstChunk)
        index += 1
        continue
      }
      let rows = ChunkBitmap(copying: nil)
      while true {
        let part = ChunkBitmap(copying: nil)
        found[index].group.add(to: part.words)
        if let mask { part.keep(mask.words) }
        rows.add(part.words)
        index += 1
        guard index < found.count, found[index].group.chunk == chunk else { break }
        mask = visible(found[index].run, chunk)
      }
      groups.append(rows, at: chunk - firstChunk)
    }
  }

  // MARK: The heap

  private func comesBefore(_ a: Int, _ b: Int) -> Bool {
    guard let word = cursors[a].word, let other = cursors[b].word else { return false }
    let order = word.order(to: other)
    return order == 0 ? a < b : order < 0
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, comesBefore(heap[index], heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Restores the order after the first cursor has moved.
  private mutating func restore() {
    if cursors[heap[0]].word == nil {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if comesBefore(heap[child], heap[least]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
