/// Merges runs of a text index, the earliest first, into one.
struct TextRunMerge {
  private var cursors: [TextCursor]
  /// The cursors in the order of their words, as a heap; of those at the same word, the earliest run
  /// is first.
  private var heap: [Int] = []
  /// Whether the merged run has the positions of words: if all runs have them.
  let hasPositions: Bool
  /// Returns the rows of a chunk that a run decides about; nil for all of them.
  private let visible: (_ run: Int, _ chunk: Int) -> ChunkBitmap?

  init(
    _ readers: [TextRunReader],
    visible: @escaping (_ run: Int, _ chunk: Int) -> ChunkBitmap? = { _, _ in nil }
  ) {
    let hasPositions = readers.allSatisfy(\.hasPositions)
    self.hasPositions = hasPositions
    cursors = readers.map { TextCursor($0, withPositions: hasPositions) }
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
    firstChunk: Int, emit: TextSegmentWriter.Emit
  ) throws(StoreError) -> (segments: Int, rows: Int) {
    var writer = TextSegmentWriter(hasPositions: hasPositions)
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
      var parts = [(found[index].group, mask)]
      index += 1
      while index < found.count, found[index].group.chunk == chunk {
        mask = visible(found[index].run, chunk)
        parts.append((found[index].group, mask))
        index += 1
      }
      groups.append(joining: parts, at: chunk - firstChunk)
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

extension RowGroupWriter {
  /// Appends the rows of several groups of one chunk, which differ; nothing if there are none.
  ///
  /// - Parameter parts: The groups, and the rows of each that are valid; nil for all of them.
  fileprivate mutating func append(joining parts: [(RowGroup, ChunkBitmap?)], at chunk: Int) {
    var rows: [(row: UInt16, positions: UnsafeRawBufferPointer)] = []
    for (group, mask) in parts {
      var positions = PositionReader(group.positions)
      group.forEachRow { row in
        let bytes = positions.row()
        if mask?.words.isSet(row) ?? true {
          rows.append((UInt16(truncatingIfNeeded: row), bytes))
        }
      }
    }
    guard !rows.isEmpty else { return }
    if parts.count > 1 { rows.sort { $0.row < $1.row } }
    var positions: [UInt8] = []
    for row in rows { positions.append(contentsOf: row.positions) }
    positions.withUnsafeBytes { append(rows.map(\.row)[...], at: chunk, positions: $0) }
  }
}
