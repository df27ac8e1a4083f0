import CairnValues

/// The changes of an open write transaction in one class.
///
/// New rows have the keys from `firstNewKey` on. Only changes to older rows are recorded one by
/// one.
final class TableOverlay {
  /// The first key of the transaction's own rows.
  private(set) var firstNewKey: Int
  /// Whether all rows of the class were deleted at once.
  private(set) var isCleared = false
  var endKey: Int
  var liveCount: Int
  /// The edited chunks, by column position and chunk.
  private(set) var buffers: [[Int: ChunkBuffer]]
  /// The chunk of each column that was edited last, because successive edits tend to hit one chunk.
  private var latest: [(chunk: Int, buffer: ChunkBuffer)?]
  /// The large values that were set, by column position and key. The chunks hold references.
  private(set) var largeValues: [Int: [Int: OwnedBytes]] = [:]
  /// Columns whose unedited rows are derived from other columns, by position.
  var derived: [Int: ColumnDerivation] = [:]
  /// The edited live-row bitmaps, by chunk.
  var liveRowBitmaps: [Int: ChunkBitmap] = [:]
  /// Older rows whose location was set or that were deleted, by column position.
  private(set) var touchedLocations: [Int: RowBitmaps] = [:]
  /// Older rows with a change in an indexed property.
  private(set) var touchedKeys: [Int] = []
  private var touchedSet = RowBitmaps()
  /// The primary keys of inserted and changed rows.
  var primaryKeys: [Value: Int] = [:]
  /// Whether `primaryKeys` includes those of the unindexed rows.
  var knowsUnindexed = false
  /// Whether `primaryKeys` includes those of all other rows.
  var knowsPrimaryKeys = false
  /// The positions of the columns whose indexes the commit rebuilds.
  var rebuilt: Set<Int> = []
  /// Older rows that were deleted.
  private(set) var deleted = RowBitmaps()
  /// Older rows with changed properties, by chunk.
  private(set) var modified: [Int: DirtyRowBitmaps] = [:]

  init(endKey: Int, liveCount: Int, columns: Int) {
    firstNewKey = endKey
    self.endKey = endKey
    self.liveCount = liveCount
    buffers = Array(repeating: [:], count: columns)
    latest = Array(repeating: nil, count: columns)
  }

  /// The keys of the rows that the transaction inserted, including those that it deleted again.
  var newKeys: Range<Int> { firstNewKey..<endKey }

  /// Returns the chunk if it was edited; nil otherwise.
  func buffer(_ position: Int, chunk: Int) -> ChunkBuffer? {
    if let last = latest[position], last.chunk == chunk { return last.buffer }
    return buffers[position][chunk]
  }

  /// The number of edited chunks in all columns.
  var editedChunkCount: Int { buffers.reduce(0) { $0 + $1.count } }

  /// Begins to edit a chunk.
  func adopt(_ buffer: ChunkBuffer, at position: Int, chunk: Int) {
    buffers[position][chunk] = buffer
    latest[position] = (chunk, buffer)
  }

  /// Remembers the chunk that was edited last.
  func remember(_ buffer: ChunkBuffer, at position: Int, chunk: Int) {
    latest[position] = (chunk, buffer)
  }

  /// Returns the large value that was set in a row; nil if none was.
  func largeValue(_ position: Int, at key: Int) -> OwnedBytes? {
    largeValues.isEmpty ? nil : largeValues[position]?[key]
  }

  /// Records the large value of a row; nil for a row without one.
  func setLargeValue(_ value: OwnedBytes?, _ position: Int, at key: Int) {
    if value == nil, largeValues.isEmpty { return }
    largeValues[position, default: [:]][key] = value
  }

  /// Discards the edits of a column.
  func forgetColumn(_ position: Int) {
    buffers[position] = [:]
    largeValues[position] = nil
    latest[position] = nil
    derived[position] = nil
    touchedLocations[position] = nil
  }

  /// Deletes every row. The next row begins a chunk, so that old and new rows never share one.
  func clear() {
    let noRows = ChunkBitmap(copying: nil)
    let chunks = ChunkShape.chunkCount(ofRows: endKey)
    buffers = Array(repeating: [:], count: buffers.count)
    latest = Array(repeating: nil, count: latest.count)
    largeValues = [:]
    derived = [:]
    liveRowBitmaps = Dictionary(uniqueKeysWithValues: (0..<chunks).map { ($0, noRows) })
    touchedLocations = [:]
    touchedKeys = []
    touchedSet = RowBitmaps()
    primaryKeys = [:]
    deleted = RowBitmaps()
    modified = [:]
    endKey = RowAddress.firstKey(ofChunk: chunks)
    firstNewKey = endKey
    liveCount = 0
    isCleared = true
  }

  /// Records a row in which a column was set.
  func noteModified(_ key: Int, column: ColumnSchema) {
    guard key < firstNewKey else { return }
    marks(ofChunk: RowAddress(key).chunk).rows(of: column.id).mark(RowAddress(key).row)
  }

  /// Returns the bitmap of older rows of a chunk in which a column was set, for callers that set
  /// many rows. The caller marks only keys outside `newKeys`.
  func modifiedRows(_ chunk: Int, column: ColumnSchema) -> ChunkBitmap {
    marks(ofChunk: chunk).rows(of: column.id)
  }

  private func marks(ofChunk chunk: Int) -> DirtyRowBitmaps {
    if let known = modified[chunk] { return known }
    let made = DirtyRowBitmaps()
    modified[chunk] = made
    return made
  }

  /// Records a deleted row.
  func noteDeleted(_ key: Int) {
    if key < firstNewKey { deleted.insert(key) }
  }

  /// Records the deleted rows of a chunk.
  func noteDeleted(_ rows: ChunkBitmap, ofChunk chunk: Int) {
    deleted.insert(olderRows(rows, ofChunk: chunk), ofChunk: chunk)
  }

  /// Records a row whose entries in value indexes may have changed.
  func noteValue(_ key: Int) {
    if key < firstNewKey, touchedSet.insert(key) { touchedKeys.append(key) }
  }

  /// Records a row whose entry in an R-tree may have changed.
  func noteLocation(_ key: Int, at position: Int) {
    if key < firstNewKey { touchedLocations[position, default: RowBitmaps()].insert(key) }
  }

  /// Records the rows of a chunk whose entries in an R-tree may have changed.
  func noteLocations(_ rows: ChunkBitmap, ofChunk chunk: Int, at position: Int) {
    let older = olderRows(rows, ofChunk: chunk)
    if older.isEmpty { return }
    touchedLocations[position, default: RowBitmaps()].insert(older, ofChunk: chunk)
  }

  /// Returns those rows of a chunk that are not the transaction's own.
  private func olderRows(_ rows: ChunkBitmap, ofChunk chunk: Int) -> ChunkBitmap {
    let count = firstNewKey - RowAddress.firstKey(ofChunk: chunk)
    if count >= ChunkShape.rows { return rows }
    let older = ChunkBitmap(copying: UnsafePointer(rows.words))
    older.keep(rows: 0, max(0, count))
    return older
  }
}
