/// The text index of one column while all its rows are written: blocks in memory, which become
/// pieces in the store, which become one run.
struct TextIndexBuilder {
  private let table: UInt32
  private let column: UInt16
  private let run: UInt32
  private var blocks: [TextRunReader] = []
  private var byteCount = 0
  private var pieces: [TextRun] = []
  private var nextSegment = 0

  /// Writes a value.
  typealias Put = (StorageKey, UnsafeRawBufferPointer) throws(StoreError) -> Void

  /// The number of bytes of blocks in memory.
  private static let pieceBytes = 64 << 20

  init(table: UInt32, column: UInt16, run: UInt32) {
    self.table = table
    self.column = column
    self.run = run
  }

  /// Adds a block.
  ///
  /// - Parameter put: Writes a value.
  mutating func append(
    _ block: TextBlock, firstChunk: Int, put: Put
  ) throws(StoreError) {
    blocks.append(TextRunReader(block, firstChunk: firstChunk))
    byteCount += block.byteCount
    if byteCount > Self.pieceBytes { try writePiece(put) }
  }

  /// Writes the last piece. Returns the run if it is complete; nil if `merge` has to follow.
  mutating func finish(
    _ put: Put
  ) throws(StoreError) -> TextRun? {
    try writePiece(put)
    return pieces.count == 1 ? pieces[0] : nil
  }

  /// Whether there are several pieces.
  var needsMerge: Bool { pieces.count > 1 }

  /// Merges the pieces.
  ///
  /// - Parameters:
  ///   - source: A state that has all pieces.
  ///   - put: Writes a value.
  ///   - delete: Removes a value.
  mutating func merge(
    _ source: some KeyValues, put: Put,
    delete: (StorageKey) throws(StoreError) -> Void
  ) throws(StoreError) -> TextRun {
    let old = pieces
    let readers = old.map { TextRunReader($0, table: table, source: source) }
    let merged = try write(readers, put)
    for run in old {
      for segment in run.segments {
        try delete(key(segment))
        if run.hasPositions { try delete(positionsKey(segment)) }
      }
    }
    return merged
  }

  private mutating func writePiece(
    _ put: Put
  ) throws(StoreError) {
    guard !blocks.isEmpty else { return }
    pieces.append(try write(blocks, put))
    blocks = []
    byteCount = 0
  }

  private mutating func write(
    _ readers: [TextRunReader], _ put: Put
  ) throws(StoreError) -> TextRun {
    var merge = TextRunMerge(readers)
    let first = nextSegment
    var next = first
    let written = try merge.write(firstChunk: 0) { (segment) throws(StoreError) in
      try put(key(next), segment.words.bytes)
      if let positions = segment.positions { try put(positionsKey(next), positions.bytes) }
      next += 1
    }
    nextSegment = next
    return TextRun(
      id: run, column: column, rowCount: written.rows, firstSegment: first,
      segmentCount: written.segments, firstRow: 0, hasPositions: merge.hasPositions)
  }

  private func key(_ segment: Int) -> StorageKey {
    .runWords(table, column: column, run: run, segment: segment)
  }

  private func positionsKey(_ segment: Int) -> StorageKey {
    .runPositions(table, column: column, run: run, segment: segment)
  }
}
