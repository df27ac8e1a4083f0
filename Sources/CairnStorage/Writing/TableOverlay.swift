import CairnValues

/// What an open write transaction has changed in one class.
final class TableOverlay {
  var endKey: Int
  var liveCount: Int
  /// Edited chunks, by position of the column, then by chunk.
  private(set) var buffers: [[Int: ChunkBuffer]]
  /// The chunk of each column that was edited last: single inserts stay in one.
  private var latest: [(chunk: Int, buffer: ChunkBuffer)?]
  /// Edited liveness, by chunk.
  var liveness: [Int: BitmapWords] = [:]
  /// Rows whose location was set, changed or deleted, by position of the column.
  var touchedLocations: [Int: Set<Int>] = [:]
  /// Rows that were inserted, changed in an indexed property, or deleted.
  private(set) var touchedKeys: [Int] = []
  private var touchedSet: Set<Int> = []
  /// Primary keys of rows that were inserted or changed.
  var primaryKeys: [Value: Int] = [:]
  var inserted: [Int] = []
  var deleted: Set<Int> = []
  var modified: Set<Int> = []

  init(endKey: Int, liveCount: Int, columns: Int) {
    self.endKey = endKey
    self.liveCount = liveCount
    buffers = Array(repeating: [:], count: columns)
    latest = Array(repeating: nil, count: columns)
  }

  /// The edited chunk, if it is one.
  func buffer(_ position: Int, _ chunk: Int) -> ChunkBuffer? {
    if let last = latest[position], last.chunk == chunk { return last.buffer }
    return buffers[position][chunk]
  }

  /// Begins to edit a chunk.
  func adopt(_ buffer: ChunkBuffer, _ position: Int, _ chunk: Int) {
    buffers[position][chunk] = buffer
    latest[position] = (chunk, buffer)
  }

  /// Remembers the chunk as the one edited last.
  func remember(_ buffer: ChunkBuffer, _ position: Int, _ chunk: Int) {
    latest[position] = (chunk, buffer)
  }

  /// Notes a row that the value indexes must be told of.
  func touch(_ key: Int) {
    if touchedSet.insert(key).inserted { touchedKeys.append(key) }
  }
}
