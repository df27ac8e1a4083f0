import CairnIndex
import CairnValues

/// One class in one snapshot, or in an open write transaction: then what the transaction has
/// changed lies over what the snapshot holds.
///
/// Confined to the thread of its snapshot.
package final class Table {
  /// The class; what a program knows of it besides may be added, see `TableSet.know`.
  package internal(set) var schema: TableSchema
  /// The number of the class.
  let id: UInt32
  let state: TableState
  /// The classes of the same state.
  let set: TableSet
  let transaction: LMDBTransaction
  /// What an open write transaction has changed.
  let overlay: TableOverlay?
  /// Where the classes that the columns lead to stand in `set`, as far as they were asked for.
  var targets: [Int?]
  @usableFromInline let columns: UnsafeMutablePointer<Column?>
  /// Keys below it live: all of a class without dead rows, outside write transactions; else 0.
  package let undyingEnd: Int
  /// Liveness that was looked up before, and whether it was.
  private let livenessChunks: UnsafeMutablePointer<UnsafePointer<UInt64>?>
  private let isLivenessKnown: UnsafeMutablePointer<Bool>
  private var spatialIndexes: [Int: SpatialIndex] = [:]

  init(schema: TableSchema, state: TableState, set: TableSet, isOverlaid: Bool) {
    self.schema = schema
    id = schema.id
    self.state = state
    self.set = set
    transaction = set.transaction
    overlay =
      isOverlaid
      ? TableOverlay(
        endKey: state.endKey, liveCount: state.liveCount, columns: schema.columns.count) : nil
    columns = .allocate(capacity: max(schema.columns.count, 1))
    columns.initialize(repeating: nil, count: schema.columns.count)
    undyingEnd = !isOverlaid && state.liveCount == state.endKey ? state.endKey : 0
    let chunks = max(state.chunkCount, 1)
    livenessChunks = .allocate(capacity: chunks)
    livenessChunks.initialize(repeating: nil, count: chunks)
    isLivenessKnown = .allocate(capacity: chunks)
    isLivenessKnown.initialize(repeating: false, count: chunks)
    targets = Array(repeating: nil, count: schema.columns.count)
    if set.lock != nil { prepareForSharing() }
  }

  /// Whether the class has inverse properties, which hold no data.
  package var hasInverses: Bool { !schema.inverses.isEmpty }

  /// The schema of the column at a position, without a copy of the whole class's.
  package func columnSchema(at position: Int) -> ColumnSchema { schema.columns[position] }

  /// Fills in what is otherwise remembered on the way, so that several threads can read it.
  private func prepareForSharing() {
    for column in schema.columns { _ = makeColumn(column.position) }
    targets = schema.columns.map { $0.target.flatMap(set.place) }
  }

  deinit {
    columns.deinitialize(count: schema.columns.count)
    columns.deallocate()
    livenessChunks.deallocate()
    isLivenessKnown.deallocate()
  }

  /// Chunks that the snapshot holds, whatever a transaction has added.
  var storedChunkCount: Int { state.chunkCount }

  /// The schemas of all classes of the same state.
  package var classes: Schema { self.set.schema }

  /// One past the highest key.
  package var endKey: Int { overlay?.endKey ?? state.endKey }

  /// Rows that are alive.
  package var liveCount: Int { overlay?.liveCount ?? state.liveCount }

  /// Chunks that hold a row.
  package var chunkCount: Int { (endKey + ChunkShape.rows - 1) / ChunkShape.rows }

  /// Rows of a chunk, dead ones included: 4096 but for the last.
  package func rowCount(ofChunk index: Int) -> Int {
    min(ChunkShape.rows, endKey - index * ChunkShape.rows)
  }

  /// The property at that position of the schema.
  @inlinable
  package func column(_ position: Int) -> Column {
    if let known = columns[position] { return known }
    return makeColumn(position)
  }

  @usableFromInline
  func makeColumn(_ position: Int) -> Column {
    let column = Column(schema: schema.columns[position], table: self)
    columns[position] = column
    return column
  }

  /// Reads the column anew: it stands in another place of the store.
  func forgetColumn(_ position: Int) { columns[position] = nil }

  /// Looks up anew which classes the links lead to.
  func forgetTargets() { targets = schema.columns.map { $0.target.flatMap(set.place) } }

  /// Bit set: the row lives. 64 words; nil when every row of the chunk does.
  package func liveness(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    if let overlay, let words = overlay.liveness[index] { return UnsafePointer(words.words) }
    return storedLiveness(ofChunk: index)
  }

  /// The same before the transaction.
  func storedLiveness(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    guard state.liveCount < state.endKey, index >= 0, index < storedChunkCount else { return nil }
    guard let lock = set.lock else { return rememberedLiveness(ofChunk: index) }
    return lock.withLock { rememberedLiveness(ofChunk: index) }
  }

  private func rememberedLiveness(ofChunk index: Int) -> UnsafePointer<UInt64>? {
    if isLivenessKnown[index] { return livenessChunks[index] }
    let (extent, number) = state.storage(ofChunk: index)
    let words = transaction.get(.liveness(schema.id, extent, number))?.baseAddress?
      .assumingMemoryBound(to: UInt64.self)
    livenessChunks[index] = words
    isLivenessKnown[index] = true
    return words
  }

  /// Rows of a chunk that are alive.
  package func liveCount(ofChunk index: Int) -> Int {
    guard let words = liveness(ofChunk: index) else { return rowCount(ofChunk: index) }
    return (0..<ChunkShape.words).reduce(0) { $0 + words[$1].nonzeroBitCount }
  }

  /// Whether the row exists and was not deleted.
  @inlinable
  package func isLive(_ key: Int) -> Bool {
    UInt(bitPattern: key) < UInt(bitPattern: undyingEnd) || isMarkedLive(key)
  }

  @usableFromInline
  func isMarkedLive(_ key: Int) -> Bool {
    guard key >= 0, key < endKey else { return false }
    guard let words = liveness(ofChunk: key >> ChunkShape.shift) else { return true }
    let row = key & (ChunkShape.rows - 1)
    return words[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// One value of one row.
  package func value(_ position: Int, at key: Int) -> Value {
    column(position).chunk(key >> ChunkShape.shift)
      .value(at: key & (ChunkShape.rows - 1), type: schema.columns[position].storedType)
  }

  /// Whether the row lives and its location is still this one.
  package func hasLocation(_ position: Int, key: Int, longitude: Double, latitude: Double) -> Bool {
    guard isLive(key) else { return false }
    let row = key & (ChunkShape.rows - 1)
    let chunk = column(position).chunk(key >> ChunkShape.shift)
    guard !chunk.isNull(row) else { return false }
    let here = chunk.position(at: row)
    return here.longitude == longitude && here.latitude == latitude
  }

  /// The R-tree of a location; nil for other properties, and for one that the open transaction will build.
  package func spatialIndex(_ position: Int) -> SpatialIndex? {
    guard schema.columns[position].hasSpatialIndex, !isRebuilt(position) else { return nil }
    if let overlay { return SpatialIndex(table: self, position: position, overlay: overlay) }
    if let known = spatialIndexes[position] { return known }
    guard let index = SpatialIndex(table: self, position: position, overlay: nil) else {
      return nil
    }
    // An index remembers what it reads: each reader of a shared table has its own.
    if set.lock == nil { spatialIndexes[position] = index }
    return index
  }

  /// The value index of a property; nil when it has none, or the open transaction will build it.
  package func valueIndex(_ position: Int) -> ValueIndex? {
    guard schema.columns[position].hasValueIndex, !isRebuilt(position) else { return nil }
    return ValueIndex(table: self, position: position)
  }

  /// Whether the index of a column is built anew by the commit of the open transaction.
  func isRebuilt(_ position: Int) -> Bool { overlay?.rebuilt.contains(position) == true }
}

extension LMDBTransaction {
  /// The chunk under a key; nil when there is none.
  func chunk(_ key: StorageKey) -> Chunk? {
    guard let bytes = get(key), let base = bytes.baseAddress else { return nil }
    return Chunk(encoded: base, size: bytes.count)
  }
}
