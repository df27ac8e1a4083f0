import CairnValues

/// What an open write transaction has changed in one class.
///
/// New rows are the keys from `firstNewKey` on: only what happens to older ones is noted one by one.
final class TableOverlay {
  /// Where the keys of the transaction's own rows begin.
  private(set) var firstNewKey: Int
  /// Whether every row that was there was deleted at once.
  private(set) var isCleared = false
  var endKey: Int
  var liveCount: Int
  /// Edited chunks, by position of the column, then by chunk.
  private(set) var buffers: [[Int: ChunkBuffer]]
  /// The chunk of each column that was edited last: single edits stay in one.
  private var latest: [(chunk: Int, buffer: ChunkBuffer)?]
  /// Columns whose rows are made of others' where no edit lies over them, by position.
  var derived: [Int: ColumnDerivation] = [:]
  /// Edited liveness, by chunk.
  var liveness: [Int: BitmapWords] = [:]
  /// Older rows whose location was set, changed or deleted, by position of the column.
  private(set) var touchedLocations: [Int: Set<Int>] = [:]
  /// Older rows that were changed in an indexed property.
  private(set) var touchedKeys: [Int] = []
  private var touchedSet: Set<Int> = []
  /// Primary keys of rows that were inserted or changed.
  var primaryKeys: [Value: Int] = [:]
  /// Whether those of rows that no run speaks for are among them.
  var knowsUnsettled = false
  /// Whether those of all other rows are among them.
  var knowsPrimaryKeys = false
  /// Positions of the columns whose indexes the commit builds anew.
  var rebuilt: Set<Int> = []
  /// Older rows that were deleted.
  private(set) var deleted: Set<Int> = []
  /// Older rows of which something was set, by chunk.
  private(set) var modified: [Int: ModifiedMarks] = [:]

  init(endKey: Int, liveCount: Int, columns: Int) {
    firstNewKey = endKey
    self.endKey = endKey
    self.liveCount = liveCount
    buffers = Array(repeating: [:], count: columns)
    latest = Array(repeating: nil, count: columns)
  }

  /// The keys of the rows that the transaction inserted, those included that it deleted again.
  var newKeys: Range<Int> { firstNewKey..<endKey }

  /// The edited chunk, if it is one.
  func buffer(_ position: Int, _ chunk: Int) -> ChunkBuffer? {
    if let last = latest[position], last.chunk == chunk { return last.buffer }
    return buffers[position][chunk]
  }

  /// Chunks that are edited, of every column.
  var editedChunkCount: Int { buffers.reduce(0) { $0 + $1.count } }

  /// Begins to edit a chunk.
  func adopt(_ buffer: ChunkBuffer, _ position: Int, _ chunk: Int) {
    buffers[position][chunk] = buffer
    latest[position] = (chunk, buffer)
  }

  /// Remembers the chunk as the one edited last.
  func remember(_ buffer: ChunkBuffer, _ position: Int, _ chunk: Int) {
    latest[position] = (chunk, buffer)
  }

  /// Forgets what was edited of a column.
  func forgetColumn(_ position: Int) {
    buffers[position] = [:]
    latest[position] = nil
    derived[position] = nil
    touchedLocations[position] = nil
  }

  /// Deletes every row there is. The next one begins a chunk, so that no chunk has rows of before and after.
  func clear() {
    let dead = BitmapWords(copying: nil)
    let chunks = (endKey + ChunkShape.rows - 1) >> ChunkShape.shift
    buffers = Array(repeating: [:], count: buffers.count)
    latest = Array(repeating: nil, count: latest.count)
    derived = [:]
    liveness = Dictionary(uniqueKeysWithValues: (0..<chunks).map { ($0, dead) })
    touchedLocations = [:]
    touchedKeys = []
    touchedSet = []
    primaryKeys = [:]
    deleted = []
    modified = [:]
    endKey = chunks << ChunkShape.shift
    firstNewKey = endKey
    liveCount = 0
    isCleared = true
  }

  /// Notes a row of which a column was set.
  func noteModified(_ key: Int, _ column: ColumnSchema) {
    guard key < firstNewKey else { return }
    marks(ofChunk: key >> ChunkShape.shift).rows(of: column.id).mark(key & (ChunkShape.rows - 1))
  }

  /// The marks of older rows of a chunk of which a column was set, for who sets many of them: to be marked where
  /// `newKeys` does not hold the key.
  func modifiedRows(_ chunk: Int, _ column: ColumnSchema) -> BitmapWords {
    marks(ofChunk: chunk).rows(of: column.id)
  }

  private func marks(ofChunk chunk: Int) -> ModifiedMarks {
    if let known = modified[chunk] { return known }
    let made = ModifiedMarks()
    modified[chunk] = made
    return made
  }

  /// Notes a row that was deleted.
  func noteDeleted(_ key: Int) {
    if key < firstNewKey { deleted.insert(key) }
  }

  /// Notes a row that the value indexes must be told of.
  func noteValue(_ key: Int) {
    if key < firstNewKey, touchedSet.insert(key).inserted { touchedKeys.append(key) }
  }

  /// Notes a row that an R-tree must be told of.
  func noteLocation(_ key: Int, _ position: Int) {
    if key < firstNewKey { touchedLocations[position, default: []].insert(key) }
  }
}
