import CairnIndex
import CairnSystem
import CairnValues

/// One class in one snapshot, or in an open write transaction, whose changes then overlay the
/// snapshot.
///
/// Confined to the thread of its snapshot.
package final class Table {
  /// The class. `TableSet.declare` may add a program's names and inverse properties to it.
  package internal(set) var schema: TableSchema
  /// The number of the class.
  let id: UInt32
  let state: TableState
  /// The classes of the same state.
  let set: TableSet
  let transaction: LMDBTransaction
  /// The changes of an open write transaction.
  let overlay: TableOverlay?
  /// The computations of the last columns of the schema.
  let computations: [ColumnComputation]
  /// The indexes in `set` of the classes that the columns link to, once looked up.
  var targets: [Int?]
  /// The columns that were looked up before, valid while the table lives.
  @usableFromInline let columns: UnsafeMutablePointer<Column?>
  /// The number of columns that `columns` has memory for.
  @usableFromInline let columnCount: Int
  /// Keys below this one are live: all keys of a class without deleted rows, outside write
  /// transactions; otherwise 0.
  package let allLiveEnd: Int
  /// The live-row bitmaps that were looked up before, and whether each was: memory for the stored chunks
  /// that is valid while the table lives.
  private let cachedLiveRows: UnsafeMutablePointer<UnsafePointer<UInt64>?>
  private let isLiveRowsCached: UnsafeMutablePointer<Bool>
  /// The R-trees that were opened before, by the position of the column.
  var pointIndexes: [Int: SpatialIndex<PointEntry>] = [:]
  var boxIndexes: [Int: SpatialIndex<BoxEntry>] = [:]

  init(
    schema: TableSchema, state: TableState, set: TableSet, isOverlaid: Bool,
    computations: [ColumnComputation] = []
  ) {
    self.schema = schema
    self.computations = computations
    id = schema.id
    self.state = state
    self.set = set
    transaction = set.transaction
    overlay =
      isOverlaid
      ? TableOverlay(
        endKey: state.endKey, liveCount: state.liveCount, columns: schema.columns.count) : nil
    columnCount = schema.columns.count
    columns = .allocate(capacity: max(columnCount, 1))
    columns.initialize(repeating: nil, count: columnCount)
    allLiveEnd = !isOverlaid && state.liveCount == state.endKey ? state.endKey : 0
    let chunks = max(state.chunkCount, 1)
    cachedLiveRows = .allocate(capacity: chunks)
    cachedLiveRows.initialize(repeating: nil, count: chunks)
    isLiveRowsCached = .allocate(capacity: chunks)
    isLiveRowsCached.initialize(repeating: false, count: chunks)
    targets = Array(repeating: nil, count: schema.columns.count)
    if set.lock != nil { prepareForSharing() }
  }

  /// Whether the class has inverse properties, which hold no data.
  package var hasInverses: Bool { !schema.inverses.isEmpty }

  /// Returns the schema of one column without copying that of the class.
  package func columnSchema(at position: Int) -> ColumnSchema { schema.columns[position] }

  /// Fills every cache, so that several threads can read them.
  private func prepareForSharing() {
    for column in schema.columns { _ = makeColumn(column.position) }
    targets = schema.columns.map { $0.target.flatMap(set.index) }
  }

  deinit {
    columns.deinitialize(count: columnCount)
    columns.deallocate()
    cachedLiveRows.deallocate()
    isLiveRowsCached.deallocate()
  }

  /// The number of chunks that the snapshot holds, without those that a transaction added.
  var storedChunkCount: Int { state.chunkCount }

  /// The schemas of all classes of the same state.
  package var classes: StoreSchema { self.set.schema }

  /// One past the highest key.
  package var endKey: Int { overlay?.endKey ?? state.endKey }

  /// The number of live rows.
  package var liveCount: Int { overlay?.liveCount ?? state.liveCount }

  /// The number of chunks that hold a row.
  package var chunkCount: Int { ChunkShape.chunkCount(ofRows: endKey) }

  /// Returns the number of rows in a chunk, including deleted ones: 4096 except for the last chunk.
  package func rowCount(ofChunk index: Int) -> Int {
    min(ChunkShape.rows, endKey - index * ChunkShape.rows)
  }

  /// Returns the column at a position of the schema.
  @inlinable
  package func column(_ position: Int) -> Column {
    assert(position >= 0 && position < columnCount, "the class does not have the column")
    if let known = columns[position] { return known }
    return makeColumn(position)
  }

  @usableFromInline
  func makeColumn(_ position: Int) -> Column {
    let column = Column(schema: schema.columns[position], table: self)
    columns[position] = column
    return column
  }

  /// Drops a cached column whose storage has changed.
  func forgetColumn(_ position: Int) { columns[position] = nil }

  /// Looks up the classes of the links again.
  func forgetTargets() { targets = schema.columns.map { $0.target.flatMap(set.index) } }

  /// Returns the live-row bitmap of a chunk as 64 words; a set bit is a live row. Nil if every row
  /// of the chunk is live. The words are valid until the snapshot ends, or until the next change in a
  /// transaction.
  package func liveRowBitmap(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    if let overlay, let words = overlay.liveRowBitmaps[index] { return UnsafePointer(words.words) }
    return storedLiveRows(ofChunk: index)
  }

  /// Returns the live-row bitmap before the transaction's changes, valid until the transaction ends.
  func storedLiveRows(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    guard state.liveCount < state.endKey, index >= 0, index < storedChunkCount else { return nil }
    guard let lock = set.lock else { return lookUpLiveRows(ofChunk: index) }
    return lock.withLock { lookUpLiveRows(ofChunk: index) }
  }

  /// Returns a stored live-row bitmap, valid until the snapshot ends.
  private func lookUpLiveRows(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    assert(index >= 0 && index < max(state.chunkCount, 1), "the class does not have the chunk")
    if isLiveRowsCached[index] { return cachedLiveRows[index] }
    let (extent, number) = state.storage(ofChunk: index)
    let words = transaction.bitmap(.liveRowBitmap(schema.id, extent: extent, chunk: number))
    cachedLiveRows[index] = words
    isLiveRowsCached[index] = true
    return words
  }

  /// Returns the number of live rows in a chunk.
  package func liveCount(ofChunk index: Int) -> Int {
    guard let words = liveRowBitmap(ofChunk: index) else { return rowCount(ofChunk: index) }
    return (0..<ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  /// Returns whether the row exists and was not deleted.
  @inlinable
  package func isLive(_ key: Int) -> Bool {
    UInt(bitPattern: key) < UInt(bitPattern: allLiveEnd) || isMarkedLive(key)
  }

  @usableFromInline
  func isMarkedLive(_ key: Int) -> Bool {
    guard key >= 0, key < endKey else { return false }
    guard let words = liveRowBitmap(ofChunk: RowAddress(key).chunk) else { return true }
    let row = RowAddress(key).row
    return words.isSet(row)
  }

  /// Returns the value of a property in a row.
  package func value(_ position: Int, at key: Int) -> Value {
    column(position).chunk(forRow: key)
      .value(at: RowAddress(key).row, type: schema.columns[position].storedType)
  }

  /// Returns the value index of a property; nil if it has none, or if the open transaction will
  /// build it.
  package func valueIndex(_ position: Int) -> ValueIndex? {
    guard schema.columns[position].hasValueIndex, !isRebuilt(position) else { return nil }
    return ValueIndex(table: self, position: position)
  }

  /// Returns the full-text index of a property; nil if it has none, or if the open transaction will
  /// build it.
  package func textIndex(_ position: Int) -> TextIndex? {
    guard schema.columns[position].isFullText, !isRebuilt(position) else { return nil }
    return TextIndex(table: self, position: position)
  }

  /// Returns whether the commit of the open transaction rebuilds the index of a column.
  func isRebuilt(_ position: Int) -> Bool { overlay?.rebuilt.contains(position) == true }
}

extension LMDBTransaction {
  /// Returns a bitmap over a chunk, 64 words that are valid until the transaction ends; nil if it does
  /// not exist or is too short.
  func bitmap(_ key: StorageKey) -> UnsafePointer<UInt64>? {
    guard let bytes = get(key), let base = bytes.baseAddress, bytes.count >= ChunkShape.words * 8,
      Int(bitPattern: base) & 7 == 0
    else { return nil }
    return base.assumingMemoryBound(to: UInt64.self)
  }

  /// Returns the chunk of a key, valid until the transaction ends; nil if it does not exist.
  func chunk(_ key: StorageKey) -> Chunk? {
    guard let bytes = get(key), let base = bytes.baseAddress else { return nil }
    return Chunk(encoded: base, size: bytes.count)
  }
}
