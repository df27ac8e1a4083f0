/// What a store keeps of a class besides its schema and its chunks; rewritten by every commit that touches the class.
struct TableState: Equatable, Sendable {
  /// One past the highest key ever given.
  var endKey = 0
  /// Rows that are alive.
  var liveCount = 0
  /// Where the chunks are stored, by rising first chunk; the first begins at chunk 0.
  var extents = [Extent(firstChunk: 0, id: 0)]
  /// The R-tree runs of every location, by column.
  var spatialRuns: [SpatialRun] = []
  /// The runs of every value index, by column.
  var valueRuns: [ValueRun] = []
  /// Some loose entry may no longer be true.
  var looseIsStale = false
  /// The number that the next run gets.
  var nextRun: UInt32 = 1
  /// Rows from here on stand in no run yet.
  var settledEnd = 0
  /// Older rows that changed since the runs were last told.
  var unsettled: [Unsettled] = []

  /// Chunks from `firstChunk` on are stored under the number `id`, counted from zero.
  struct Extent: Equatable, Sendable {
    var firstChunk: Int
    var id: UInt32
  }

  /// A row that a run does not speak for though it has it: whoever asks looks at the row itself.
  struct Unsettled: Hashable, Sendable {
    var key: Int
    /// The column of the location that was set, changed or deleted; `anyValue` for all value indexes.
    var column: UInt16

    static let anyValue = UInt16.max
  }

  /// Rows that no run has.
  var unsettledRows: Range<Int> { min(settledEnd, endKey)..<endKey }

  /// Older rows that runs do not speak for, of a location or of the value indexes.
  func unsettledKeys(_ column: UInt16) -> [Int] {
    unsettled.isEmpty ? [] : unsettled.filter { $0.column == column }.map(\.key)
  }

  /// Chunks that hold a row.
  var chunkCount: Int { (endKey + ChunkShape.rows - 1) / ChunkShape.rows }

  /// Where a chunk is stored: its extent, and its number there.
  func storage(ofChunk index: Int) -> (extent: UInt32, number: Int) {
    var last = extents.count - 1
    while last > 0, extents[last].firstChunk > index { last -= 1 }
    return (extents[last].id, index - extents[last].firstChunk)
  }
}

/// One immutable R-tree over locations of one column.
struct SpatialRun: Equatable, Sendable {
  var id: UInt32
  var column: UInt16
  /// The first row of a clustered run, whose leaf entries are the location column itself; -1: a loose run.
  var firstRow: Int
  /// Points in the run.
  var count: Int
  /// Chunks of a clustered run in which rows are dead, with how many; by chunk of the table.
  var dead: [DeadCount] = []

  struct DeadCount: Equatable, Sendable {
    var chunk: Int
    var count: Int
  }

  var isClustered: Bool { firstRow >= 0 }
}

/// One immutable sorted run of (value, key) entries of one column.
struct ValueRun: Equatable, Sendable {
  var id: UInt32
  var column: UInt16
  var count: Int
  /// The number of the first of its segments.
  var firstSegment = 0
  /// Added to every key in the run: a bulk load sorts before it knows its place.
  var firstRow: Int

  /// The numbers of its segments.
  var segments: Range<Int> {
    firstSegment..<firstSegment + (count + ValueSegment.capacity - 1) / ValueSegment.capacity
  }
}
