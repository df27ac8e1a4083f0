/// One immutable R-tree over the locations of one column.
struct SpatialRun: Equatable, Sendable {
  var id: UInt32
  var column: UInt16
  /// The first row of a base run, whose leaf entries are the location column itself; -1 for a delta
  /// run.
  var firstRow: Int
  /// The number of points in the run.
  var count: Int
  /// The chunks of a base run that have deleted rows, with the number of deleted rows; by chunk of
  /// the class.
  var deletedCounts: [DeletedCount] = []

  struct DeletedCount: Equatable, Sendable {
    var chunk: Int
    var count: Int
  }

  var isBaseRun: Bool { firstRow >= 0 }
}

/// One immutable sorted run of (value, key) entries of one column.
struct ValueRun: Equatable, Sendable {
  var id: UInt32
  var column: UInt16
  var count: Int
  /// The number of its first segment.
  var firstSegment = 0
  /// The offset of every key in the run: a bulk load sorts its keys before it knows its first row.
  var firstRow: Int

  /// The numbers of its segments.
  var segments: Range<Int> {
    firstSegment..<firstSegment + (count + ValueSegment.capacity - 1) / ValueSegment.capacity
  }
}

/// One immutable run of a text index: the words of the rows that it covers.
///
/// The runs of a column are in the order in which they were written. A run decides about all rows
/// that it covers, so the entries of earlier runs for these rows are out of date.
struct TextRun: Equatable, Sendable {
  var id: UInt32
  var column: UInt16
  /// The number of rows that it covers, with or without words.
  var rowCount: Int
  /// The number of its first segment.
  var firstSegment = 0
  var segmentCount: Int
  /// The first row of the chunk that its chunks count from: a bulk load writes its runs before it
  /// knows its first row.
  var firstRow: Int
  /// Whether it has the positions of words in their texts. Runs of earlier versions have none.
  var hasPositions: Bool

  /// The numbers of its segments.
  var segments: Range<Int> { firstSegment..<firstSegment + segmentCount }
}
